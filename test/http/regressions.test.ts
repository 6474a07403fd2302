/** Odd requests that once went wrong. */
import { expect, test } from "bun:test";
import { LIMITS, normalise } from "../../src/schema/fields.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { API, BOOKING, CATALOG, catalogWith, freshPhone, inOwnName, QUOTE, testApp } from "../helpers.ts";

test("an area is rounded as the decimal it was written as", async () => {
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, { total_sqft: 8.745, site_type: "commercial" });
  // 8.745 rounds to 8.75 square feet; as a product of floats it would round to 8.74.
  expect(json.data.options.map(({ total }: { total: number }) => total)).toEqual([140, 146.56, 153.13]);
});

test("a removal line is a range however small the area", async () => {
  const body = { total_sqft: 10, site_type: "commercial", existing_film_sqft: 0.001 };
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, body);
  const removal = json.data.options[0].line_items.find(({ code }: { code: string }) => code === "removal");
  expect(removal).toMatchObject({ amount_min: 0, amount_max: 0, unit_price_min: 2, unit_price_max: 4 });
});

test("a fragment in the request target is dropped", async () => {
  const { status, json } = await testApp().get(`${API}/faq#x`);
  expect(status).toBe(200);
  expect(json.success).toBe(true);
});

test("a service id of any size is a service that does not exist", async () => {
  const { status, json } = await testApp().get(`${API}/availability?service=10000`);
  expect([status, json.error_code]).toEqual([404, "SERVICE_NOT_FOUND"]);
});

test("an empty key header counts as no key", async () => {
  const { status } = await testApp().get(`${API}/faq`, { headers: { "X-API-Key": "" } });
  expect(status).toBe(200);
});

test("an impossibly long run of combining marks is not normalised, which would take minutes", () => {
  const text = `a${"\u0315\u0300".repeat(LIMITS.body)}`;
  expect(normalise({ x: text })).toEqual({ x: text });
  expect(normalise("e\u0301")).toBe("é");
});

test("the booking an estimate proposes is still open when the first slot is not", async () => {
  const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
  const propose = async () => {
    const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv" });
    const { sample_request, fill_in } = json.next_actions.find(
      ({ action }: { action: string }) => action === "book_appointment",
    );
    const { date, time } = sample_request;
    return { ...inOwnName(sample_request, fill_in), date, time, customer_phone: freshPhone() };
  };
  const first = await propose();
  expect((await app.post(`${API}/bookings`, first)).status).toBe(201);
  const second = await propose();
  expect([second.date, second.time]).not.toEqual([first.date, first.time]);
  expect((await app.post(`${API}/bookings`, second, { from: "192.0.2.2" })).status).toBe(201);
});

test("a request that another process booked after our look is answered with that booking", async () => {
  const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
  const body = { ...BOOKING, booking_request_id: "twice" };
  const first = await app.post(`${API}/bookings`, body);
  // The other process's booking becomes visible only after the first look.
  let looks = 0;
  const late = {
    ...app.store,
    findEarlier: async (scope: string, id: string) => (looks++ === 0 ? null : app.store.findEarlier(scope, id)),
  };
  const other = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }), store: late });
  const second = await other.post(`${API}/bookings`, body);
  expect([second.status, second.json.data.confirmation_code]).toEqual([201, first.json.data.confirmation_code]);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
});

const FILM_REMOVAL = CATALOG.services.findIndex(({ key }) => key === "film_removal");

test.each([
  [
    "a service that is no longer booked online",
    { service_type: "film_removal" },
    { [`services.${FILM_REMOVAL}.bookable`]: false },
  ],
  ["consent that is asked for since", {}, { "bookings.require_consent": true }],
])("a booking is replayed although the catalog has changed: %s", async (_, fields, edits) => {
  const app = testApp();
  const body = { ...BOOKING, ...fields, booking_request_id: "again" };
  const first = await app.post(`${API}/bookings`, body);
  expect(first.status).toBe(201);
  app.setCatalog(catalogWith(edits));
  const again = await app.post(`${API}/bookings`, body);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  expect(again.json.data).toEqual(first.json.data);
  // Another body with that id is checked like a new request.
  const other = await app.post(`${API}/bookings`, { ...body, customer_name: "Someone Else" });
  expect(other.status).toBeOneOf([400, 404]);
});

