/** Quote requests for vehicles, other work, and glass that no coverage names; and the client of the original service. Contract 2, 4. */
import { describe, expect, test } from "bun:test";
import { fileApp, manyCallers, testApp } from "../app.ts";
import { API, BOOKING, freshPhone, inOwnName, QUOTE } from "../fixed-day.ts";
import { appWith, CATALOG } from "../helpers.ts";

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

const HOUSE = { total_sqft: 200, site_type: "residential" };

/** Requests as the client of the original service sends them, with the fields that are warned about. */
const ORIGINAL: [path: string, body: object, warned: string[]][] = [
  ["/quote-request", { ...QUOTE, film_goals: ["heat", "glare", "fade_protection"] }, ["film_goals"]],
  ["/quote-request", { ...QUOTE, service_type: "automotive", vehicle_type: "extended_cab" }, []],
  ["/estimates", { vehicle_type: "extended_cab", service: "automotive", film_type: "ceramic" }, ["vehicle_type"]],
  ["/flat-glass/estimate", { ...HOUSE, primary_concern: "safety" }, ["primary_concern"]],
  ["/flat-glass/estimate", { ...HOUSE, film_goals: ["fade_protection", "glare"] }, ["film_goals"]],
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
  const estimate = await app.post(`${API}/flat-glass/estimate`, { ...HOUSE, film_goals });
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

const APP = manyCallers();
const CAR = { vehicle_type: "suv", vehicle_year: 2022, vehicle_make: "Kia", vehicle_model: "Sorento" };

const ASKED: [path: string, body: object][] = [
  ["/estimates", {}],
  ["/bookings", { ...BOOKING, customer_phone: freshPhone() }],
];

describe.each(["rear", "back window", "windshield only", "driver's window", "one window"])("%s", (coverage) => {
  test.each(ASKED)("of %s is refused with a whole request for a quote, in words", async (path, body) => {
    const app = testApp();
    const wish = { ...body, ...CAR, film_type: "ceramic", shade: 20, coverage };
    const { status, json } = await app.post(API + path, wish);
    expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    const [step] = json.next_actions;
    expect(step).toMatchObject({
      ...{ action: "quote_request", method: "POST", path: `${API}/quote-request`, requires_consent: true },
      sample_request: { service_type: "automotive", ...CAR, film_type: "ceramic" },
    });
    expect(step.sample_request.message).toStartWith(`glass: ${coverage}; shade: 20`);
    if ("time" in body) expect(step.sample_request.message).toContain(`time: ${body.time}`);
    expect(step.fill_in).toContain("consent");
    const known = "customer_email" in body;
    expect(step.fill_in.includes("phone")).toBe(!known);
    const whole = { ...step.sample_request, ...inOwnName({}, known ? [] : ["first_name", "phone", "email"]) };
    const sent = await app.post(step.path, { ...whole, consent: { confirmed_by_user: true }, dry_run: true });
    expect([sent.status, sent.json.warnings]).toEqual([200, undefined]);
  });
});

const WORDS: [names: string[], value: unknown, said: string][] = [
  [["windows", "glass", "which_windows", "area"], "back window only", "back window only"],
  [["windows", "coverage"], ["rear window"], "rear window"],
  [["back_window", "rear_window_only", "rear_only"], "yes", ""],
];

describe.each(WORDS)("%j: %j", (names, value, said) => {
  test.each(names)("%s is asked about in an estimate, open times and a booking", async (name) => {
    const app = testApp();
    const list = Array.isArray(value) ? `${name}[]` : name;
    const answers = [
      await app.post(`${API}/estimates`, { ...CAR, [name]: value }),
      await app.get(`${API}/availability?vehicle_type=suv&${list}=${encodeURIComponent(String(value))}`),
      await app.post(`${API}/bookings`, { ...BOOKING, customer_phone: freshPhone(), [name]: value }),
    ];
    for (const { status, json } of answers) {
      expect([status, json.usage.sample_request.coverage, json.usage.fill_in]).toEqual([400, undefined, ["coverage"]]);
      expect(json.usage.fill_in_hints[0].given).toContain(said);
      expect(json.next_actions[0].sample_request.message).toStartWith(`glass: ${said}`);
    }
  });
});

test("a quote request takes such glass, film that is not listed, and what has no field, in words, and names of glass beside a shade are its shades", async () => {
  const app = fileApp();
  const quote = { ...QUOTE, service_type: "automotive", message: "Call first." };
  const free = { budget: "$500", timeline: "x".repeat(300), details: { urgency: ["high", "now"] }, emial: "a@b.com" };
  const { json } = await app.post(`${API}/quote-request`, { ...quote, glass: "rear window only", ...free });
  expect(json.success).toBe(true);
  const told = Map.groupBy(json.warnings, ({ code }: { code: string; field: string }) => code);
  expect(told.get("UNKNOWN_FIELD")?.map(({ field }) => field)).toEqual(["emial"]);
  expect(told.get("UNDERSTOOD")).toHaveLength(6);
  const { details } = app.db.query<{ details: string }, []>("SELECT details FROM leads").get() ?? {};
  const wishes = [
    "Call first.",
    "budget: $500",
    `timeline: ${free.timeline}`,
    "urgency: high, now",
    "glass: rear window only",
  ];
  expect(JSON.parse(details ?? "{}").message).toBe(wishes.join("\n"));
  const frosted = await app.post(`${API}/quote-request`, { ...QUOTE, film: "frosted" });
  expect([frosted.json.success, frosted.json.warnings.length]).toEqual([true, 2]);
  const { details: wish } =
    app.db.query<{ details: string }, []>("SELECT details FROM leads WHERE details LIKE '%frosted%'").get() ?? {};
  expect(JSON.parse(wish ?? "{}").message).toBe("film: frosted");
  const { json: shaded } = await app.post(`${API}/estimates`, { ...CAR, front_windows: 50, rear_windows: "20%" });
  expect(shaded.data.shade ?? shaded.data.tint_law.checks.map((check: { film_vlt: number }) => check.film_vlt)).toEqual(
    [50, 20, 20],
  );
});

/** Vehicles that the shop has no price for. */
const OTHERS: object[] = [
  { vehicle_type: "motorcycle" },
  { vehicle_type: "motorcycle", vehicle_model: "Gold Wing" },
  { vehicle_model: "Gold Wing motorcycle" },
  { vehicle_make: "Harley-Davidson", vehicle_model: "Sportster" },
  { vehicle_model: "Airstream trailer" },
  { vehicle_type: "bass boat" },
];

describe.each(OTHERS)("%j", (vehicle) => {
  test("is not booked, and leads to a quote request that names it", async () => {
    const app = testApp();
    const { vehicle_type: _, ...booking } = { ...BOOKING, customer_phone: freshPhone() };
    const refused = await app.post(`${API}/bookings`, { ...booking, ...vehicle });
    const priced = await app.post(`${API}/estimates`, { film_type: "ceramic", ...vehicle });
    for (const { status, json } of [refused, priced]) {
      expect([404, 400]).toContain(status);
      expect(json.usage.fill_in).toContain("vehicle_type");
      const [{ action, sample_request: sample, path }] = json.next_actions;
      expect(action).toBe("quote_request");
      expect(sample).toEqual(expect.objectContaining({ ...vehicle, service_type: "automotive" }));
      const body = { ...inOwnName({}, ["first_name", "phone", "email"]), ...sample, dry_run: true };
      const sent = await app.post(path, body);
      expect(sent.status).toBe(200);
    }
    // As it is, the sample is no booking without a price.
    const { dry_run: _dry, ...obeyed } = refused.json.usage.sample_request;
    expect((await app.post(`${API}/bookings`, obeyed)).status).toBe(404);
  });
});

test("a model of the catalog, and a type of the shop's own, are no other vehicles", async () => {
  const app = appWith({ "synonyms.vehicle_types.camper": "van" });
  const { vehicle_type: _, ...booking } = { ...BOOKING, customer_phone: freshPhone(), dry_run: true };
  for (const car of [{ vehicle_type: "camper" }, { vehicle_model: "VW camper" }, { vehicle_model: "Honda Odyssey RV" }])
    expect((await app.post(`${API}/bookings`, { ...booking, ...car })).status).toBe(200);
  const stock = await testApp().post(`${API}/bookings`, { ...booking, vehicle_model: "VW camper" });
  expect(stock.json.error_code).toBe("INVALID_VEHICLE_TYPE");
});

test("a car that was sent as its type is in the quote request, too", async () => {
  const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "2021 Toyota Camry", coverage: "rear" });
  expect(json.next_actions[0].sample_request.vehicle_type).toBe("2021 Toyota Camry");
});

test("a word that alone can mean a coverage, or that has a near one, leads nowhere else", async () => {
  const app = testApp();
  for (const coverage of ["front windows", "ful"]) {
    const { json } = await app.post(`${API}/estimates`, { ...CAR, coverage });
    expect(json.next_actions?.map(({ action }: { action: string }) => action) ?? []).not.toEqual(["quote_request"]);
  }
});

test.each([
  ["full", "the rear window alone"],
  ["brief", "Other glass."],
])("a %s estimate names it, with everything that the shop must know", async (view, words) => {
  const app = testApp();
  const { json } = await app.post(`${API}/estimates`, { ...CAR, view });
  const step = json.next_actions.at(-1);
  expect(step).toMatchObject({ action: "quote_request", description: expect.stringContaining(words) });
  const sent = await app.post(step.path, { ...inOwnName(step.sample_request, step.fill_in), dry_run: true });
  expect([sent.status, sent.json.warnings]).toEqual([200, undefined]);
  const removal = await app.post(`${API}/estimates`, { ...CAR, service: "film_removal", view });
  expect(JSON.stringify(removal.json.next_actions)).not.toContain("quote_request");
});
