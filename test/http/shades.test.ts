/** Shades that the film does not come in, and the shade of the samples. */
import { describe, expect, test } from "bun:test";
import { CAPABILITY_BY_ID } from "../../src/capabilities/index.ts";
import { entryOf } from "../../src/catalog/terms.ts";
import { API, AT_BOOKING, BOOKING, CATALOG, catalogWith, manyCallers, NOW, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const price = (body: object) => APP.post(`${API}/estimates`, { vehicle_type: "sedan", ...body });
const book = (body: object) =>
  APP.post(`${API}/bookings`, {
    ...BOOKING,
    vehicle_type: "sedan",
    film_type: undefined,
    dry_run: true,
    accept_not_legal: true,
    ...body,
  });
const CERAMIC = { film_type: "ceramic" };

describe("SHADE_NOT_STOCKED", () => {
  const CASES: [name: string, body: object, warnings: [field: string, nearest: string][]][] = [
    ["between two shades", { ...CERAMIC, shade: 35 }, [["shade", "30 (measured 32%) and 40%"]]],
    ["by a word", { ...CERAMIC, shade: "medium" }, [["shade", "30 (measured 32%) and 40%"]]],
    ["darker than all", { shade: 3 }, [["shade", "5% and 20%"]]],
    ["lighter than all", { shade: 90 }, [["shade", "35% and 50%"]]],
    [
      "per position",
      { ...CERAMIC, shade: { front_side: 43, rear_side: 5 }, windshield_shade: 60, addons: ["windshield"] },
      [
        ["shade", "40% and 50%"],
        ["windshield_shade", "50% and 70%"],
      ],
    ],
    ["the number on the box", { ...CERAMIC, shade: 30 }, []],
    ["the measured shade", { ...CERAMIC, shade: 32 }, []],
    ["another film has it", { shade: 35 }, []],
    ["glass that stays as it is", { shade: { rear_window: 33 }, coverage: "front2" }, []],
  ];
  test.each(CASES)("%s", async (_, body, expected) => {
    const { status, json } = await price(body);
    expect(status).toBe(200);
    const found = (json.warnings ?? []).filter(({ code }: { code: string }) => code === "SHADE_NOT_STOCKED");
    expect(
      found.map(({ field, message }: { field: string; message: string }) => [
        field,
        message.match(/nearest are (.*)\.$/)?.[1],
      ]),
    ).toEqual(expected);
    const booked = await book(body);
    expect([booked.status, booked.json.warnings]).toEqual([200, [...(json.warnings ?? []), AT_BOOKING]]);
  });

  test("a booking says so too, without a vehicle as well, and says which shades nobody checks", async () => {
    const { json } = await book({ vehicle_type: undefined, shade: 35, film_type: "ceramic", windshield_shade: 70 });
    expect(json.warnings).toMatchObject([
      { code: "NO_PRICE", field: "vehicle_type" },
      { code: "SHADE_NOT_STOCKED", field: "shade" },
      { code: "SHADE_NOT_APPLICABLE", field: "windshield_shade" },
      AT_BOOKING,
    ]);
    expect(json.data).toMatchObject({ assumed: ["vehicle_type", "service_type", "coverage"], estimate: null });
    const made = await book({ shade: 36, dry_run: false });
    expect([made.status, made.json.warnings]).toMatchObject([
      201,
      [{ code: "SHADE_NOT_STOCKED" }, { code: "LAW_BORDERLINE" }],
    ]);
  });
});

test.each(Object.keys(CATALOG.tint_law.jurisdictions))(
  "the sample is legal and stocked with %s as home",
  async (home) => {
    const catalog = catalogWith({ "tint_law.home": home });
    const sample = CAPABILITY_BY_ID.automotive_estimate.sample(catalog, NOW);
    const { json } = await testApp({ catalog }).post(`${API}/estimates`, sample);
    expect(json.warnings).toBeUndefined();
    if (sample.shade === undefined) return;
    expect(json.data.tint_law).toMatchObject({ jurisdiction: home, status: "legal" });
    const { shades } = entryOf(catalog.automotive.films, sample.film_type ?? "");
    expect(shades.map(({ vlt }) => vlt)).toContain(Number(sample.shade));
  },
);

test("the questions and the law say the same of the medical exemption", async () => {
  const app = testApp({ catalog: catalogWith({ "tint_law.jurisdictions.US-GA.exemptions.0.fee": 12 }) });
  const { json } = await app.get(`${API}/faq?q=medical+exemption`);
  const { notes } = (await app.post(`${API}/estimates`, { vehicle_type: "suv", shade: 15 })).json.data.tint_law;
  const law = notes.find((note: string) => note.includes("medical exemption"));
  for (const text of [json.data[0].answer, law])
    for (const fact of [
      "Georgia Department of Public Safety",
      "physician or optometrist",
      "$12",
      "every 4 years",
      "carried in the vehicle",
    ])
      expect(text).toContain(fact);
});

describe("shades that were not checked", () => {
  const CASES: [body: object, fields: string[]][] = [
    [{ shade: 35 }, []],
    [{ film_type: "ceramic", windshield_shade: 70, addons: ["windshield"] }, []],
    [{ windshield_shade: 70 }, ["windshield_shade"]],
    [{ windshield_shade: 70, addons: ["windshield_strip"] }, ["windshield_shade"]],
    [{ service: "film_removal", windshield_shade: 70 }, ["windshield_shade"]],
    [{ service: "clearplex", shade: 35 }, ["shade"]],
    [{ service: "film_removal", shade: 35, windshield_shade: 70 }, ["shade", "windshield_shade"]],
  ];
  test.each(CASES)("%j", async (body, fields) => {
    const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "sedan", ...body });
    const warned: { code: string; field: string }[] = (json.warnings ?? []).filter(
      ({ code }: { code: string }) => code !== "NOT_LEGAL" && code !== "LAW_BORDERLINE",
    );
    expect(warned.map(({ code, field }) => [code, field])).toEqual(
      fields.map((field) => ["SHADE_NOT_APPLICABLE", field]),
    );
    if (fields.includes("windshield_shade")) expect(json.data.tint_law.status).toBe("not_checked");
  });
});

test("the shop's longest word for a shade can be asked for, in any case", async () => {
  const word = "as dark as the night";
  const app = testApp({ catalog: catalogWith({ [`automotive.shade_words.${word}`]: 5 }) });
  const estimate = (shade: string) => app.post(`${API}/estimates`, { vehicle_type: "van", shade });
  const { json } = await estimate(word.toUpperCase());
  expect(json.data.tint_law.checks[0].film_vlt).toBe(5);
  expect((await estimate(`${word}s`)).json.invalid_fields).toMatchObject([{ field: "shade" }]);
});
