/** Answers that a model can afford: brief estimates, and sizes on the stock catalog. Source: contract 15. */
import { describe, expect, test } from "bun:test";
import { API, catalogWith, inOwnName, testApp, WORDS } from "../helpers.ts";

const KB = 1024;
const SUV = { vehicle_type: "suv", film_type: "ceramic", shade: 40 };
const GLASS = { site_type: "commercial", total_sqft: 200 };

describe("view: brief", () => {
  test("an automotive estimate holds totals, the verdict, and two next steps", async () => {
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
    expect(times).toEqual(whole.next_actions[0]);
    // The estimate holds the work, so the steps need not repeat it.
    expect(Object.keys(booking.sample_request).sort()).toEqual(
      ["booking_request_id", "date", "estimate_id", "service_type", "time"].sort(),
    );
    const { status: http, json: made } = await app.post(
      booking.path,
      inOwnName(booking.sample_request, booking.fill_in),
    );
    expect([http, made.data.estimate.total, made.data.shade]).toEqual([201, total, 40]);
  });

  test("a flat-glass estimate holds the total of each option", async () => {
    const { json } = await testApp().post(`${API}/flat-glass/estimate`, { ...GLASS, view: "brief" });
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

  test("may stand in the query, of a POST as well", async () => {
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
      { code: "UNKNOWN_FIELD", field: "shade" },
      { code: "UNKNOWN_FIELD", field: "vew", did_you_mean: "view" },
    ]);
    const wrong = await app.post(`${API}/estimates?view=tiny`, SUV);
    expect([wrong.status, wrong.json.invalid_fields[0].field]).toEqual([400, "view"]);
  });

  test("takes at most 2.4 kB, whatever is asked, besides its warnings", async () => {
    const most = {
      ...SUV,
      ...{ vehicle_year: 2024, vehicle_make: "Toyota", vehicle_model: "Highlander", remove_old_film: true },
      shade: { front_side: 5, rear_side: 5, rear_window: 5 },
      windshield_shade: 70,
      addons: WORDS.addons,
    };
    const app = testApp();
    const windows = Array(200).fill({ width_in: 36.5, height_in: 60, quantity: 8, label: "Lobby, south side" });
    const flat = await app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", windows, view: "brief" });
    expect([flat.status, flat.bytes.length <= 2.4 * KB]).toEqual([200, true]);
    for (const service of WORDS.services) {
      const { status, bytes, json } = await app.post(`${API}/estimates`, { ...most, service, view: "brief" });
      const said = JSON.stringify(json.warnings ?? "").length;
      // An address that links all the choices by the estimate stands in it four times.
      expect([status, bytes.length - said <= 2.9 * KB]).toEqual([200, true]);
    }
    // No shade that the shop has, and one for glass without film: the most to be said about one estimate.
    const odd = {
      shade: { front_side: 25, rear_side: 35, rear_window: 75 },
      windshield_shade: 42,
      addons: ["sunroof", "nofault"],
    };
    const warned = await app.post(`${API}/estimates`, { ...most, ...odd, jurisdiction: "US-MI", view: "brief" });
    const shadesAlone = warned.json.warnings.filter(({ code }: { code: string }) => code !== "NOT_LEGAL");
    expect(shadesAlone).toMatchObject([
      { code: "SHADE_NOT_STOCKED", message: expect.stringMatching(/25%.*35%.*75%/) },
      { code: "SHADE_NOT_APPLICABLE" },
    ]);
    expect(warned.bytes.length).toBeLessThanOrEqual(3.2 * KB);
  });
});

const site = "https://www.greater-north-georgia-window-tinting.example";
const LONG_NAMES = {
  "business.name": "The Greater North Georgia Window Tinting and Film Company",
  site: { url: site, base_url: `${site}/api/v1`, agent_proxy_url: `${site}/agents/api/v1`, mcp_url: `${site}/mcp` },
};
test.each([
  ["the stock shop", {}],
  ["a shop with long names", LONG_NAMES],
])("the manifest takes at most 12 kB, llms.txt 6 kB: %s", async (_, edits) => {
  const app = testApp({ catalog: catalogWith(edits) });
  expect((await app.get(`${API}/capabilities`)).bytes.length).toBeLessThanOrEqual(12 * KB);
  expect((await app.get("/llms.txt")).bytes.length).toBeLessThanOrEqual(6 * KB);
});
