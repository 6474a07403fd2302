/** What can only mean one thing is understood, with a warning. Source: contract 1. */
import { expect, test } from "bun:test";
import { API, BOOKING, catalogWith, manyCallers, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();
const post = (path: string, body: unknown) => ({ method: "POST", path, body });
const get = (path: string) => ({ method: "GET", path, body: undefined });
const estimate = (body: object) => post("/estimates", body);
const booking = (changes: object) => post("/bookings", { ...BOOKING, ...changes });
const SUV = { vehicle_type: "suv" };
const PAT = { name: "Pat Example", phone: "+1-404-555-0111", email: "pat@example.com" };
const NAMES = { film_type: "Ceramic IR film", coverage: "Front two windows", addons: ["sunroof film"] };
const HOUSE = { totalSqft: 100, site_type: "Commercial" };
const GLARE = { primary_concern: "glare" };
const NOBODY = { customer_name: undefined, customer_phone: undefined, customer_email: undefined, film_type: undefined };

const glass = (body: object) => post("/flat-glass/estimate", { site_type: "residential", total_sqft: 100, ...body });
const car = (description: string) => ({ vehicle: expect.objectContaining({ description }) });
const checked = (glass_vlt: number) => ({
  tint_law: { checks: expect.arrayContaining([expect.objectContaining({ glass_vlt })]) },
});

type Row = [name: string, request: ReturnType<typeof post>, fields: string[], data: object];

const CLEAR = "Clear windshield protective film";
const DIGITS = { rear_side: "20" };
const glassAlone = (body: object) => post("/flat-glass/estimate", body);

/** Names and words beside those of the reader's own tests, the fields that are warned about, and parts of the data. */
const UNDERSTOOD: Row[] = [
  ["camelCase", estimate({ vehicleType: "suv", vehicleYear: 2024 }), ["vehicleType", "vehicleYear"], car("2024 (SUV)")],
  ["aliases", estimate({ vehicle: "suv", state: "us-fl" }), ["vehicle", "state", "jurisdiction"], {}],
  ["a proper field, too", estimate({ vehicle_type: "truck", vehicle: "Pickup" }), ["vehicle"], car("truck")],
  ["digits in an object", estimate({ ...SUV, factory_glass: DIGITS }), ["factory_glass.rear_side"], checked(20)],
  ["goals in another letter case", glass({ film_goals: ["Glare Reduction"] }), ["film_goals[0]"], GLARE],
  ["a wrapper in a wrapper's words", glassAlone({ arguments: HOUSE }), ["arguments", "site_type"], { total_sqft: 100 }],
  ["names in a query", get("/estimates?vehicle=suv&vehicleYear=2024"), ["vehicle", "vehicleYear"], car("2024 (SUV)")],
  ["fields of a booking", booking({ ...NOBODY, ...PAT }), Object.keys(PAT), { customer: { name: "Pat Example" } }],
  ...["9:00", "09:00:00", "9 AM"].map(
    (time): Row => [`the time ${time}`, booking({ time }), ["time"], { time: "09:00" }],
  ),
  ["inside consent", booking({ consent: { confirmedByUser: true } }), ["consent.confirmedByUser"], {}],
  ["the id of a service as text", estimate({ ...SUV, service: "5" }), ["service"], { service: "film_removal" }],
  ["a synonym of a service", estimate({ ...SUV, service: "Film Removal" }), ["service"], { service: "film_removal" }],
  ["its name", estimate({ ...SUV, service: CLEAR }), ["service"], { service: "clearplex" }],
  ["names", estimate({ ...SUV, ...NAMES }), ["film_type", "coverage", "addons[0]"], { coverage: "front2" }],
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
