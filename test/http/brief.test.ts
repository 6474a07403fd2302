/** Answers that a model can afford: brief estimates, and sizes on the stock catalog. Source: contract 15. */
import { describe, expect, test } from "bun:test";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { API, CATALOG, catalogWith, inOwnName, manyCallers, testApp, WORDS } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const KB = 1024;
const SUV = { vehicle_type: "suv", film_type: "ceramic", shade: 40 };
const GLASS = { site_type: "commercial", total_sqft: 200 };

describe("view: brief", () => {
  test("an automotive estimate holds totals, the verdict, and the next steps", async () => {
    const app = testApp();
    const { json: whole } = await app.post(`${API}/estimates`, SUV);
    const { status, json } = await app.post(`${API}/estimates`, { ...SUV, view: "brief" });
    expect(status).toBe(200);
    const { total, currency, duration_minutes, valid_until, tint_law: law } = whole.data;
    expect(json.data).toMatchObject({
      kind: "automotive",
      currency,
      total,
      options: [
        { film_type: "standard", total: 349 },
        { film_type: "ceramic", total: 599 },
      ],
      tint_law: { jurisdiction: "US-GA", status: law.status },
      duration_minutes,
      valid_until,
    });
    for (const [i, check] of json.data.tint_law.checks.entries()) {
      expect(Object.keys(check)).toEqual(["position", "status", "rule", "min_vlt", "darkest_legal_shade"]);
      expect(law.checks[i]).toMatchObject(check);
    }
    const [times, booking] = json.next_actions;
    // The estimate holds the work, so the steps need not repeat it.
    expect(times.sample_request).toEqual({ estimate_id: json.data.estimate_id });
    expect(new URL(times.url).search).toBe(`?estimate_id=${json.data.estimate_id}`);
    expect(Object.keys(booking.sample_request).sort()).toEqual(
      ["booking_request_id", "date", "estimate_id", "time"].sort(),
    );
    const { status: http, json: made } = await app.post(
      booking.path,
      inOwnName(booking.sample_request, booking.fill_in),
    );
    expect([http, made.data.estimate.total, made.data.shade]).toEqual([201, total, 40]);
  });

  test("a flat-glass estimate holds the total of each option", async () => {
    const { json } = await APP.post(`${API}/flat-glass/estimate`, { ...GLASS, view: "brief" });
    expect(json.data).toMatchObject({
      kind: "flat_glass",
      currency: "USD",
      total_sqft: 200,
      total: 3350,
      options: [
        { tier: "good", total: 3200 },
        { tier: "better", total: 3350 },
        { tier: "best", total: 3500 },
      ],
    });
    expect(json.next_actions).toHaveLength(1);
  });

  test("may be in the query, of a POST as well", async () => {
    const app = testApp();
    const withoutIds = ({ text }: { text: string }) => text.replace(/try_\w{16}/g, "");
    const text = withoutIds(await app.post(`${API}/estimates`, { ...SUV, view: "brief" }));
    const query = new URLSearchParams({ ...SUV, shade: "40", view: "brief" });
    expect(withoutIds(await app.post(`${API}/estimates?view=brief`, SUV))).toBe(text);
    expect(withoutIds(await app.get(`${API}/estimates?${query}`))).toBe(text);
    const flat = await app.post(`${API}/flat-glass/estimate?view=brief`, GLASS);
    expect(flat.text.length).toBeLessThan(2.4 * KB);
    const whole = await app.post(`${API}/estimates?view=brief`, { ...SUV, view: "full" });
    expect(whole.json.data).toHaveProperty("line_items");
    const other = await app.post(`${API}/estimates?view=brief&shade=5&vew=full`, SUV);
    expect(other.json.warnings).toMatchObject([
      { code: "LAW_BORDERLINE" },
      { code: "UNKNOWN_FIELD", field: "shade" },
      { code: "UNKNOWN_FIELD", field: "vew", did_you_mean: "view" },
    ]);
    const wrong = await app.post(`${API}/estimates?view=tiny`, SUV);
    expect([wrong.status, wrong.json.invalid_fields[0].field]).toEqual([400, "view"]);
  });

  test("of glass takes at most 2.4 kB with all its warnings", async () => {
    const app = testApp();
    const windows = (count: number) =>
      Array(count).fill({ width_in: 8.5, height_in: 11.25, quantity: 1, label: "Lobby, south side" });
    const more = { existing_film_sqft: 3000, floors: 3, blocked_windows: 2, curtain_windows: 3, view: "brief" };
    for (const count of [1, 3, 4, 10, 200]) {
      const asked = { ...more, site_type: "security", primary_concern: "leed", film_goals: ["shiny", "leed"] };
      const { status, bytes, json } = await app.post(`${API}/flat-glass/estimate`, {
        ...asked,
        windows: windows(count),
      });
      expect([status, bytes.length <= 2.4 * KB]).toEqual([200, true]);
      // The estimate holds what the sample leaves out.
      const [{ sample_request, fill_in }] = json.next_actions;
      const quoted = await app.post(`${API}/quote-request`, { ...inOwnName(sample_request, fill_in), dry_run: true });
      expect(quoted.json.data.ballpark.square_footage).toBe(json.data.total_sqft);
    }
  });

  const CAR = { vehicle_year: 2024, vehicle_make: "Toyota", vehicle_model: "Highlander" };
  test("of a car takes at most 2.7 kB, with what is to be warned of; each add-on takes some more", async () => {
    const app = testApp();
    const sizeOf = async (asked: object) => {
      const { status, bytes } = await app.post(`${API}/estimates`, { ...asked, view: "brief" });
      expect(status).toBe(200);
      return bytes.length / KB;
    };
    const wishes = [{ shade: 50 }, { shade: 37 }, { shade: 5 }, { ...CAR, shade: 50, remove_old_film: true }];
    for (const vehicle_type of WORDS.vehicleTypes)
      for (const film_type of WORDS.films)
        for (const wish of wishes) expect(await sizeOf({ vehicle_type, film_type, ...wish })).toBeLessThanOrEqual(2.7);
    // No shade that the shop has, another kind of car, and all there is to add: an estimate is in it six times.
    const odd = { shade: { front_side: 6, rear_side: 4, rear_window: 33 }, windshield_shade: 3, remove_old_film: true };
    const most = { vehicle_type: "crossover", film_type: "ceramic", ...CAR, ...odd, addons: WORDS.addons };
    for (const service of WORDS.services) expect(await sizeOf({ ...most, service })).toBeLessThanOrEqual(3.2);
  });

  test("says what is to be warned of in few words, once for each kind", async () => {
    const odd = {
      shade: { front_side: 6, rear_side: 4, rear_window: 33 },
      windshield_shade: 3,
      addons: ["windshield"],
    };
    const asked = { vehicle_type: "sedan", film_type: "ceramic", vehicle_make: "Honda", vehicle_model: "CR-V", ...odd };
    const { json } = await APP.post(`${API}/estimates`, { ...asked, view: "brief" });
    expect(json.warnings).toEqual([
      {
        code: "SHADE_NOT_STOCKED",
        field: "shade",
        message: "No 6%, 4%, 3%: 5 or 15. No 33%: 30 or 40.",
      },
      {
        code: "VEHICLE_TYPE_CHECK",
        field: "vehicle_type",
        message: "A Honda CR-V counts as crossover here: $918, 5 h.",
      },
      {
        code: "NOT_LEGAL",
        field: "shade",
        message:
          "Not legal in Georgia: front side, rear side and rear window (at least 32% light; darkest 50), windshield (strip only).",
      },
    ]);
  });
});