test("every answer to a booking shows the quota of bookings, where that is the tightest", async () => {
  const app = testApp();
  const shown = (answer: { headers: Headers }) => [
    answer.headers.get("x-ratelimit-limit"),
    answer.headers.get("x-ratelimit-remaining"),
  ];
  const body = { ...BOOKING, booking_request_id: "first" };
  // The phone number's quota of two a day is tighter, but nobody is told what somebody else has booked.
  expect(shown(await app.post(`${API}/bookings`, body))).toEqual(["3", "2"]);
  expect(shown(await app.post(`${API}/bookings`, body))).toEqual(["3", "2"]);
  const conflict = await app.post(`${API}/bookings`, { ...body, customer_name: "Other" });
  expect([conflict.status, ...shown(conflict)]).toEqual([409, "3", "2"]);
  const blocked = await app.post(`${API}/bookings`, { ...BOOKING, date: "2026-11-22" });
  expect([blocked.status, ...shown(blocked)]).toEqual([409, "3", "2"]);
});

test("a job that is too long for the day gets that reason, and the days on which it fits", async () => {
  const app = testApp();
  // The shop closes at 13:00 on Christmas Eve. Without a vehicle the longest job is assumed.
  const { vehicle_type: _, ...unknown } = { ...BOOKING, vehicle_type: "", date: "2026-12-24", time: "09:00" };
  const { status, json } = await app.post(`${API}/bookings`, unknown);
  expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
  expect(json.invalid_fields[0]).toMatchObject({ field: "time", allowed: [] });
  expect(json.message).toContain("takes 4 h 30 min, and the shop is open for 4 h");
  expect(json.alternatives).toHaveLength(3);
  const [{ date, time }] = json.alternatives;
  expect((await app.post(`${API}/bookings`, { ...unknown, date, time })).status).toBe(201);
});

test("fields in the query of a POST are named as ignored", async () => {
  const { status, json } = await testApp().post(`${API}/estimates?foo=1&vehicle_year=2020`, { vehicle_type: "van" });
  expect([status, json.data.vehicle.year]).toEqual([200, null]);
  expect(json.warnings.map(({ code, field }: { code: string; field: string }) => [code, field])).toEqual([
    ["UNKNOWN_FIELD", "foo"],
    ["UNKNOWN_FIELD", "vehicle_year"],
  ]);
});

test.each([
  ["x".repeat(200), "x".repeat(200)],
  ["x".repeat(201), "x".repeat(200)],
  ["a\nb\u2028c", "a�b�c"],
])("a warning names an unknown field in one line of at most 200 characters: %j", async (name, shown) => {
  const { json } = await testApp().post(`${API}/estimates`, { vehicle_type: "van", [name]: 1 });
  expect(json.warnings).toEqual([
    { code: "UNKNOWN_FIELD", field: shown, message: `${shown} is not a field of this request and was ignored.` },
  ]);
});

test("unknown fields are named inside objects too, where a field takes an object among others", async () => {
  const shade = { front_side: 35, rear_sid: 20 };
  const { json } = await testApp().post(`${API}/estimates`, { vehicle_type: "van", shade });
  expect(json.warnings).toMatchObject([{ field: "shade.rear_sid", did_you_mean: "rear_side" }]);
});

test("the shop's longest word for a shade can be asked for, in any case", async () => {
  const word = "as dark as the night";
  const app = testApp({ catalog: catalogWith({ [`automotive.shade_words.${word}`]: 5 }) });
  const estimate = (shade: string) => app.post(`${API}/estimates`, { vehicle_type: "van", shade });
  const { json } = await estimate(word.toUpperCase());
  expect(json.data.tint_law.checks[0].film_vlt).toBe(5);
  expect((await estimate(`${word}s`)).json.invalid_fields).toMatchObject([{ field: "shade" }]);
});

