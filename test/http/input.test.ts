/** The forms of input: strict JSON, query strings, unknown fields, lengths. */
import { describe, expect, test } from "bun:test";
import { type Answer, API, BOOKING, catalogWith, manyCallers, QUOTE, testApp, withoutFreshIds } from "../helpers.ts";

const APP = manyCallers();
const SUV = { vehicle_type: "suv" };
const estimate = (body: object) => APP.post(`${API}/estimates`, body);
const fields = ({ json }: Answer) => (json.invalid_fields ?? []).map(({ field }: { field: string }) => field);
const warned = ({ json }: Answer) => (json.warnings ?? []).map(({ field }: { field: string }) => field);

describe("strict JSON", () => {
  const WRONG: [string, object, string][] = [
    ["/estimates", { ...SUV, vehicle_year: "2024a" }, "vehicle_year"],
    ["/estimates", { ...SUV, vehicle_year: 2024.5 }, "vehicle_year"],
    ["/estimates", { ...SUV, vehicle_year: true }, "vehicle_year"],
    ["/estimates", { ...SUV, vehicle_year: 2101 }, "vehicle_year"],
    ["/estimates", { ...SUV, vehicle_make: true }, "vehicle_make"],
    ["/estimates", { ...SUV, addons: ["sunroof", "spoiler"] }, "addons[1]"],
    ["/estimates", { ...SUV, addons: { 0: "sunroof" } }, "addons"],
    ["/estimates", { vehicle_type: ["suv", "van"] }, "vehicle_type"],
    ["/estimates", { vehicle_type: [["suv"]] }, "vehicle_type"],
    ["/estimates", { vehicle_type: 5 }, "vehicle_type"],
    ["/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", needs_ladder: "maybe" }, "needs_ladder"],
    ["/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", needs_ladder: 2 }, "needs_ladder"],
    ["/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", floors: 0 }, "floors"],
    ["/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", blocked_windows: -1 }, "blocked_windows"],
    ["/quote-request", { ...QUOTE, film_goals: true }, "film_goals"],
    ["/quote-request", { ...QUOTE, building_type: "castle" }, "building_type"],
    ["/quote-request", { ...QUOTE, square_footage: "25O" }, "square_footage"],
    ["/bookings", { ...BOOKING, date: 11242026 }, "date"],
    ["/bookings", { ...BOOKING, time: "9" }, "time"],
    ["/bookings", { ...BOOKING, customer_name: { first: "Pat" } }, "customer_name"],
  ];
  for (const [path, body, field] of WRONG) {
    test(`${path}: ${field} of ${JSON.stringify(body).slice(0, 80)}`, async () => {
      const answer = await APP.post(API + path, body);
      expect([answer.status, answer.json.error_code, fields(answer)]).toEqual([400, "BAD_REQUEST", [field]]);
    });
  }

  test("a body is read as JSON whatever its Content-Type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]) {
      const { status } = await APP.post(`${API}/estimates`, SUV, { headers: type ? { "Content-Type": type } : {} });
      expect([type, status]).toEqual([type, 200]);
    }
  });
});

