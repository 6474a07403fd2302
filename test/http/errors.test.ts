import { afterAll, expect, test } from "bun:test";
import { ownerContext } from "../../cli/diary/owner.ts";
import { editForOwner } from "../../src/capabilities/desk/owner.ts";
import { ERRORS, type ErrorCode } from "../../src/errors.ts";
import { mintKey } from "../../src/lib/ids.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { OutcomeUnknown, StoreUnavailable } from "../../src/store/store-errors.ts";
import { type FileApp, fileApp, fromManyCallers, openFileApp, registerKey, type SendOptions, testApp } from "../app.ts";
import { API, BOOKING, bookingOn, freshPhone, NOW, PAT, QUOTE } from "../fixed-day.ts";
import { CATALOG, catalogWith } from "../helpers.ts";

/** A request that is refused, and parts of the answer's body besides the code. No refusal may store anything. */
type Scenario = [name: string, request: Asked | ((app: FileApp) => Promise<Asked>), holds?: object, more?: More];

interface Asked extends SendOptions {
  method: string;
  path: string;
}

interface More {
  catalog?: Record<string, unknown>;
  trusted?: string[];
  /** Puts faults between the app and the store. */
  wrap?: (store: Store) => Store;
  /** Requests to send first. */
  before?: (app: FileApp) => Promise<unknown>;
  /** Where it is not the status of the code. */
  status?: number;
  /** Texts that the body must not hold. */
  hides?: string[];
  headers?: Record<string, string | RegExp>;
}

type Headers = Record<string, string>;
const get = (path: string, headers: Headers = {}, from?: string): Asked => ({
  ...{ method: "GET", path, headers },
  ...(from && { from }),
});
const post = (path: string, body: unknown, headers: Headers = {}): Asked => ({ method: "POST", path, body, headers });
const booking = (changes: object = {}, headers: Headers = {}) => post("/bookings", { ...BOOKING, ...changes }, headers);
const underKey = (id: string) => ({ "Idempotency-Key": id });
const quote = (changes: object = {}) => post("/quote-request", { ...QUOTE, ...changes });
const suv = (changes: object = {}) => post("/estimates", { vehicle_type: "suv", ...changes });
const missing = (...missing_fields: string[]) => ({ missing_fields });
const invalid = (...fields: string[]) => ({
  invalid_fields: fields.map((field) => expect.objectContaining({ field, message: expect.any(String) })),
});
const choose = (field: string, ...allowed: unknown[]) => ({ invalid_fields: [{ field, allowed }] });
const says = (words: string) => ({ message: expect.stringContaining(words) });
const threeAlternatives = () => {
  const slot = expect.objectContaining({ available: true, status: "available" });
  return { alternatives: [slot, slot, slot] };
};