test("a query without fields counts as no query", async () => {
  const { json } = await testApp().get(`${API}/estimates?&`);
  expect(json.data.matrix.length).toBeGreaterThan(0);
});

test.each([
  "bob&co@example.com",
  "a/b@example.com",
  "o'neil@example.co.uk",
  "a@example.xn--p1ai",
  "first.last+tag@sub.example.com",
])("%s is an e-mail address", async (email) => {
  expect((await testApp().post(`${API}/register`, { name: "Pat", email })).status).toBe(201);
});

test.each(["a", "a@b", "a..b@example.com", ".a@example.com", "a@-b.com", "a@b-.com", "a@1.2.3.4", "<a@example.com>"])(
  "%s is no e-mail address",
  async (email) => {
    const { status, json } = await testApp().post(`${API}/register`, { name: "Pat", email });
    expect([status, json.invalid_fields[0].field]).toEqual([400, "email"]);
  },
);

test("an API key sent twice is one key, two different ones are refused, and one in the wrong form is not overlooked", async () => {
  const app = testApp();
  const register = async (email: string) =>
    (await app.post(`${API}/register`, { name: "Pat", email })).json.data.api_key as string;
  const KEYED = String(CATALOG.rate_limits.api_key_per_minute);
  const [one, two] = [await register("one@example.com"), await register("two@example.com")];
  const ask = async (headers: Record<string, string>) => {
    const { status, headers: answered } = await app.get(`${API}/faq`, { headers });
    return [status, answered.get("x-ratelimit-limit")];
  };
  expect(await ask({ "X-API-Key": `${one}, ${one}` })).toEqual([200, KEYED]);
  expect(await ask({ Authorization: `Bearer ${one}, Bearer ${one}`, "X-API-Key": one })).toEqual([200, KEYED]);
  expect(await ask({ Authorization: `Bearer ${one}, Bearer ${two}` })).toEqual([400, "60"]);
  expect(await ask({ "X-API-Key": `${one}, ${two}` })).toEqual([400, "60"]);
  for (const authorization of [one, `Token ${one}`]) {
    expect(await ask({ Authorization: authorization })).toEqual([401, "60"]);
  }
  // A password for the web host does not count as a key.
  expect(await ask({ Authorization: "Basic dGludDpkZXNr" })).toEqual([200, "60"]);
});

test.each([
  ["/quote-request", QUOTE],
  ["/register", { name: "Pat", email: "pat@example.com" }],
])("while the store cannot write, %s says that it stored nothing, and when to come again", async (path, body) => {
  const { store } = testApp();
  const refuse = () => Promise.reject(new StoreUnavailable("busy"));
  const app = testApp({ store: { ...store, addLead: refuse, addKey: refuse } });
  const { status, headers, json } = await app.post(API + path, body);
  expect([status, json.error_code, json.message]).toEqual([
    503,
    "INTERNAL_ERROR",
    "The shop's records cannot be reached just now. This request stored nothing.",
  ]);
  expect([headers.get("retry-after"), json.retry_after_seconds]).toEqual(["5", 5]);
});

test("results that depend on the catalog alone are worked out once, not for every request", async () => {
  const reads = { networks: 0, classes: 0 };
  const catalog = catalogWith({ "access.blocked_networks": ["198.51.100.0/24"] });
  const counted = {
    ...catalog,
    access: {
      ...catalog.access,
      get blocked_networks() {
        reads.networks += 1;
        return catalog.access.blocked_networks;
      },
    },
    rate_limits: {
      ...catalog.rate_limits,
      get agent_classes() {
        reads.classes += 1;
        return catalog.rate_limits.agent_classes;
      },
    },
  };
  const app = testApp({ catalog: counted });
  for (let i = 0; i < 5; i++) expect((await app.get(`${API}/services`)).status).toBe(200);
  expect((await app.get(`${API}/services`, { from: "198.51.100.9" })).status).toBe(403);
  expect(reads.networks).toBe(1);
  expect(reads.classes).toBeLessThanOrEqual(2);
});
