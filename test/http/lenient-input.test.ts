/** What can only mean one thing is understood, with a warning. Source: contract 1. */
import { expect, test } from "bun:test";
import { API, BOOKING, catalogWith, manyCallers, QUOTE, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const post = (path: string, body: unknown) => ({ method: "POST", path, body });
const get = (path: string) => ({ method: "GET", path, body: undefined });
const estimate = (body: object) => post("/estimates", body);
const booking = (changes: object) => post("/bookings", { ...BOOKING, ...changes });

/** Requests with a name or a word that is not the proper one, the fields that are warned about, and parts of the data. */
const UNDERSTOOD: [name: string, request: ReturnType<typeof post>, fields: string[], data: object][] = [
  [
    "camelCase",
    estimate({ vehicleType: "suv", vehicleYear: 2024 }),
    ["vehicleType", "vehicleYear"],
    { vehicle: { type: "suv", year: 2024, make: null, model: null, description: "2024 (SUV)" } },
  ],
  [
    "aliases",
    estimate({ vehicle: "suv", film: "Ceramic", state: "FL" }),
    ["vehicle", "film", "state", "film_type", "jurisdiction"],
    { film_type: "ceramic", tint_law: expect.objectContaining({ jurisdiction: "US-FL" }) },
  ],
  [
    "an alias beside the proper field, with the same value",
    estimate({ vehicle_type: "truck", vehicle: "Pickup" }),
    ["vehicle"],
    { vehicle: expect.objectContaining({ type: "truck" }) },
  ],
  [
    "digits inside an object",
    estimate({ vehicle_type: "suv", factory_glass: { rear_side: "20", rear_window: 20 } }),
    ["factory_glass.rear_side"],
    {
      tint_law: expect.objectContaining({
        checks: expect.arrayContaining([expect.objectContaining({ glass_vlt: 20 })]),
      }),
    },
  ],
  [
    "a number of panes",
    post("/flat-glass/estimate", { site_type: "commercial", windows: [{ width_in: 36, height_in: 60, qty: 8 }] }),
    ["windows[0].qty"],
    { total_sqft: 120 },
  ],
  [
    "goals in another letter case, of an estimate",
    post("/flat-glass/estimate", { site_type: "residential", total_sqft: 100, film_goals: ["Glare Reduction", "UV"] }),
    ["film_goals[0]", "film_goals[1]"],
    { primary_concern: "glare" },
  ],
  [
    "goals in another letter case, of a quote request",
    post("/quote-request", { ...QUOTE, film_goals: ["Heat-Reduction"], dry_run: true }),
    ["film_goals[0]"],
    { status: "dry_run" },
  ],
  [
    "a wrapper",
    estimate({ input: { vehicle_type: "suv", shade: 35 } }),
    ["input"],
    { vehicle: expect.objectContaining({ type: "suv" }) },
  ],
  [
    "a wrapper in a wrapper's words",
    post("/flat-glass/estimate", { arguments: { totalSqft: 100, site_type: "Commercial" } }),
    ["arguments", "site_type"],
    { total_sqft: 100 },
  ],
  [
    "a group of the answer's shape",
    estimate({ vehicle: { type: "SUV", year: 2024, make: "Toyota" } }),
    ["vehicle", "vehicle_type"],
    { vehicle: expect.objectContaining({ type: "suv", year: 2024, make: "Toyota" }) },
  ],
  [
    "letter case, space and hyphen",
    estimate({
      vehicle_type: " SUV ",
      coverage: "Front2",
      addons: ["Windshield Strip"],
    }),
    ["vehicle_type", "coverage", "addons[0]"],
    { coverage: "front2" },
  ],
  [
    "a synonym",
    estimate({ vehicle_type: "Extended Cab" }),
    ["vehicle_type"],
    { vehicle: expect.objectContaining({ type: "truck" }) },
  ],
  [
    "a synonym of a service",
    estimate({ vehicle_type: "van", service: "Film Removal" }),
    ["service"],
    { service: "film_removal" },
  ],
  [
    "a synonym of a concern",
    post("/flat-glass/estimate", { total_sqft: 100, site_type: "commercial", primary_concern: "safety" }),
    ["primary_concern"],
    { primary_concern: "security" },
  ],
  [
    "US-fl",
    estimate({ vehicle_type: "suv", jurisdiction: "us-fl" }),
    ["jurisdiction"],
    { tint_law: expect.objectContaining({ jurisdiction: "US-FL" }) },
  ],
  [
    "Florida",
    estimate({ vehicle_type: "suv", state: "Florida" }),
    ["state", "jurisdiction"],
    { tint_law: expect.objectContaining({ jurisdiction: "US-FL" }) },
  ],
  [
    "New York",
    estimate({ vehicle_type: "suv", state: "new york" }),
    ["state", "jurisdiction"],
    { tint_law: expect.objectContaining({ jurisdiction: "US-NY" }) },
  ],
  [
    "names in a query",
    get("/estimates?vehicleType=SUV&vehicleYear=2024&film=Ceramic"),
    ["vehicleType", "vehicleYear", "film", "vehicle_type", "film_type"],
    { film_type: "ceramic", vehicle: expect.objectContaining({ year: 2024 }) },
  ],
  ["words in a query", get("/availability?vehicle=Pickup&days=2"), ["vehicle", "vehicle_type"], {}],
  [
    "fields of a booking",
    booking({
      customer_name: undefined,
      customer_phone: undefined,
      customer_email: undefined,
      name: "Pat Example",
      phone: "+1-404-555-0111",
      email: "pat@example.com",
      service: "film_removal",
      film_type: undefined,
    }),
    ["name", "phone", "email", "service"],
    { service: "film_removal", customer: { name: "Pat Example" } },
  ],
  [
    "a customer as a group",
    booking({
      customer_name: undefined,
      customer_phone: undefined,
      customer_email: undefined,
      customer: { name: "Pat Example", phone: "+1-404-555-0111", email: "pat@example.com" },
    }),
    ["customer"],
    { customer: { name: "Pat Example" } },
  ],
  ...["9:00", "09:00:00", "9am", "9 AM", "9:00 a.m."].map((time): (typeof UNDERSTOOD)[number] => [
    `the time ${time}`,
    booking({ time }),
    ["time"],
    { time: "09:00" },
  ]),
  ["an afternoon", booking({ time: "1:00 PM" }), ["time"], { time: "13:00" }],
  ["inside consent", booking({ consent: { confirmedByUser: true } }), ["consent.confirmedByUser"], {}],
  ...["car_type", "vehicle_class", "vehicleClass"].map((name): (typeof UNDERSTOOD)[number] => [
    name,
    estimate({ [name]: "suv" }),
    [name],
    { vehicle: expect.objectContaining({ type: "suv" }) },
  ]),
  ...["tint", "darkness", "vlt"].map((name): (typeof UNDERSTOOD)[number] => [
    `${name} for shade`,
    estimate({ vehicle_type: "suv", [name]: 35 }),
    [name],
    { tint_law: expect.objectContaining({ status: expect.not.stringMatching("not_checked") }) },
  ]),
  [
    "make, model and year",
    estimate({ vehicle_type: "suv", make: "Toyota", model: "Highlander", year: "2021" }),
    ["make", "model", "year", "vehicle_year"],
    { vehicle: expect.objectContaining({ description: "2021 Toyota Highlander (SUV)" }) },
  ],
  ...["phone_number", "telephone", "mobile"].map((name): (typeof UNDERSTOOD)[number] => [
    `full_name, ${name} and email_address of a booking`,
    booking({
      customer_name: undefined,
      customer_phone: undefined,
      customer_email: undefined,
      full_name: "Pat Example",
      [name]: "+1-404-555-0111",
      email_address: "pat@example.com",
    }),
    ["full_name", name, "email_address"],
    { customer: { name: "Pat Example" } },
  ]),
  [
    "full_name, mobile and email_address of a quote request",
    post("/quote-request", {
      service_type: "commercial",
      full_name: "Pat",
      mobile: "+1-404-555-0111",
      email_address: "pat@example.com",
      dry_run: true,
    }),
    ["full_name", "mobile", "email_address"],
    { status: "dry_run" },
  ],
  [
    "digits in a text",
    post("/flat-glass/estimate", { total_sqft: 100, site_type: "commercial", floors: "3" }),
    ["floors"],
    {},
  ],
  [
    "digits in a row of windows",
    post("/flat-glass/estimate", {
      site_type: "commercial",
      windows: [{ width_in: 36, height_in: 60, quantity: "8" }],
    }),
    ["windows[0].quantity"],
    { total_sqft: 120 },
  ],
  ["the id of a service", estimate({ vehicle_type: "suv", service: 5 }), ["service"], { service: "film_removal" }],
  [
    "the id of a service as text",
    estimate({ vehicle_type: "suv", service: "5" }),
    ["service"],
    { service: "film_removal" },
  ],
  [
    "the id of a booked service",
    booking({ service_type: 5, film_type: undefined }),
    ["service_type"],
    { service: "film_removal" },
  ],
  [
    "the name of a service",
    estimate({ vehicle_type: "suv", service: "Clear windshield protective film" }),
    ["service"],
    { service: "clearplex" },
  ],
  [
    "the names of a film, a coverage and an add-on",
    estimate({
      vehicle_type: "suv",
      film_type: "Ceramic IR film",
      coverage: "Front two windows",
      addons: ["sunroof film"],
    }),
    ["film_type", "coverage", "addons[0]"],
    { film_type: "ceramic", coverage: "front2" },
  ],
  ["a time of a query", get("/availability?after=1pm"), ["after"], {}],
  [
    "a building",
    post("/quote-request", { ...QUOTE, building_type: "Office", firstName: "Pat" }),
    ["firstName", "building_type"],
    {},
  ],
];

for (const [name, { method, path, body }, fields, data] of UNDERSTOOD) {
  test(`understood: ${name}`, async () => {
    // What books, books in an app of its own.
    const app = path === "/bookings" ? testApp() : APP;
    const { status, json } = await app.send(method, API + path, { body });
    expect(json).toMatchObject({ success: true });
    expect(status).toBeLessThan(300);
    expect(json.data).toMatchObject(data);
    const ofReading = json.warnings.filter(({ code }: { code: string }) => code !== "LAW_BORDERLINE");
    expect(ofReading).toEqual(fields.map((field) => ({ code: "UNDERSTOOD", field, message: expect.any(String) })));
  });
}

test("a warning names the proper form", async () => {
  const { json } = await APP.post(`${API}/estimates`, { vehicle: "pickup", year: "2021" });
  expect(json.warnings.map(({ message }: { message: string }) => message)).toEqual([
    "vehicle is understood as vehicle_type: send it under that name.",
    "year is understood as vehicle_year: send it under that name.",
    'vehicle_type "pickup" is understood as truck: send truck.',
    'vehicle_year "2021" is understood as the number 2021: send the number 2021.',
  ]);
});

const CONFLICTS: [request: ReturnType<typeof post>, names: string[]][] = [
  [estimate({ vehicle_type: "suv", film: "ceramic", film_type: "standard" }), ["film", "film_type"]],
  [estimate({ vehicle_type: "suv", vehicleType: "sedan" }), ["vehicle_type", "vehicleType"]],
  [estimate({ vehicle_type: "suv", input: { vehicle_type: "sedan" } }), ["vehicle_type", "input.vehicle_type"]],
  [booking({ name: "Sam Other" }), ["customer_name", "name"]],
  [booking({ service: "clearplex", service_type: "automotive" }), ["service", "service_type"]],
  [get("/estimates?vehicle_type=suv&vehicle=van"), ["vehicle_type", "vehicle"]],
];

for (const [{ method, path, body }, names] of CONFLICTS) {
  test(`${names.join(" and ")} with different values are refused`, async () => {
    const { status, json } = await APP.send(method, API + path, { body });
    expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    for (const name of names) expect(json.invalid_fields.map(({ field }: { field: string }) => field)).toContain(name);
  });
}

/** A booking is never understood as something else than meant. */
const REFUSED: [changes: object, fields: string[]][] = [
  [{ quantity: 2 }, ["quantity"]],
  [{ date: "11/27/2026" }, ["date"]],
  [{ date: "tomorrow" }, ["date"]],
  [{ time: "9" }, ["time"]],
  [{ time: "13pm" }, ["time"]],
  [{ time: "09:00:30" }, ["time"]],
  [{ service: "detailing" }, ["service_type"]],
  [{ input: { colour: "black" } }, ["colour"]],
  [{ extras: { colour: "black" } }, ["extras"]],
];

for (const [changes, fields] of REFUSED) {
  test(`a booking with ${JSON.stringify(changes)} is refused`, async () => {
    const { status, json } = await APP.post(`${API}/bookings`, { ...BOOKING, ...changes });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(json.invalid_fields.map(({ field }: { field: string }) => field)).toEqual(fields);
  });
}

test("the proper form is judged as before, without a warning", async () => {
  const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "suv", film_type: "ceramic" });
  expect(json.warnings).toBeUndefined();
});