const times = async (count: number, send: (i: number) => Promise<{ status: number }>, status: number) => {
  for (let i = 0; i < count; i++) expect((await send(i)).status).toBe(status);
};
/** A method of the store that fails, of whose error the answer does not tell these words. */
const fault = (method: keyof Store, error: unknown, ...hides: string[]): More => ({
  wrap: (store) => ({ ...store, [method]: () => Promise.reject(error) }),
  hides,
});
const blocking = (network: string) => ({ catalog: { "access.blocked_networks": [network] } });
/** A booking of Pat's, and what a change of it has to prove. */
async function booked(app: FileApp, changes: object = {}) {
  const { json } = await app.post(`${API}/bookings`, { ...BOOKING, ...changes });
  return { confirmation_code: json.data.confirmation_code, phone: BOOKING.customer_phone };
}
/** The i-th of several bookings on different days. */
const bookOn = (app: FileApp, i: number, { phone = freshPhone(), from = "192.0.2.1" } = {}) => {
  const date = ["2026-11-24", "2026-11-25", "2026-11-27"][i] ?? "";
  return app.post(`${API}/bookings`, { ...bookingOn(date), customer_phone: phone }, { from });
};
const OF_CARS = ["automotive", "film_removal", "clearplex", "ceramic_coating"];
const WORKS = ["commercial", "residential", "security", ...OF_CARS, "other"];
const threeBooked = (app: FileApp) => times(3, (i) => bookOn(app, i), 201);
const faqOften = (app: FileApp) => times(60, () => app.get(`${API}/faq`), 200);
const bookedOnce = (app: FileApp) => booked(app, { booking_request_id: "one" });
const NOBODYS_KEY = { "X-API-Key": mintKey().key };
const NOBODYS_BEARER = { Authorization: `Bearer ${mintKey().key}` };
const NOBODYS_BOOKING = { confirmation_code: "NOSUCH00", phone: BOOKING.customer_phone };
const NOTHING = ["booked nothing", "stored nothing"];
const NOT_AGREED = { consent: { confirmed_by_user: false } };
const ONLINE = ["automotive", "film_removal", "clearplex"];
const SEDAN = { vehicle_type: "sedan", film_type: "standard" };
const CONSENT = "consent.confirmed_by_user";
const WAIT = "Wait for the number of seconds in the Retry-After header, then send the request again.";
const ASK_FOR_KEY = { headers: { "www-authenticate": /^Bearer/ } };
const KEY_ONLY = { catalog: { "bookings.require_api_key": true } };
const ONE_EACH = { catalog: { "rate_limits.bookings_per_10_minutes": 1, "rate_limits.registrations_per_hour": 1 } };
const LATER = { "retry-after": /^[1-9]\d*$/ };
const SECRET = new StoreUnavailable("secret of the house");
const UNFORESEEN = new Error("secret of the house");
const UNKNOWN = new OutcomeUnknown("ended");
const left = (limit: number, remaining = 0) => ({
  ...{ "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(remaining) },
});

/** By the code that they are answered with: the type asks for at least one of each. */
const SCENARIOS: Record<ErrorCode, [Scenario, ...Scenario[]]> = {
  INVALID_JSON: [
    ["a body that is not JSON", post("/estimates", "{")],
    ["an empty body", post("/estimates", undefined)],
    ["a list", post("/estimates", [])],
    ["a text", post("/quote-request", '"hello"')],
    ["a form", post("/estimates", "vehicle_type=suv")],
  ],
  MISSING_FIELD: [
    ["a field that is blank", quote({ first_name: "  " }), missing("first_name")],
    [
      "a field that is null, and one that is absent",
      quote({ phone: null, email: undefined }),
      missing("phone", "email"),
    ],
    ["the same field in a query", get("/estimates?film_type=ceramic"), missing("vehicle_type")],
    ["every required field of a booking", post("/bookings", {}), missing("date", "time", ...Object.keys(PAT))],
    ["every required field of an estimate", post("/flat-glass/estimate", {}), missing("site_type", "total_sqft")],
    ["every required field of a registration", post("/register", { use_case: "none" }), missing("name", "email")],
    [
      "missing and invalid fields together, all of them",
      quote({ first_name: null, email: "nobody", floors: "several" }),
      { ...missing("first_name"), ...invalid("email", "floors") },
    ],
    [
      "a quote request with nothing in its consent, where the shop requires it",
      quote({ consent: {} }),
      missing(CONSENT),
      { catalog: { "bookings.require_consent": true } },
    ],
  ],
  BAD_REQUEST: [
    [
      "every fault at once",
      suv({ film_type: "gold", coverage: "half", vehicle_year: "new" }),
      {
        ...invalid("film_type", "coverage", "vehicle_year"),
        next_actions: [expect.objectContaining({ action: "quote_request" })],
      },
    ],
    ["an unknown value", suv({ film_type: "cerramc" }), choose("film_type", "standard", "ceramic")],
    ["an impossible date", booking({ date: "2027-02-30" }), invalid("date")],
    [
      "a time between the starts of today, answered with those that have not passed",
      booking({ date: "2026-11-21", time: "12:30", coverage: "front2" }),
      choose("time", "12:00", "13:00", "14:00"),
    ],
    [
      "a time that is not a bookable start, answered with the allowed ones",
      booking({ time: "09:30" }),
      choose("time", "09:00", "10:00", "11:00", "12:00", "13:00", "14:00"),
    ],
    ["a time at which the work would not end before closing", booking({ time: "15:00" }), invalid("time")],
    ["a phone that cannot be dialled", booking({ customer_phone: "call me maybe" }), invalid("customer_phone")],
    ["an invalid e-mail address", post("/register", { name: "Pat", email: "pat@" }), invalid("email")],
    ["an unknown kind of work on a quote request", quote({ service_type: "boats" }), choose("service_type", ...WORKS)],
    ["an end user who did not agree to a booking", booking(NOT_AGREED), invalid(CONSENT)],
    ["an end user who did not agree to a quote request", quote(NOT_AGREED), invalid(CONSENT)],
    ["a jurisdiction the shop does not know", suv({ jurisdiction: "US-ZZ" }), invalid("jurisdiction")],
    ["an inherited property as a jurisdiction", suv({ jurisdiction: "__proto__" }), invalid("jurisdiction")],
    ["two different ids", booking({ booking_request_id: "a" }, underKey("b")), invalid("booking_request_id")],
    ["an Idempotency-Key that is too long", booking({}, underKey("k".repeat(256))), invalid("Idempotency-Key")],
    ["two different keys", get("/faq", { ...NOBODYS_BEARER, ...NOBODYS_KEY }), invalid("X-API-Key")],
  ],
  API_KEY_REQUIRED: [
    [
      "a booking without a key where the shop requires one",
      booking(),
      { usage: { sample_request: { ...BOOKING, dry_run: true } } },
      { ...KEY_ONLY, ...ASK_FOR_KEY },
    ],
    ["the key is checked before the body is read", post("/bookings", "{"), {}, KEY_ONLY],
  ],
  INVALID_API_KEY: [
    ["a text that is not a key", get("/faq", { "X-API-Key": "secret" })],
    ["a bearer without a token", get("/faq", { Authorization: "Bearer" })],
    ["an unknown key on a booking, before the body is checked", post("/bookings", "{", NOBODYS_BEARER)],
    [
      "an unknown key beside a whole request, which can be sent again without it",
      { ...suv(), headers: NOBODYS_KEY },
      { usage: { sample_request: { vehicle_type: "suv" } } },
    ],
    ...["/services", "/location", "/faq", "/availability", "/estimates", "/capabilities", "/docs"].map(
      (path): Scenario => [`a key nobody issued, on ${path}`, get(path, NOBODYS_KEY), {}, ASK_FOR_KEY],
    ),
  ],
  FORBIDDEN: [
    [
      "a revoked key",
      async (app) => {
        const key = await registerKey(app, "revoked@example.com");
        app.db.run("UPDATE api_keys SET revoked_at = 1");
        return get("/services", { Authorization: `Bearer ${key}` });
      },
    ],
    [
      "a blocked network",
      booking(),
      { agent_instruction: `Do not retry. Have the end user call the shop (${CATALOG.business.phone}).` },
      blocking("192.0.2.0/24"),
    ],
    ["a blocked IPv6 network", get("/services", {}, "2001:db8:5::9"), {}, blocking("2001:db8:5::/48")],
    [
      "a blocked network behind a trusted proxy",
      get("/services", { "X-Forwarded-For": "203.0.113.9" }, "10.0.0.1"),
      {},
      { trusted: ["10.0.0.0/8"], ...blocking("203.0.113.0/24") },
    ],
  ],
  NOT_FOUND: [
    ["no such path", get("/nothing")],
    ["no such path, with any method", { method: "DELETE", path: "/nothing" }],
    ["a path in another letter case", get("/Services")],
    ["an empty step in the path", get("//services")],
  ],
  SERVICE_NOT_FOUND: [
    ["an unknown service of an estimate", suv({ service: "wash" }), choose("service", ...ONLINE)],
    [
      "an unknown service id",
      get("/availability?service=10000"),
      choose("service", 1, "automotive", 5, "film_removal", 6, "clearplex"),
    ],
    ["the id of a service that cannot be booked", get("/availability?service=2")],
    ["a service that cannot be booked", booking({ service_type: "residential" }), choose("service_type", ...ONLINE)],
  ],
  INVALID_VEHICLE_TYPE: [
    [
      "a vehicle the shop does not price",
      suv({ vehicle_type: "boat" }),
      { invalid_fields: [{ field: "vehicle_type", allowed: expect.arrayContaining(["sedan", "van"]) }] },
    ],
    ["an inherited property as a vehicle", suv({ vehicle_type: "constructor" })],
  ],
  METHOD_NOT_ALLOWED: [
    [
      "GET in place of POST",
      get("/bookings"),
      { method: "POST", did_you_mean: "POST /api/v1/bookings/lookup" },
      { headers: { allow: "POST, OPTIONS" } },
    ],
    ["POST in place of GET", post("/services", {}), { method: "GET" }, { headers: { allow: "GET, HEAD, OPTIONS" } }],
    ["POST to the docs", post("/docs", {}), { method: "GET" }],
    ["POST to the base URL", post("", {}), { method: "GET" }],
    ["an invented method", { method: "PURGE", path: "/faq" }, { method: "GET" }],
  ],
  DATE_BLOCKED: [
    ["a day that has passed", booking({ date: "2026-11-20" }), threeAlternatives()],
    ["a Sunday", booking({ date: "2026-11-22" }), threeAlternatives()],
    ["a holiday", booking({ date: "2026-11-26" }), threeAlternatives()],
    ["beyond the horizon", booking({ date: "2027-01-21" }), threeAlternatives()],
    ["the end of time", booking({ date: "9999-12-31" }), threeAlternatives()],
    ["the beginning of time", booking({ date: "0000-01-01" }), threeAlternatives()],
    [
      "a day the owner blocked",
      booking(),
      threeAlternatives(),
      { catalog: { "scheduling.blocked_dates": [{ date: BOOKING.date, reason: "Inventory" }] } },
    ],
  ],
  NOT_LEGAL_SHADE: [
    [
      "a shade that is darker than the law permits",
      booking({ shade: 5 }),
      { ...invalid("shade"), usage: { sample_request: { shade: { front_side: 50 } } } },
    ],
  ],
  SLOT_TAKEN: [
    [
      "every bay busy",
      booking(),
      threeAlternatives(),
      { catalog: { "scheduling.bays": 1 }, before: (app) => bookOn(app, 0, { from: "192.0.2.2" }) },
    ],
    ["inside the lead time", booking({ date: "2026-11-21", time: "11:00", ...SEDAN }), threeAlternatives()],
    ["earlier today", booking({ date: "2026-11-21", time: "09:00" }), threeAlternatives()],
    [
      "a slot that is taken between check and write",
      booking(),
      threeAlternatives(),
      { wrap: (store) => ({ ...store, book: async () => ({ kind: "taken" }) }) },
    ],
  ],
  KEY_EXISTS: [
    [
      "a second key for an address, in another letter case",
      post("/register", { name: "Again", email: "AGENT@Example.com" }),
      {},
      { before: (app) => registerKey(app, "agent@example.com") },
    ],
  ],
  IDEMPOTENCY_CONFLICT: [
    [
      "the same booking_request_id with a different body",
      booking({ booking_request_id: "one", customer_name: "Somebody Else" }),
      {},
      { before: bookedOnce, hides: [BOOKING.customer_name, "confirmation_code"] },
    ],
    [
      "the same quote_request_id with a different body",
      quote({ quote_request_id: "one", first_name: "Else" }),
      {},
      {
        before: (app) => app.post(`${API}/quote-request`, { ...QUOTE, quote_request_id: "one" }),
        hides: [QUOTE.first_name, "lead_id", "booking"],
      },
    ],
    [
      "a conflict is found before quotas, area, date and slot are checked",
      booking({ booking_request_id: "one", date: "2026-11-22", postal_code: "99999" }),
      {},
      { ...ONE_EACH, before: bookedOnce },
    ],
  ],
  PAYLOAD_TOO_LARGE: [
    ["a byte over 64 KiB", post("/estimates", "x".repeat(65_537))],
    ["a Content-Length over 64 KiB", post("/bookings", "{}", { "Content-Length": "65537" })],
  ],
  BOOKING_NOT_FOUND: [
    ["a code that no booking has", get("/bookings/NOSUCH00"), {}, { headers: left(5, 4) }],
    ["a code and a contact that belong to nobody", post("/bookings/lookup", NOBODYS_BOOKING)],
  ],
  PRICE_AGREED: [
    [
      "other work where the shop agreed a price",
      async (app) => {
        const proof = await booked(app);
        const agreed = (await app.store.findBooking(proof.confirmation_code)) as Booking;
        await editForOwner(agreed, {}, 50_000, ownerContext({ store: app.store, catalog: CATALOG, now: NOW }));
        return post("/bookings/reschedule", { ...proof, film_type: "standard" });
      },
    ],
  ],
  HOLD_OVER: [
    [
      "cancelled before it was confirmed",
      async (app) => {
        const proof = await booked(app, { hold: true });
        await app.post(`${API}/bookings/cancel`, proof);
        return post("/bookings/confirm", proof);
      },
    ],
  ],
  TOO_LATE_TO_CHANGE: [
    [
      "inside the cut-off",
      async (app) => post("/bookings/cancel", await booked(app)),
      {},
      {
        catalog: { "bookings.self_service.cutoff_hours": 720, "bookings.self_service.grace_minutes": 0 },
        hides: [BOOKING.customer_name],
      },
    ],
  ],
  PRICE_CHANGED: [
    [
      "an estimate that has expired, and was cheaper",
      async (app) => {
        const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv" });
        app.advance({ hours: 24 * 15 });
        app.setCatalog(catalogWith({ "automotive.vehicle_types.suv.standard.full": 399 }));
        const { vehicle_type: _, film_type: __, ...person } = BOOKING;
        return post("/bookings", { ...person, date: "2026-12-08", estimate_id: json.data.estimate_id });
      },
      { estimate: { total: 399, previous_total: 349 } },
    ],
  ],
  OUT_OF_SERVICE_AREA: [
    ["a postal code elsewhere", booking({ postal_code: "90210" })],
    ["the area is checked before the date", booking({ postal_code: "90210", date: "2026-11-22" })],
  ],
  RATE_LIMITED: [
    [
      "more than 60 requests a minute from an address",
      get("/faq"),
      { retry_after_seconds: 60, agent_instruction: `${WAIT} A registered API key has higher limits.` },
      { before: faqOften, headers: { "retry-after": "60", ...left(60) } },
    ],
    ["the limit is checked before the key", get("/faq", { "X-API-Key": mintKey().key }), {}, { before: faqOften }],
    [
      "more than 5 quote requests a minute",
      quote(),
      {
        message: "No more than 5 quote requests a minute are taken from one network or API key; wait 60 s.",
        agent_instruction: `${WAIT} A registered API key has higher limits. Or have the customer call the shop (+1-404-555-0142).`,
        usage: { sample_request: { ...QUOTE, dry_run: true } },
      },
      {
        before: (app) => times(5, () => app.post(`${API}/quote-request`, QUOTE), 200),
        headers: { "retry-after": "60", ...left(5) },
      },
    ],
    [
      "more than 1 booking in 10 minutes from an address",
      booking({ customer_phone: freshPhone() }),
      {
        message: "No more than 1 booking is taken from this address within 10 minutes.",
        agent_instruction: `${WAIT} A registered API key has higher limits. Have the customer call the shop (+1-404-555-0142), or send a quote request.`,
        usage: { sample_request: { date: BOOKING.date, vehicle_type: BOOKING.vehicle_type, dry_run: true } },
      },
      { ...ONE_EACH, before: (app) => times(1, (i) => bookOn(app, i), 201), headers: left(1) },
    ],
    [
      "the quota is checked before the area and the date",
      booking({ date: "2026-11-22", postal_code: "90210", customer_phone: freshPhone() }),
      {},
      { before: threeBooked },
    ],
    [
      "a quota that is used up between check and write",
      booking(),
      {},
      {
        wrap: (store) => ({
          ...store,
          book: async (_booking, _bays, quotas) => ({
            kind: "quota",
            quotas: quotas.map((quota) => ({ ...quota, used: quota.limit, oldestAt: quota.since + 1000 })),
          }),
        }),
        headers: { "retry-after": "50400" },
      },
    ],
    [
      "more than 3 registrations an hour from an address",
      post("/register", { name: "Many", email: "many@example.com" }),
      {
        message: "No more than 3 API keys an hour are issued to one network or e-mail address; wait 3600 s.",
        agent_instruction: `${WAIT} Prices, times and quote requests need no key.`,
      },
      {
        before: (app) =>
          times(3, (i) => app.post(`${API}/register`, { name: "Many", email: `many${i}@example.com` }), 201),
        headers: { "retry-after": "3600", ...left(3) },
      },
    ],
    [
      "registrations are counted by address even with keys",
      async (app) => {
        const key = await registerKey(app, "first@example.com", "192.0.2.1");
        return post("/register", { name: "Second", email: "second@example.com" }, { "X-API-Key": key });
      },
      says("No more than 1 API key an hour"),
      { ...ONE_EACH, headers: left(1) },
    ],
  ],
  BOOKING_FAILED: [
    [
      "a store that cannot write",
      booking(),
      {},
      { ...fault("book", new StoreUnavailable("SQLITE_FULL at /var/secret"), "SQLITE", "secret"), headers: LATER },
    ],
    [
      "a writer that ended before it answered",
      booking(),
      says("is not known"),
      { ...fault("book", UNKNOWN, ...NOTHING, "same booking_request_id, it"), headers: LATER },
    ],
    [
      "a writer that ended before it answered, with an id to find out",
      booking({ booking_request_id: "find-out" }),
      says("with the same booking_request_id, it is not booked twice"),
      fault("book", UNKNOWN, ...NOTHING),
    ],
    [
      "a read that fails during a booking",
      booking({ booking_request_id: "read" }),
      says("stored nothing"),
      { ...fault("findEarlier", SECRET, "secret"), headers: LATER },
    ],
    ["a key that cannot be looked up for a booking", booking({}, NOBODYS_KEY), {}, fault("findKey", SECRET)],
    ["a read that fails during a change", post("/bookings/cancel", NOBODYS_BOOKING), {}, fault("contactOf", SECRET)],
  ],
  INTERNAL_ERROR: [
    ["an unexpected error while booking", booking(), {}, fault("book", UNFORESEEN, "secret", "stack", ".ts")],
    [
      "a quote request whose outcome is not known",
      quote(),
      says("is not known"),
      { status: 503, ...fault("addLead", UNKNOWN, "stored nothing"), headers: LATER },
    ],
    [
      "open times while the database is away",
      get("/availability"),
      {},
      { status: 503, ...fault("busyBetween", SECRET, "secret"), headers: LATER },
    ],
    [
      "an unexpected error while looking up a key",
      get("/faq", NOBODYS_KEY),
      {},
      fault("findKey", UNFORESEEN, "secret"),
    ],
    [
      "a thrown value that is not an Error",
      post("/register", { name: "Pat", email: "pat@example.com" }),
      {},
      fault("addKey", "secret of the house", "secret"),
    ],
  ],
};

const ALWAYS = "success error_code message recoverable usage agent_instruction docs openapi request_id".split(" ");
const SOMETIMES =
  `next_actions did_you_mean path method missing_fields invalid_fields alternatives estimate retry_after_seconds
  rate_limit`.split(/\s+/);

/** For scenarios that need nothing before: a refusal stores nothing. */
const SHARED = openFileApp();
const APP = fromManyCallers<FileApp>(SHARED);
afterAll(SHARED.close);

const ALL = Object.entries(SCENARIOS).flatMap(([code, some]) =>
  some.map((one) => [code as ErrorCode, ...one] as const),
);
test.each(ALL)("%s: %s", async (code, _, asked, holds = {}, more = {}) => {
  const { catalog, trusted, wrap, before, status = ERRORS[code].status, hides = [], headers = {} } = more;
  const isBare = !catalog && !trusted && !wrap && !before && typeof asked !== "function";
  const app = isBare ? APP : fileApp({ catalog: catalogWith(catalog), trusted: trusted ?? [] }, wrap);
  await before?.(app);
  const { method, path, ...options } = typeof asked === "function" ? await asked(app) : asked;
  const stored = app.counts();
  const answer = await app.send(method, API + path, options);

  // A copy, because toMatchObject writes its matchers into the value.
  expect(structuredClone(answer.json)).toMatchObject({
    success: false,
    error_code: code,
    recoverable: ERRORS[code].remedy !== "none",
    // Sentences, each with its full stop.
    message: expect.stringMatching(/^(?!.*[^.] Today ).+\.$/),
    usage: { content_type: "application/json", sample_request: expect.any(Object) },
    agent_instruction: expect.stringMatching(/\S/),
    docs: `${API}/docs`,
    openapi: `${API}/openapi.json`,
    request_id: answer.headers.get("x-request-id"),
    ...holds,
  });
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.json).sort()).toEqual(
    [...ALWAYS, ...SOMETIMES.filter((field) => field in answer.json)].sort(),
  );
  for (const [header, value] of Object.entries(headers)) {
    const received = answer.headers.get(header) ?? "";
    if (typeof value === "string") expect(received).toBe(value);
    else expect(received).toMatch(value);
  }
  for (const secret of hides) expect(answer.text).not.toContain(secret);
  const retryAfter = answer.headers.get("retry-after");
  expect(answer.json.retry_after_seconds).toBe(retryAfter === null ? undefined : Number(retryAfter));
  expect(app.counts()).toEqual(stored);
});

