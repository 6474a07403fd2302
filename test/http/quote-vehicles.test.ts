/** Quote requests for vehicles and other work, and the client of the original service. Source: contract 4. */
import { expect, test } from "bun:test";
import { API, CATALOG, fileApp, QUOTE, testApp } from "../helpers.ts";

const SERVICES = [...CATALOG.services.map(({ key }) => key), "other"];

for (const service_type of SERVICES) {
  test(`service_type ${service_type} is taken`, async () => {
    const app = fileApp();
    const vehicle = { vehicle_type: "suv", vehicle_year: 2024, vehicle_make: "Toyota", vehicle_model: "Highlander" };
    const body = { ...QUOTE, service_type, ...vehicle, coverage: "full", film_type: "ceramic", square_footage: 100 };
    const { status, json } = await app.post(`${API}/quote-request`, body);
    expect([status, json.data.status]).toEqual([200, "received"]);
    const isBuilding = ["residential", "commercial", "security"].includes(service_type);
    expect(json.data.ballpark === null).toBe(!isBuilding);
    expect(app.counts().leads).toBe(1);
    const details = JSON.parse(
      app.db.query<{ details: string }, []>("SELECT details FROM leads").get()?.details ?? "{}",
    );
    expect(details).toMatchObject(vehicle);
    for (const { method, path, sample_request: sample } of json.next_actions) {
      const query = new URLSearchParams(sample);
      const next = method === "POST" ? app.post(path, sample) : app.get(`${path}?${query}`);
      expect((await next).json).toMatchObject({ success: true });
    }
  });
}

test("a vehicle with a price leads on to the price", async () => {
  const { json } = await testApp().post(`${API}/quote-request`, {
    ...QUOTE,
    service_type: "automotive",
    vehicle_type: "suv",
  });
  expect(json.next_actions[0]).toMatchObject({
    action: "automotive_estimate",
    sample_request: { vehicle_type: "suv", service: "automotive" },
  });
});

/** Each refusal that sends the caller to a quote request: the request is taken there. */
const HINTS: [name: string, path: string, body: object, quote: object][] = [
  ["a motorcycle", "/estimates", { vehicle_type: "motorcycle" }, { service_type: "other", vehicle_type: "motorcycle" }],
  [
    "a coating",
    "/estimates",
    { vehicle_type: "suv", service: "ceramic_coating" },
    { service_type: "ceramic_coating", vehicle_type: "suv" },
  ],
  [
    "a car outside the area",
    "/bookings",
    {
      date: "2026-11-24",
      time: "09:00",
      customer_name: "Pat",
      customer_phone: QUOTE.phone,
      customer_email: QUOTE.email,
      vehicle_type: "suv",
      postal_code: "90210",
    },
    { service_type: "automotive", vehicle_type: "suv", film_type: "ceramic" },
  ],
];

for (const [name, path, body, quote] of HINTS) {
  test(`${name}: the way out works, and the phone is told`, async () => {
    const app = testApp();
    const { json } = await app.post(API + path, body);
    expect(json.agent_instruction).toContain("POST /api/v1/quote-request");
    expect(json.agent_instruction).toContain(CATALOG.business.phone);
    const asked = await app.post(`${API}/quote-request`, { ...QUOTE, ...quote });
    expect([asked.status, asked.json.success]).toEqual([200, true]);
  });
}

/** Requests as the client of the original service sends them, with the fields that are warned about. */
const ORIGINAL: [path: string, body: object, warned: string[]][] = [
  ["/quote-request", { ...QUOTE, film_goals: ["heat", "glare", "fade_protection"] }, ["film_goals"]],
  ["/quote-request", { ...QUOTE, service_type: "automotive", vehicle_type: "extended_cab" }, []],
  ["/estimates", { vehicle_type: "extended_cab", service: "automotive", film_type: "ceramic" }, ["vehicle_type"]],
  [
    "/flat-glass/estimate",
    { total_sqft: 200, site_type: "residential", primary_concern: "safety" },
    ["primary_concern"],
  ],
  [
    "/flat-glass/estimate",
    { total_sqft: 200, site_type: "residential", film_goals: ["fade_protection", "glare"] },
    ["film_goals"],
  ],
];

for (const [path, body, warned] of ORIGINAL) {
  test(`the original client: ${path} ${JSON.stringify(body)}`, async () => {
    const { status, json } = await testApp().post(API + path, body);
    expect([status, json.success]).toEqual([200, true]);
    expect((json.warnings ?? []).map(({ field }: { field: string }) => field)).toEqual(warned);
  });
}

test("of goals, the first known one picks the films, and all of them reach the shop", async () => {
  const app = fileApp();
  const film_goals = ["sheen_protection", "glare"];
  const estimate = await app.post(`${API}/flat-glass/estimate`, {
    total_sqft: 200,
    site_type: "residential",
    film_goals,
  });
  expect(estimate.json.data.primary_concern).toBe("glare");
  await app.post(`${API}/quote-request`, { ...QUOTE, film_goals });
  const details = JSON.parse(app.db.query<{ details: string }, []>("SELECT details FROM leads").get()?.details ?? "{}");
  expect(details.film_goals).toEqual(film_goals);
});

test.each([
  [["sheen"], ['"sheen" is kept as it is, but picks no film. Known goals: heat_reduction']],
  [["sheen", "glare", "looks", "sheen"], ['"sheen" and "looks" are kept as they are, but pick no film. Known goals:']],
  [["glare", "heat_reduction"], []],
])("of the goals %j, one warning names the unknown ones", async (film_goals, says) => {
  const app = testApp();
  const glass = await app.post(`${API}/flat-glass/estimate`, { total_sqft: 20, site_type: "residential", film_goals });
  const quote = await app.post(`${API}/quote-request`, { ...QUOTE, film_goals });
  for (const { json } of [glass, quote]) {
    const warnings = json.warnings ?? [];
    expect(warnings).toMatchObject(
      says.map((text) => ({ code: "UNKNOWN_GOAL", message: expect.stringContaining(text) })),
    );
    expect(warnings).toHaveLength(says.length);
  }
});