const site = "https://www.greater-north-georgia-window-tinting.example";
const LONG_NAMES = {
  "business.name": "The Greater North Georgia Window Tinting and Film Company",
  site: { url: site, base_url: `${site}/api/v1`, agent_proxy_url: `${site}/agents/api/v1`, mcp_url: `${site}/mcp` },
};
const { vehicle_types: types } = CATALOG.automotive;
const LONG_LINES = {
  ...LONG_NAMES,
  "automotive.vehicle_facts": Object.fromEntries(Object.keys(types).map((type) => [type, { about: "Ö".repeat(120) }])),
};
test.each([
  ["the stock shop", {}],
  ["a shop with long names", LONG_NAMES],
  ["a shop that says much of each vehicle type", LONG_LINES],
])("the manifest takes at most 12 kB, each capability of it 4 kB, llms.txt 6 kB: %s", async (_, edits) => {
  const app = testApp({ catalog: catalogWith(edits) });
  expect((await app.get(`${API}/capabilities`)).bytes.length).toBeLessThanOrEqual(12 * KB);
  for (const { id } of CAPABILITIES) {
    const { status, bytes } = await app.get(`${API}/capabilities/${id}`);
    expect([id, status, bytes.length <= 4 * KB]).toEqual([id, 200, true]);
  }
  expect((await app.get("/llms.txt")).bytes.length).toBeLessThanOrEqual(6 * KB);
});

test.each([
  ["in the owner's own few words", { "tint_law.brief_disclaimer": "No legal advice; ask" }, "No legal advice; ask"],
  [
    "whole without them",
    { tint_law: { ...CATALOG.tint_law, disclaimer: "A; b.", brief_disclaimer: undefined } },
    "A; b.",
  ],
])("a brief answer has the disclaimer %s", async (_, edits, said) => {
  const { json } = await testApp({ catalog: catalogWith(edits) }).post(`${API}/estimates`, { ...SUV, view: "brief" });
  expect(json.data.tint_law.disclaimer).toBe(said);
});