describe("query strings", () => {
  const BAD: [string, string][] = [
    ["/availability?service=1&service=5", "service"],
    ["/availability?date=2026-11-24&date=2026-11-25", "date"],
    ["/availability?days=3&days=3", "days"],
    ["/estimates?vehicle_type=suv&vehicle_year=2024.5", "vehicle_year"],
    ["/estimates?vehicle_type=suv&vehicle_year=0x7E8", "vehicle_year"],
    ["/estimates?vehicle_type=suv&vehicle_type=van", "vehicle_type"],
    ["/estimates?vehicle_type=suv&vehicle_make=A&vehicle_make=B", "vehicle_make"],
    ["/estimates?vehicle_type=suv&addons=spoiler", "addons[0]"],
    ["/faq?category=general&category=general", "category"],
    ["/faq?category=%5B%22general%22%5D", "category"],
    ["/availability?date=%ff", "date"],
  ];
  for (const [path, field] of BAD) {
    test(`${path} is refused`, async () => {
      const answer = await APP.get(API + path);
      expect([answer.status, answer.json.error_code, fields(answer)]).toEqual([400, "BAD_REQUEST", [field]]);
    });
  }

  test("lists are repeated or separated by commas", async () => {
    const app = testApp();
    const expected = (await app.post(`${API}/estimates`, { ...SUV, addons: ["sunroof", "nofault"] })).text;
    for (const query of ["addons=sunroof&addons=nofault", "addons=sunroof,nofault", "addons=sunroof%2C%20nofault"]) {
      const { text } = await app.get(`${API}/estimates?vehicle_type=suv&${query}`);
      expect(withoutFreshIds(text)).toBe(withoutFreshIds(expected));
    }
  });

  test("inherited property names are treated like other names", async () => {
    const answer = await APP.get(`${API}/availability?__proto__=1&constructor=2&toString=3&days=1`);
    expect(answer.status).toBe(200);
    expect(warned(answer)).toEqual(["__proto__", "constructor", "toString"]);
  });
});

describe("unknown fields", () => {
  test("are ignored with a warning that suggests the field that was meant", async () => {
    const { status, json } = await estimate({ ...SUV, filmtype: "ceramic", favourite_colour: "red" });
    expect(status).toBe(200);
    expect(json.data.film_type).toBe("standard");
    expect(json.warnings).toMatchObject([
      { code: "UNKNOWN_FIELD", field: "filmtype", did_you_mean: "film_type" },
      { code: "UNKNOWN_FIELD", field: "favourite_colour" },
    ]);
    expect(json.warnings[1]).not.toHaveProperty("did_you_mean");
  });

  test("are found in a query, and on endpoints without fields", async () => {
    expect(warned(await APP.get(`${API}/services?utm_source=x`))).toEqual(["utm_source"]);
    expect((await APP.get(`${API}/availability?day=3`)).json.warnings).toMatchObject([{ did_you_mean: "days" }]);
  });

  test("are found inside nested objects", async () => {
    const body = { ...QUOTE, consent: { confirmed_by_user: true, statment: "Yes" }, property_info: { anything: 1 } };
    const answer = await testApp().post(`${API}/quote-request`, body);
    expect(answer.status).toBe(200);
    expect(answer.json.warnings).toMatchObject([{ field: "consent.statment", did_you_mean: "statement" }]);
  });

  test("thousands of them give a short answer", async () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`x${i}`, 1]));
    const { status, text } = await estimate({ ...SUV, ...many });
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe("lengths", () => {
  const email = (length: number) =>
    `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(length - 186)}.ee`;
  const LENGTHS: [string, object, string, number, (length: number) => string][] = [
    ["/quote-request", QUOTE, "first_name", 100, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "last_name", 100, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "company_name", 100, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "address", 300, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "message", 2000, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "phone", 40, (n) => `+1 (404) 555-0112${" ".repeat(n - 33)}, extension 1234`],
    ["/estimates", SUV, "vehicle_make", 100, (n) => "n".repeat(n)],
    ["/estimates", SUV, "vehicle_model", 100, (n) => "n".repeat(n)],
    ["/bookings", BOOKING, "customer_name", 100, (n) => "n".repeat(n)],
    ["/bookings", BOOKING, "special_requests", 2000, (n) => "n".repeat(n)],
    ["/bookings", BOOKING, "booking_request_id", 255, (n) => "n".repeat(n)],
    ["/register", { email: "pat@example.com" }, "name", 100, (n) => "n".repeat(n)],
    ["/register", { name: "Pat", email: "pat@example.com" }, "use_case", 2000, (n) => "n".repeat(n)],
    ["/register", { name: "Pat" }, "email", 254, email],
  ];
  for (const [path, body, field, limit, text] of LENGTHS) {
    test(`${field} of ${path}: ${limit} characters`, async () => {
      expect(text(limit)).toHaveLength(limit);
      const fits = await testApp().post(API + path, { ...body, [field]: text(limit) });
      expect([fits.status, fields(fits)]).toEqual([path === "/bookings" || path === "/register" ? 201 : 200, []]);
      const over = await APP.post(API + path, { ...body, [field]: text(limit + 1) });
      expect([over.status, fields(over)]).toEqual([400, [field]]);
    });
  }

  test("a character counts once, whatever its number of code units", async () => {
    const fits = await testApp().post(`${API}/bookings`, { ...BOOKING, customer_name: "𠮷".repeat(100) });
    expect(fits.status).toBe(201);
    const over = await APP.post(`${API}/bookings`, { ...BOOKING, customer_name: "𠮷".repeat(101) });
    expect(over.status).toBe(400);
  });

  test("the Idempotency-Key has the limit of booking_request_id", async () => {
    const send = (length: number) =>
      testApp().post(`${API}/bookings`, BOOKING, { headers: { "Idempotency-Key": "k".repeat(length) } });
    expect((await send(255)).json.data?.booking_request_id).toHaveLength(255);
    expect((await send(256)).status).toBe(400);
  });
});

