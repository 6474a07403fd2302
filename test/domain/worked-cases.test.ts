/** The worked cases of the estimates, to the cent, over HTTP. */
import { describe, expect, test } from "bun:test";
import { type Answer, API, catalogWith, QUOTE, type TestApp, testApp } from "../helpers.ts";

const app = testApp();
const minimumApp = testApp({ catalog: catalogWith({ "flat_glass.minimum_job_charge": 250 }) });

/** Every request has another address, so that no rate limit applies. */
async function post(path: string, body: object, to: TestApp = app): Promise<Answer> {
  callers += 1;
  const answer = await to.post(API + path, body, { from: `198.51.${callers >> 8}.${callers & 255}` });
  expect(answer.status).toBe(200);
  return answer;
}
let callers = 0;

interface Line {
  code: string;
  amount: number;
}
const linesOf = (items: Line[]) => Object.fromEntries(items.map(({ code, amount }) => [code, amount]));

/** What is asked, its lines, the total of each film, the film and the coverage that are taken, what was assumed, and warnings. */
const AUTOMOTIVE: [object, Record<string, number>, Record<string, number>, (string | null)[], string[], string[]][] = [
  [
    { vehicle_type: "suv", coverage: "front2" },
    { automotive: 139 },
    { standard: 139, ceramic: 239 },
    ["standard", "front2"],
    ["service", "film_type"],
    [],
  ],
  [
    { vehicle_type: "truck", service: "film_removal", addons: ["sunroof"] },
    { film_removal: 175 },
    { null: 175 },
    [null, "full"],
    ["coverage"],
    ["ADDON_NOT_APPLICABLE"],
  ],
  [{ vehicle_type: "van", service: "clearplex" }, { clearplex: 495 }, { null: 495 }, [null, null], [], []],
  [
    { vehicle_type: "suv", film_type: "ceramic", addons: ["windshield"] },
    { automotive: 599, windshield: 349 },
    { standard: 548, ceramic: 948 },
    ["ceramic", "full"],
    ["service", "coverage"],
    ["NOT_LEGAL"],
  ],
];

test.each(AUTOMOTIVE)("automotive: %j", async (body, lines, options, [filmType, coverage], assumed, warnings) => {
  const { json } = await post("/estimates", body);
  const { data } = json;
  const total = options[filmType ?? "null"] ?? -1;
  expect(data).toMatchObject({ kind: "automotive", currency: "USD", total, film_type: filmType, coverage });
  expect(data.assumed).toEqual([...assumed, "jurisdiction"]);
  expect(linesOf(data.line_items)).toEqual(lines);
  const totals = data.options.map((one: { film_type: string | null; total: number }) => [one.film_type, one.total]);
  expect(Object.fromEntries(totals)).toEqual(options);
  const selected = data.options.filter((one: { selected: boolean }) => one.selected);
  expect(selected).toHaveLength(1);
  expect(selected[0]).toMatchObject({ film_type: filmType, total, line_items: data.line_items });
  expect((json.warnings ?? []).map(({ code }: { code: string }) => code)).toEqual(warnings);
});

const HEAT = ["Ceramic 40", "Ceramic 20", "Spectrally Selective 35"];
/** What is asked, with or without a minimum charge; minimum, middle and maximum of Good, Better and Best; the lines of Good; the films. */
const FLAT_GLASS: [object, TestApp, string[], Record<string, number | [number, number]>, string[]][] = [
  [
    {
      ...{ total_sqft: 350.5, site_type: "residential", primary_concern: "privacy" },
      ...{ floors: 2, blocked_windows: 2, curtain_windows: 3, existing_film_sqft: 100 },
    },
    app,
    ["6684 6784 6884", "7034.5 7134.5 7234.5", "7385 7485 7585"],
    { film: 5608, ladder: 701, blocked_windows: 70, curtain_windows: 105, removal: [200, 400] },
    ["Reflective Silver 18", "Dual-Reflective 10", "Frosted decorative"],
  ],
  [
    { total_sqft: 123.45, site_type: "security", floors: 3, needs_ladder: false },
    app,
    ["2036.93 2036.93 2036.93", "2129.51 2129.51 2129.51", "2222.1 2222.1 2222.1"],
    { film: 2036.93 },
    ["Clear safety 4 mil", "Clear security 8 mil", "Clear security 8 mil with frame attachment"],
  ],
  [
    { total_sqft: 10, site_type: "residential" },
    minimumApp,
    Array(3).fill("250 250 250"),
    { film: 160, minimum_adjustment: 90 },
    HEAT,
  ],
  [
    { total_sqft: 10, site_type: "commercial", existing_film_sqft: 30 },
    minimumApp,
    ["250 265 280", "250 268.75 287.5", "250 272.5 295"],
    { film: 160, removal: [60, 120], minimum_adjustment: [30, 0] },
    HEAT,
  ],
];

interface FlatGlassOption {
  film: { name: string };
  total_min: number;
  total: number;
  total_max: number;
  line_items: { code: string; amount: number; amount_min?: number; amount_max?: number }[];
}

describe("flat glass", () => {
  test.each(FLAT_GLASS)("%j", async (body, to, totals, lines, films) => {
    const { json } = await post("/flat-glass/estimate", body, to);
    const options: FlatGlassOption[] = json.data.options;
    expect(options.map((one) => `${one.total_min} ${one.total} ${one.total_max}`)).toEqual(totals);
    const cents = (units: number) => Math.round(units * 100);
    for (const { line_items: all, total } of options)
      expect(all.reduce((sum, line) => sum + cents(line.amount), 0)).toBe(cents(total));
    const good = options[0]?.line_items.map(({ code, amount, amount_min, amount_max }) => [
      code,
      amount_min === undefined ? amount : [amount_min, amount_max],
    ]);
    expect(good).toEqual(Object.entries(lines));
    expect(options.map(({ film }) => film.name)).toEqual(films);
  });

  test("the concern: security for security sites, else primary_concern, else the first goal, else heat", async () => {
    const concern = async (body: object) =>
      (await post("/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", ...body })).json.data
        .primary_concern;
    expect(await concern({ site_type: "security", primary_concern: "glare" })).toBe("security");
    expect(await concern({ primary_concern: "glare", film_goals: ["privacy"] })).toBe("glare");
    expect(await concern({ film_goals: ["leed_credits", "privacy"] })).toBe("leed");
    expect(await concern({ film_goals: ["decorative"] })).toBe("privacy");
    for (const goal of ["uv", "uv_protection"]) expect(await concern({ film_goals: [goal] })).toBe("uv");
    expect(await concern({ film_goals: ["heat_reduction", "uv"] })).toBe("heat");
    expect(await concern({ film_goals: [] })).toBe("heat");
    expect(await concern({})).toBe("heat");
  });
});

describe("ballpark", () => {
  test.each<[asked: object, found: object | null]>([
    // Floors mean a ladder, unless it is said that none is needed.
    [
      { square_footage: 100, floors: 3 },
      { total_min: 1800, total_max: 2000, price_per_sqft_min: 18, price_per_sqft_max: 20 },
    ],
    [
      { square_footage: 123.45, floors: 5, needs_ladder: false },
      { total_min: 1975.2, total_max: 2222.1 },
    ],
    [{ needs_ladder: true }, null],
  ])("%j: %j", async (asked, found) => {
    const { json } = await post("/quote-request", { ...QUOTE, ...asked });
    if (found === null) expect(json.data.ballpark).toBeNull();
    else expect(json.data.ballpark).toMatchObject({ currency: "USD", ...found });
  });
});