test("a synonym that leads nowhere, or is a word itself, is a fault of the catalog", () => {
  const broken = (edits: Record<string, unknown>) => () => catalogWith(edits);
  expect(broken({ "synonyms.vehicle_types.lorry": "trukc" })).toThrow(/synonyms\.vehicle_types\.lorry.*truck/s);
  expect(broken({ "synonyms.vehicle_types.sedan": "coupe" })).toThrow(/sedan is a vehicle type itself/);
  expect(broken({ "synonyms.concerns.warmth": "warm" })).toThrow(/synonyms\.concerns\.warmth/);
  expect(catalogWith({ synonyms: {} }).synonyms.vehicle_types).toEqual({});
});

test("near words get did_you_mean, whatever else had to be understood, and a sentence says it once", async () => {
  const app = testApp();
  for (const [field, sent, meant] of [
    ["vehicle_type", "sedinn", "sedan"],
    ["vehicle_type", "Honda CR-V", "crossover"],
    ["film_type", "cerramc", "ceramic"],
    ["addons", ["sunruf"], "sunroof"],
  ] as const) {
    // The name of the service is understood, too, and the request is then read again.
    const asked = { vehicle_type: "suv", service: "Automotive window tinting", [field]: sent };
    const { json } = await app.post(`${API}/estimates`, asked);
    expect([field, json.invalid_fields[0].did_you_mean]).toEqual([field, meant]);
    expect(json.message.split("did you mean")).toHaveLength(2);
  }
});