test("a fragment in the request target is dropped", async () => {
  const { status, json } = await APP.get(`${API}/faq#x`);
  expect(status).toBe(200);
  expect(json.success).toBe(true);
});

test.each([
  ['{"vehicle_type":"suv","film_type":"ceramic","vehicle_type":"van"}', "vehicle_type", { film_type: "ceramic" }],
  ['{"vehicle_type" : "suv","shade":{"front_side":50,"front_side":35}}', "shade.front_side", { vehicle_type: "suv" }],
  ['{"vehicle_type":"suv","\\u0076ehicle_type":"van"}', "vehicle_type", {}],
])("of a field that is in the body twice neither value is taken: %s", async (body, field, rest) => {
  const { status, json } = await APP.post(`${API}/estimates`, body);
  expect([status, json.invalid_fields]).toEqual([400, [{ field, message: "is in the body twice" }]]);
  expect([json.usage.sample_request, json.usage.fill_in]).toEqual([rest, [field.split(".")[0]]]);
});

test.each([
  '{"vehicle_type" : "suv","vehicle_model":"a \\":\\" b"}',
  '{"vehicle_type":"suv","a":{"x":1},"b":[{"x":2}]}',
])("the same name elsewhere is no second time: %s", async (body) =>
  expect((await APP.post(`${API}/estimates`, body)).status).toBe(200),
);

test("fields in the query of a POST are named as ignored", async () => {
  const { status, json } = await APP.post(`${API}/estimates?foo=1&vehicle_year=2020`, { vehicle_type: "van" });
  expect([status, json.data.vehicle.year]).toEqual([200, null]);
  expect(json.warnings.map(({ code, field }: { code: string; field: string }) => [code, field])).toEqual([
    ["UNKNOWN_FIELD", "foo"],
    ["UNKNOWN_FIELD", "vehicle_year"],
  ]);
  const refused = await APP.post(`${API}/estimates?vehicle_type=van`, { film_type: "ceramic" });
  expect(refused.json).toMatchObject({ missing_fields: ["vehicle_type"], warnings: [{ field: "vehicle_type" }] });
});

test.each([
  ["x".repeat(200), "x".repeat(200)],
  ["x".repeat(201), "x".repeat(200)],
  ["a\nb\u2028c", "a�b�c"],
])("a warning names an unknown field in one line of at most 200 characters: %j", async (name, shown) => {
  const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "van", [name]: 1 });
  expect(json.warnings).toEqual([
    { code: "UNKNOWN_FIELD", field: shown, message: `${shown} is not a field of this request and was ignored.` },
  ]);
});

