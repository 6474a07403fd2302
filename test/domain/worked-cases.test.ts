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

interface AutomotiveCase {
  body: object;
  total: number;
  /** Total by film. */
  options: Record<string, number>;
  lines: Record<string, number>;
  filmType: string | null;
  coverage: string | null;
  assumed: string[];
  warnings?: string[];
}

const AUTOMOTIVE: AutomotiveCase[] = [
  {
    body: { vehicle_type: "sedan", service: "automotive", film_type: "ceramic", addons: ["windshield_strip"] },
    total: 598,
    options: { standard: 348, ceramic: 598 },
    lines: { automotive: 499, windshield_strip: 99 },
    filmType: "ceramic",
    coverage: "full",
    assumed: ["coverage"],
  },
  {
    body: { vehicle_type: "suv", coverage: "front2" },
    total: 139,
    options: { standard: 139, ceramic: 239 },
    lines: { automotive: 139 },
    filmType: "standard",
    coverage: "front2",
    assumed: ["service", "film_type"],
  },
  {
    body: { vehicle_type: "truck", service: "film_removal", addons: ["sunroof"] },
    total: 175,
    options: { null: 175 },
    lines: { film_removal: 175 },
    filmType: null,
    coverage: "full",
    assumed: ["coverage"],
    warnings: ["ADDON_NOT_APPLICABLE"],
  },
  {
    body: { vehicle_type: "van", service: "clearplex" },
    total: 495,
    options: { null: 495 },
    lines: { clearplex: 495 },
    filmType: null,
    coverage: null,
    assumed: [],
  },
  {
    body: {
      vehicle_type: "coupe",
      service: "automotive",
      film_type: "standard",
      addons: ["nofault", "sunroof", "nofault"],
    },
    total: 407,
    options: { standard: 407, ceramic: 677 },
    lines: { automotive: 249, sunroof: 79, nofault: 79 },
    filmType: "standard",
    coverage: "full",
    assumed: ["coverage"],
  },
  {
    body: { vehicle_type: "suv", film_type: "ceramic", addons: ["windshield"] },
    total: 948,
    options: { standard: 548, ceramic: 948 },
    lines: { automotive: 599, windshield: 349 },
    filmType: "ceramic",
    coverage: "full",
    assumed: ["service", "coverage"],
    warnings: ["NOT_LEGAL"],
  },
];

describe("automotive", () => {
  for (const { body, total, options, lines, filmType, coverage, assumed, warnings } of AUTOMOTIVE) {
    test(JSON.stringify(body), async () => {
      const { json } = await post("/estimates", body);
      const { data } = json;
      expect(data).toMatchObject({ kind: "automotive", currency: "USD", total, film_type: filmType, coverage });
      expect(data.assumed).toEqual([...assumed, "jurisdiction"]);
      expect(linesOf(data.line_items)).toEqual(lines);
      expect(
        Object.fromEntries(
          data.options.map((one: { film_type: string | null; total: number }) => [one.film_type, one.total]),
        ),
      ).toEqual(options);
      const selected = data.options.filter((one: { selected: boolean }) => one.selected);
      expect(selected).toHaveLength(1);
      expect(selected[0]).toMatchObject({ film_type: filmType, total, line_items: data.line_items });
      expect(json.warnings?.map(({ code }: { code: string }) => code)).toEqual(warnings);
    });
  }
});

interface FlatGlassCase {
  body: object;
  /** Minimum, middle and maximum of Good, Better and Best. */
  totals: [number, number, number][];
  lines: Record<string, number | [number, number]>;
  films?: string[];
  minimum?: boolean;
}

const FLAT_GLASS: FlatGlassCase[] = [
  {
    body: { total_sqft: 200, site_type: "commercial", primary_concern: "heat", floors: 1 },
    totals: [
      [3200, 3200, 3200],
      [3350, 3350, 3350],
      [3500, 3500, 3500],
    ],
    lines: { film: 3200 },
    films: ["Ceramic 40", "Ceramic 20", "Spectrally Selective 35"],
  },
  {
    body: {
      total_sqft: 350.5,
      site_type: "residential",
      primary_concern: "privacy",
      floors: 2,
      blocked_windows: 2,
      curtain_windows: 3,
      existing_film_sqft: 100,
    },
    totals: [
      [6684, 6784, 6884],
      [7034.5, 7134.5, 7234.5],
      [7385, 7485, 7585],
    ],
    lines: { film: 5608, ladder: 701, blocked_windows: 70, curtain_windows: 105, removal: [200, 400] },
    films: ["Reflective Silver 18", "Dual-Reflective 10", "Frosted decorative"],
  },
  {
    body: { total_sqft: 123.45, site_type: "security", floors: 3, needs_ladder: false },
    totals: [
      [2036.93, 2036.93, 2036.93],
      [2129.51, 2129.51, 2129.51],
      [2222.1, 2222.1, 2222.1],
    ],
    lines: { film: 2036.93 },
    films: ["Clear safety 4 mil", "Clear security 8 mil", "Clear security 8 mil with frame attachment"],
  },
  {
    body: { total_sqft: 10, site_type: "residential" },
    totals: [
      [250, 250, 250],
      [250, 250, 250],
      [250, 250, 250],
    ],
    lines: { film: 160, minimum_adjustment: 90 },
    minimum: true,
  },
  {
    body: { total_sqft: 10, site_type: "commercial", existing_film_sqft: 60 },
    totals: [
      [280, 340, 400],
      [287.5, 347.5, 407.5],
      [295, 355, 415],
    ],
    lines: { film: 160, removal: [120, 240] },
    minimum: true,
  },
];

interface FlatGlassOption {
  film: { name: string };
  total_min: number;
  total: number;
  total_max: number;
  line_items: { code: string; amount: number; amount_min?: number; amount_max?: number }[];
}

describe("flat glass", () => {
  for (const { body, totals, lines, films, minimum } of FLAT_GLASS) {
    test(JSON.stringify(body), async () => {
      const { json } = await post("/flat-glass/estimate", body, minimum ? minimumApp : app);
      const options: FlatGlassOption[] = json.data.options;
      expect(options.map(({ total_min, total, total_max }) => [total_min, total, total_max])).toEqual(totals);
      const good = options[0]?.line_items.map(({ code, amount, amount_min, amount_max }) => [
        code,
        amount_min === undefined ? amount : [amount_min, amount_max],
      ]);
      const cents = (units: number) => Math.round(units * 100);
      for (const { line_items: all, total } of options)
        expect(all.reduce((sum, line) => sum + cents(line.amount), 0)).toBe(cents(total));
      expect(good).toEqual(Object.entries(lines));
      if (films) expect(options.map(({ film }) => film.name)).toEqual(films);
    });
  }

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
  const LADDER = { price_per_sqft_min: 18, price_per_sqft_max: 20 };
  test.each<[asked: object, found: object | null]>([
    [{ square_footage: 250 }, { total_min: 4000, total_max: 4500 }],
    [
      { square_footage: 123.45, needs_ladder: true },
      { total_min: 2222.1, total_max: 2469, ...LADDER },
    ],
    // Floors mean a ladder, unless it is said that none is needed.
    [
      { square_footage: 100, floors: 3 },
      { total_min: 1800, total_max: 2000, ...LADDER },
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