test("every error code has the status that the specification gives it", () => {
  const byStatus: [number, ErrorCode[]][] = [
    [400, ["BAD_REQUEST", "MISSING_FIELD", "INVALID_JSON"]],
    [401, ["API_KEY_REQUIRED", "INVALID_API_KEY"]],
    [403, ["FORBIDDEN"]],
    [404, ["SERVICE_NOT_FOUND", "INVALID_VEHICLE_TYPE", "BOOKING_NOT_FOUND", "NOT_FOUND"]],
    [405, ["METHOD_NOT_ALLOWED"]],
    [409, ["DATE_BLOCKED", "SLOT_TAKEN", "HOLD_OVER", "TOO_LATE_TO_CHANGE", "KEY_EXISTS"]],
    [409, ["IDEMPOTENCY_CONFLICT", "PRICE_CHANGED", "PRICE_AGREED", "NOT_LEGAL_SHADE"]],
    [413, ["PAYLOAD_TOO_LARGE"]],
    [422, ["OUT_OF_SERVICE_AREA"]],
    [429, ["RATE_LIMITED"]],
    [500, ["INTERNAL_ERROR"]],
    [503, ["BOOKING_FAILED"]],
  ];
  const expected = Object.fromEntries(byStatus.flatMap(([status, codes]) => codes.map((code) => [code, status])));
  expect(
    Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]): [string, number] => [code, status])),
  ).toEqual(expected);
});

test("an unexpected error is logged with the request id, and the answer does not show it", async () => {
  const app = fileApp({}, (store) => ({ ...store, addKey: () => Promise.reject(new Error("secret of the house")) }));
  const { headers, text } = await app.post(`${API}/register`, { name: "Pat", email: "pat@example.com" });
  expect(text).not.toContain("secret");
  const line = app.logs.find(({ requestId }) => requestId === headers.get("x-request-id"));
  expect(JSON.stringify(line)).toContain("secret of the house");
});

test("a quote request that failed does not lead back to itself", async () => {
  const app = testApp();
  app.store.addLead = () => Promise.reject(new Error("disk full"));
  const { status, json } = await app.post(`${API}/quote-request`, QUOTE);
  expect(status).toBe(500);
  expect(json.agent_instruction).not.toContain("quote-request");
  expect(json.agent_instruction).toContain("call the shop (+1-404-555-0142)");
});

test("a refusal says what today is, also after midnight", async () => {
  const app = testApp();
  const message = async () => (await app.get(`${API}/availability?date=2026-02-30`)).json.message as string;
  expect(await message()).toContain("Saturday, 2026-11-21");
  app.advance({ hours: 24 });
  expect(await message()).toContain("Sunday, 2026-11-22");
});