test("unknown fields are named inside objects too, where a field takes an object among others", async () => {
  const shade = { front_side: 35, rear_sid: 20 };
  const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "van", shade });
  expect(json.warnings).toMatchObject([
    { field: "shade.rear_sid", did_you_mean: "rear_side" },
    { code: "LAW_BORDERLINE", field: "shade" },
  ]);
});

test("a query without fields counts as no query", async () => {
  const { json } = await APP.get(`${API}/estimates?&`);
  expect(json.data.matrix.length).toBeGreaterThan(0);
});

test.each([
  "bob&co@example.com",
  "a/b@example.com",
  "o'neil@example.co.uk",
  "a@example.xn--p1ai",
  "first.last+tag@sub.example.com",
])("%s is an e-mail address", async (email) => {
  expect((await APP.post(`${API}/register`, { name: "Pat", email, dry_run: true })).status).toBe(200);
});

test.each(["a", "a@b", "a..b@example.com", ".a@example.com", "a@-b.com", "a@b-.com", "a@1.2.3.4", "<a@example.com"])(
  "%s is no e-mail address",
  async (email) => {
    const { status, json } = await APP.post(`${API}/register`, { name: "Pat", email });
    expect([status, json.invalid_fields[0].field]).toEqual([400, "email"]);
  },
);

const post = (path: string, body: unknown) => ({ method: "POST", path, body });
const get = (path: string) => ({ method: "GET", path, body: undefined });
const priced = (body: object) => post("/estimates", body);
const booking = (changes: object) => post("/bookings", { ...BOOKING, ...changes });
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
  ["camelCase", priced({ vehicleType: "suv", vehicleYear: 2024 }), ["vehicleType", "vehicleYear"], car("2024 (SUV)")],
  ["aliases", priced({ vehicle: "suv", state: "us-fl" }), ["vehicle", "state", "jurisdiction"], {}],
  ["a proper field, too", priced({ vehicle_type: "truck", vehicle: "Pickup" }), ["vehicle"], car("truck")],
  ["digits in an object", priced({ ...SUV, factory_glass: DIGITS }), ["factory_glass.rear_side"], checked(20)],
  ["goals in another letter case", glass({ film_goals: ["Glare Reduction"] }), ["film_goals[0]"], GLARE],
  ["a wrapper in a wrapper's words", glassAlone({ arguments: HOUSE }), ["arguments", "site_type"], { total_sqft: 100 }],
  ["names in a query", get("/estimates?vehicle=suv&vehicleYear=2024"), ["vehicle", "vehicleYear"], car("2024 (SUV)")],
  ["fields of a booking", booking({ ...NOBODY, ...PAT }), Object.keys(PAT), { customer: { name: "Pat Example" } }],
  ...["9:00", "09:00:00", "9 AM"].map(
    (time): Row => [`the time ${time}`, booking({ time }), ["time"], { time: "09:00" }],
  ),
  ["inside consent", booking({ consent: { confirmedByUser: true } }), ["consent.confirmedByUser"], {}],
  ["the id of a service as text", priced({ ...SUV, service: "5" }), ["service"], { service: "film_removal" }],
  ["a synonym of a service", priced({ ...SUV, service: "Film Removal" }), ["service"], { service: "film_removal" }],
  ["its name", priced({ ...SUV, service: CLEAR }), ["service"], { service: "clearplex" }],
  ["names", priced({ ...SUV, ...NAMES }), ["film_type", "coverage", "addons[0]"], { coverage: "front2" }],
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
  [priced({ vehicle_type: "suv", film: "ceramic", film_type: "standard" }), ["film", "film_type"]],
  [priced({ vehicle_type: "suv", vehicleType: "sedan" }), ["vehicle_type", "vehicleType"]],
  [priced({ vehicle_type: "suv", input: { vehicle_type: "sedan" } }), ["vehicle_type", "input.vehicle_type"]],
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
