import { afterAll, expect, test } from "bun:test";
import { ownerContext } from "../../cli/diary/owner.ts";
import { editForOwner } from "../../src/capabilities/desk/owner.ts";
import { ERRORS, type ErrorCode } from "../../src/errors.ts";
import { mintKey } from "../../src/lib/ids.ts";
import type { Store } from "../../src/store/store.ts";
import { OutcomeUnknown, StoreUnavailable } from "../../src/store/store-errors.ts";
import {
  API,
  BOOKING,
  CATALOG,
  catalogWith,
  type FileApp,
  fileApp,
  freshPhone,
  fromManyCallers,
  NOW,
  openFileApp,
  QUOTE,
  registerKey,
  type SendOptions,
  testApp,
} from "../helpers.ts";

/** A request that is refused. No refusal may store anything. */
interface Scenario {
  name: string;
  method?: string;
  path: string;
  options?: SendOptions | ((app: FileApp) => Promise<SendOptions> | SendOptions);
  catalog?: Record<string, unknown>;
  trusted?: string[];
  /** Puts faults between the app and the store. */
  wrap?: (store: Store) => Store;
  /** Requests to send first. */
  before?: (app: FileApp) => Promise<unknown>;
  /** Parts of the body, besides the code. */
  holds?: object;
  /** Where it is not the status of the code. */
  status?: number;
  /** Texts that the body must not hold. */
  hides?: string[];
  headers?: Record<string, string | RegExp>;
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) => ({
  method: "POST",
  path,
  options: { body, headers },
});
const booking = (changes: object = {}) => post("/bookings", { ...BOOKING, ...changes });
const invalid = (...fields: string[]) => ({
  invalid_fields: fields.map((field) => expect.objectContaining({ field, message: expect.any(String) })),
});
const times = async (count: number, send: (i: number) => Promise<{ status: number }>, status: number) => {
  for (let i = 0; i < count; i++) expect((await send(i)).status).toBe(status);
};

const WAIT = "Wait for the number of seconds in the Retry-After header, then send the request again.";

/** By the code that they are answered with: the type asks for at least one of each. */
const SCENARIOS: Record<ErrorCode, [Scenario, ...Scenario[]]> = {
  INVALID_JSON: [
    { name: "a body that is not JSON", ...post("/estimates", "{") },
    { name: "an empty body", method: "POST", path: "/estimates" },
    { name: "a list", ...post("/estimates", []) },
    { name: "a text", ...post("/quote-request", '"hello"') },
    { name: "a form", ...post("/estimates", "vehicle_type=suv") },
  ],
  MISSING_FIELD: [
    {
      name: "fields absent, null and blank",
      ...post("/quote-request", { ...QUOTE, first_name: "  ", phone: null, email: undefined }),
      holds: { missing_fields: ["first_name", "phone", "email"] },
    },
    {
      name: "the same field in a query",
      path: "/estimates?film_type=ceramic",
      holds: { missing_fields: ["vehicle_type"] },
    },
    {
      name: "every required field of a booking",
      ...post("/bookings", {}),
      holds: { missing_fields: ["date", "time", "customer_name", "customer_phone", "customer_email"] },
    },
    {
      name: "every required field of a flat-glass estimate",
      ...post("/flat-glass/estimate", { floors: 2 }),
      holds: { missing_fields: ["site_type", "total_sqft"] },
    },
    {
      name: "every required field of a registration",
      ...post("/register", { use_case: "none" }),
      holds: { missing_fields: ["name", "email"] },
    },
    {
      name: "missing and invalid fields together, all of them",
      ...post("/quote-request", { ...QUOTE, first_name: null, email: "nobody", floors: "several" }),
      holds: { missing_fields: ["first_name"], ...invalid("email", "floors") },
    },
    {
      name: "a quote request with nothing in its consent, where the shop requires it",
      ...post("/quote-request", { ...QUOTE, consent: {} }),
      catalog: { "bookings.require_consent": true },
      holds: { missing_fields: ["consent.confirmed_by_user"] },
    },
  ],
  BAD_REQUEST: [
    {
      name: "every fault at once",
      ...post("/estimates", { vehicle_type: "suv", film_type: "gold", coverage: "half", vehicle_year: "new" }),
      holds: {
        ...invalid("film_type", "coverage", "vehicle_year"),
        next_actions: [expect.objectContaining({ action: "quote_request" })],
      },
    },
    {
      name: "an unknown value, answered with the allowed ones",
      ...post("/estimates", { vehicle_type: "suv", film_type: "cerramc" }),
      holds: { invalid_fields: [{ field: "film_type", allowed: ["standard", "ceramic"] }] },
    },
    { name: "an impossible date", ...booking({ date: "2027-02-30" }), holds: invalid("date") },
    {
      name: "a time between the starts of today, answered with those that have not passed",
      ...booking({ date: "2026-11-21", time: "12:30", coverage: "front2" }),
      holds: { invalid_fields: [{ field: "time", allowed: ["12:00", "13:00", "14:00"] }] },
    },
    {
      name: "a time that is not a bookable start, answered with the allowed ones",
      ...booking({ time: "09:30" }),
      holds: { invalid_fields: [{ field: "time", allowed: ["09:00", "10:00", "11:00", "12:00", "13:00", "14:00"] }] },
    },
    {
      name: "a time at which the work would not end before closing",
      ...booking({ time: "15:00" }),
      holds: invalid("time"),
    },
    {
      name: "a phone that cannot be dialled",
      ...booking({ customer_phone: "call me maybe" }),
      holds: invalid("customer_phone"),
    },
    {
      name: "an invalid e-mail address",
      ...post("/register", { name: "Pat", email: "pat@" }),
      holds: invalid("email"),
    },
    {
      name: "an unknown kind of work on a quote request",
      ...post("/quote-request", { ...QUOTE, service_type: "boats" }),
      holds: {
        invalid_fields: [
          {
            field: "service_type",
            allowed: [
              ...["commercial", "residential", "security"],
              ...["automotive", "film_removal", "clearplex", "ceramic_coating", "other"],
            ],
          },
        ],
      },
    },
    {
      name: "an end user who did not agree to a booking",
      ...booking({ consent: { confirmed_by_user: false } }),
      holds: invalid("consent.confirmed_by_user"),
    },
    {
      name: "an end user who did not agree to a quote request",
      ...post("/quote-request", { ...QUOTE, consent: { confirmed_by_user: false } }),
      holds: invalid("consent.confirmed_by_user"),
    },
    {
      name: "a jurisdiction the shop does not know",
      ...post("/estimates", { vehicle_type: "suv", jurisdiction: "US-ZZ" }),
      holds: invalid("jurisdiction"),
    },
    {
      name: "an inherited property as a jurisdiction",
      ...post("/estimates", { vehicle_type: "suv", jurisdiction: "__proto__" }),
      holds: invalid("jurisdiction"),
    },
    {
      name: "two different booking_request_ids",
      method: "POST",
      path: "/bookings",
      options: { body: { ...BOOKING, booking_request_id: "a" }, headers: { "Idempotency-Key": "b" } },
      holds: invalid("booking_request_id"),
    },
    {
      name: "an Idempotency-Key that is too long",
      method: "POST",
      path: "/bookings",
      options: { body: BOOKING, headers: { "Idempotency-Key": "k".repeat(256) } },
      holds: invalid("Idempotency-Key"),
    },
    {
      name: "two different keys",
      path: "/faq",
      options: { headers: { Authorization: `Bearer ${mintKey().key}`, "X-API-Key": mintKey().key } },
      holds: invalid("X-API-Key"),
    },
  ],
  API_KEY_REQUIRED: [
    {
      name: "a booking without a key where the shop requires one",
      ...booking(),
      catalog: { "bookings.require_api_key": true },
      headers: { "www-authenticate": /^Bearer/ },
    },
    {
      name: "the key is checked before the body is read",
      ...post("/bookings", "{"),
      catalog: { "bookings.require_api_key": true },
    },
  ],
  INVALID_API_KEY: [
    { name: "a text that is not a key", path: "/faq", options: { headers: { "X-API-Key": "secret" } } },
    { name: "a bearer without a token", path: "/faq", options: { headers: { Authorization: "Bearer" } } },
    {
      name: "an unknown key on a booking, before the body is read",
      method: "POST",
      path: "/bookings",
      options: { body: "{", headers: { Authorization: `Bearer ${mintKey().key}` } },
    },
    ...["/services", "/location", "/faq", "/availability", "/estimates", "/capabilities", "/docs"].map(
      (path): Scenario => ({
        name: `a key nobody issued, on ${path}`,
        path,
        options: { headers: { "X-API-Key": mintKey().key } },
        headers: { "www-authenticate": /^Bearer/ },
      }),
    ),
  ],
  FORBIDDEN: [
    {
      name: "a revoked key",
      path: "/services",
      options: async (app) => {
        const key = await registerKey(app, "revoked@example.com");
        app.db.run("UPDATE api_keys SET revoked_at = 1");
        return { headers: { Authorization: `Bearer ${key}` } };
      },
    },
    {
      name: "a blocked network",
      ...booking(),
      catalog: { "access.blocked_networks": ["192.0.2.0/24"] },
      holds: { agent_instruction: `Do not retry. Have the end user call the shop (${CATALOG.business.phone}).` },
    },
    {
      name: "a blocked IPv6 network",
      path: "/services",
      options: { from: "2001:db8:5::9" },
      catalog: { "access.blocked_networks": ["2001:db8:5::/48"] },
    },
    {
      name: "a blocked network behind a trusted proxy",
      path: "/services",
      options: { from: "10.0.0.1", headers: { "X-Forwarded-For": "203.0.113.9" } },
      trusted: ["10.0.0.0/8"],
      catalog: { "access.blocked_networks": ["203.0.113.0/24"] },
    },
    {
      name: "a blocked country that a trusted proxy reports",
      path: "/services",
      options: { from: "10.0.0.1", headers: { "CF-IPCountry": "fr", "X-Forwarded-For": "203.0.113.9" } },
      trusted: ["10.0.0.0/8"],
      catalog: { "access.blocked_countries": ["FR"] },
    },
  ],
  NOT_FOUND: [
    { name: "no such path", path: "/nothing" },
    { name: "no such path, with any method", method: "DELETE", path: "/nothing" },
    { name: "a path in another letter case", path: "/Services" },
    { name: "an empty step in the path", path: "//services" },
  ],
  SERVICE_NOT_FOUND: [
    {
      name: "an unknown service of an estimate",
      ...post("/estimates", { vehicle_type: "suv", service: "wash" }),
      holds: { invalid_fields: [{ field: "service", allowed: ["automotive", "film_removal", "clearplex"] }] },
    },
    {
      name: "an unknown service id",
      path: "/availability?service=99",
      holds: { invalid_fields: [{ field: "service", allowed: [1, "automotive", 5, "film_removal", 6, "clearplex"] }] },
    },
    { name: "the id of a service that cannot be booked", path: "/availability?service=2" },
    {
      name: "a service_type that cannot be booked",
      ...booking({ service_type: "residential" }),
      holds: { invalid_fields: [{ field: "service_type", allowed: ["automotive", "film_removal", "clearplex"] }] },
    },
  ],
  INVALID_VEHICLE_TYPE: [
    {
      name: "a vehicle the shop does not price",
      ...post("/estimates", { vehicle_type: "boat" }),
      holds: { invalid_fields: [{ field: "vehicle_type", allowed: expect.arrayContaining(["sedan", "van"]) }] },
    },
    { name: "an inherited property as a vehicle", ...post("/estimates", { vehicle_type: "constructor" }) },
  ],
  METHOD_NOT_ALLOWED: [
    {
      name: "GET in place of POST",
      path: "/bookings",
      holds: { method: "POST", did_you_mean: "POST /api/v1/bookings/lookup" },
      headers: { allow: "POST, OPTIONS" },
    },
    {
      name: "POST in place of GET",
      ...post("/services", {}),
      holds: { method: "GET" },
      headers: { allow: "GET, HEAD, OPTIONS" },
    },
    { name: "POST to the docs", ...post("/docs", {}), holds: { method: "GET" } },
    { name: "POST to the base URL", ...post("", {}), holds: { method: "GET" } },
    { name: "an invented method", method: "PURGE", path: "/faq", holds: { method: "GET" } },
  ],
  DATE_BLOCKED: [
    { name: "a day that has passed", ...booking({ date: "2026-11-20" }), holds: threeAlternatives() },
    { name: "a Sunday", ...booking({ date: "2026-11-22" }), holds: threeAlternatives() },
    { name: "a holiday", ...booking({ date: "2026-11-26" }), holds: threeAlternatives() },
    { name: "beyond the horizon", ...booking({ date: "2027-01-21" }), holds: threeAlternatives() },
    { name: "the end of time", ...booking({ date: "9999-12-31" }), holds: threeAlternatives() },
    { name: "the beginning of time", ...booking({ date: "0000-01-01" }), holds: threeAlternatives() },
    {
      name: "a day the owner blocked",
      ...booking(),
      catalog: { "scheduling.blocked_dates": [{ date: BOOKING.date, reason: "Inventory" }] },
      holds: threeAlternatives(),
    },
  ],
  NOT_LEGAL_SHADE: [
    {
      name: "a shade that is darker than the law permits",
      ...booking({ shade: 5 }),
      holds: { ...invalid("shade"), usage: { sample_request: { shade: { front_side: 50 } } } },
    },
  ],
  SLOT_TAKEN: [
    {
      name: "every bay busy",
      ...booking(),
      catalog: { "scheduling.bays": 1 },
      before: (app) => app.post(`${API}/bookings`, { ...BOOKING, customer_phone: freshPhone() }, { from: "192.0.2.2" }),
      holds: threeAlternatives(),
    },
    {
      name: "inside the lead time",
      ...booking({ date: "2026-11-21", time: "11:00", vehicle_type: "sedan", film_type: "standard" }),
      holds: threeAlternatives(),
    },
    { name: "earlier today", ...booking({ date: "2026-11-21", time: "09:00" }), holds: threeAlternatives() },
    {
      name: "a slot that is taken between check and write",
      ...booking(),
      wrap: (store) => ({ ...store, book: async () => ({ kind: "taken" }) }),
      holds: threeAlternatives(),
    },
  ],
  KEY_EXISTS: [
    {
      name: "a second key for an address, in another letter case",
      ...post("/register", { name: "Again", email: "AGENT@Example.com" }),
      before: (app) => registerKey(app, "agent@example.com"),
    },
  ],
  IDEMPOTENCY_CONFLICT: [
    {
      name: "the same booking_request_id with a different body",
      ...booking({ booking_request_id: "one", customer_name: "Somebody Else" }),
      before: (app) => app.post(`${API}/bookings`, { ...BOOKING, booking_request_id: "one" }),
      hides: [BOOKING.customer_name, "confirmation_code"],
    },
    {
      name: "the same quote_request_id with a different body",
      ...post("/quote-request", { ...QUOTE, quote_request_id: "one", first_name: "Else" }),
      before: (app) => app.post(`${API}/quote-request`, { ...QUOTE, quote_request_id: "one" }),
      hides: [QUOTE.first_name, "lead_id", "booking"],
    },
    {
      name: "a conflict is found before quotas, area, date and slot are checked",
      ...booking({ booking_request_id: "one", date: "2026-11-22", postal_code: "99999" }),
      catalog: { "rate_limits.bookings_per_10_minutes": 1 },
      before: (app) => app.post(`${API}/bookings`, { ...BOOKING, booking_request_id: "one" }),
    },
  ],
  PAYLOAD_TOO_LARGE: [
    { name: "a byte over 64 KiB", ...post("/estimates", "x".repeat(65_537)) },
    {
      name: "a Content-Length over 64 KiB",
      method: "POST",
      path: "/bookings",
      options: { body: "{}", headers: { "Content-Length": "65537" } },
    },
  ],
  BOOKING_NOT_FOUND: [
    {
      name: "a code that no booking has",
      path: "/bookings/NOSUCH00",
      headers: { "x-ratelimit-limit": "5", "x-ratelimit-remaining": "4" },
    },
    {
      name: "a code and a contact that belong to nobody",
      ...post("/bookings/lookup", { confirmation_code: "NOSUCH00", phone: BOOKING.customer_phone }),
    },
  ],
  PRICE_AGREED: [
    {
      name: "other work where the shop agreed a price",
      method: "POST",
      path: "/bookings/reschedule",
      async options(app) {
        const { confirmation_code } = (await app.post(`${API}/bookings`, BOOKING)).json.data;
        const booking = await app.store.findBooking(confirmation_code);
        const ctx = ownerContext({ store: app.store, catalog: CATALOG, now: NOW });
        if (booking) await editForOwner(booking, {}, 50_000, ctx);
        return { body: { confirmation_code, phone: BOOKING.customer_phone, film_type: "standard" } };
      },
    },
  ],
  HOLD_OVER: [
    {
      name: "cancelled before it was confirmed",
      method: "POST",
      path: "/bookings/confirm",
      async options(app) {
        const { json } = await app.post(`${API}/bookings`, { ...BOOKING, hold: true });
        const body = { confirmation_code: json.data.confirmation_code, phone: BOOKING.customer_phone };
        await app.post(`${API}/bookings/cancel`, body);
        return { body };
      },
    },
  ],
  TOO_LATE_TO_CHANGE: [
    {
      name: "inside the cut-off",
      method: "POST",
      path: "/bookings/cancel",
      catalog: { "bookings.self_service.cutoff_hours": 720, "bookings.self_service.grace_minutes": 0 },
      async options(app) {
        const { json } = await app.post(`${API}/bookings`, BOOKING);
        return { body: { confirmation_code: json.data.confirmation_code, phone: BOOKING.customer_phone } };
      },
      hides: [BOOKING.customer_name],
    },
  ],
  PRICE_CHANGED: [
    {
      name: "an estimate that has expired, and was cheaper",
      method: "POST",
      path: "/bookings",
      async options(app) {
        const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv" });
        app.advance({ hours: 24 * 15 });
        app.setCatalog(catalogWith({ "automotive.vehicle_types.suv.standard.full": 399 }));
        const { vehicle_type: _, film_type: __, ...person } = BOOKING;
        return { body: { ...person, date: "2026-12-08", estimate_id: json.data.estimate_id } };
      },
      holds: { estimate: { total: 399, previous_total: 349 } },
    },
  ],
  OUT_OF_SERVICE_AREA: [
    { name: "a postal code elsewhere", ...booking({ postal_code: "90210" }) },
    { name: "the area is checked before the date", ...booking({ postal_code: "90210", date: "2026-11-22" }) },
  ],
  RATE_LIMITED: [
    {
      name: "more than 60 requests a minute from an address",
      path: "/faq",
      before: (app) => times(60, () => app.get(`${API}/faq`), 200),
      holds: { retry_after_seconds: 60, agent_instruction: `${WAIT} A registered API key has higher limits.` },
      headers: { "retry-after": "60", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0" },
    },
    {
      name: "the limit is checked before the key",
      path: "/faq",
      options: { headers: { "X-API-Key": mintKey().key } },
      before: (app) => times(60, () => app.get(`${API}/faq`), 200),
    },
    {
      name: "more than 5 quote requests a minute",
      ...post("/quote-request", QUOTE),
      before: (app) => times(5, () => app.post(`${API}/quote-request`, QUOTE), 200),
      holds: {
        message: "No more than 5 quote requests a minute are taken from one network or API key; wait 60 s.",
        agent_instruction: `${WAIT} A registered API key has higher limits. Or have the customer call the shop (+1-404-555-0142).`,
        usage: { sample_request: { ...QUOTE, dry_run: true } },
      },
      headers: { "retry-after": "60", "x-ratelimit-limit": "5", "x-ratelimit-remaining": "0" },
    },
    {
      name: "more than 3 bookings in 10 minutes from an address",
      ...booking({ customer_phone: freshPhone() }),
      before: (app) => times(3, (i) => bookOn(app, i), 201),
      headers: { "retry-after": "600", "x-ratelimit-limit": "3", "x-ratelimit-remaining": "0" },
    },
    {
      name: "more than 1 booking in 10 minutes from an address",
      ...booking({ customer_phone: freshPhone() }),
      catalog: { "rate_limits.bookings_per_10_minutes": 1 },
      before: (app) => times(1, (i) => bookOn(app, i), 201),
      holds: {
        message: "No more than 1 booking is taken from this address within 10 minutes.",
        agent_instruction: `${WAIT} A registered API key has higher limits. Have the customer call the shop (+1-404-555-0142), or send a quote request.`,
        usage: { sample_request: { date: BOOKING.date, vehicle_type: BOOKING.vehicle_type, dry_run: true } },
      },
      headers: { "x-ratelimit-limit": "1" },
    },
    {
      name: "more than 2 bookings a day for a phone number, in any notation",
      ...booking({ customer_phone: "(404) 555-0177", special_requests: "A third one" }),
      before: (app) =>
        times(2, (i) => bookOn(app, i, { phone: ["+14045550177", "404.555.0177"][i], from: `192.0.2.${i + 50}` }), 201),
      // It is 14 hours to midnight at the shop.
      headers: { "retry-after": "50400", "x-ratelimit-limit": "2", "x-ratelimit-remaining": "0" },
    },
    {
      name: "the quota is checked before the area and the date",
      ...booking({ date: "2026-11-22", postal_code: "90210", customer_phone: freshPhone() }),
      before: (app) => times(3, (i) => bookOn(app, i), 201),
    },
    {
      name: "a quota that is used up between check and write",
      ...booking(),
      wrap: (store) => ({
        ...store,
        book: async (_booking, _bays, quotas) => ({
          kind: "quota",
          quotas: quotas.map((quota) => ({ ...quota, used: quota.limit, oldestAt: quota.since + 1000 })),
        }),
      }),
      headers: { "retry-after": "50400" },
    },
    {
      name: "more than 3 registrations an hour from an address",
      ...post("/register", { name: "Many", email: "many@example.com" }),
      before: (app) =>
        times(3, (i) => app.post(`${API}/register`, { name: "Many", email: `many${i}@example.com` }), 201),
      holds: {
        message: "No more than 3 API keys an hour are issued to one network or e-mail address; wait 3600 s.",
        agent_instruction: `${WAIT} Prices, times and quote requests need no key.`,
      },
      headers: { "retry-after": "3600", "x-ratelimit-limit": "3", "x-ratelimit-remaining": "0" },
    },
    {
      name: "registrations are counted by address even with keys",
      method: "POST",
      path: "/register",
      catalog: { "rate_limits.registrations_per_hour": 1 },
      options: async (app) => ({
        body: { name: "Second", email: "second@example.com" },
        headers: { "X-API-Key": await registerKey(app, "first@example.com", "192.0.2.1") },
      }),
      holds: { message: expect.stringContaining("No more than 1 API key an hour") },
      headers: { "x-ratelimit-limit": "1" },
    },
  ],
  BOOKING_FAILED: [
    {
      name: "a store that cannot write",
      ...booking(),
      wrap: (store) => ({ ...store, book: () => Promise.reject(new StoreUnavailable("SQLITE_FULL at /var/secret")) }),
      holds: { retry_after_seconds: expect.any(Number) },
      hides: ["SQLITE", "secret"],
      headers: { "retry-after": /^[1-9]\d*$/ },
    },
    {
      name: "a writer that ended before it answered",
      ...booking(),
      wrap: (store) => ({ ...store, book: () => Promise.reject(new OutcomeUnknown("ended")) }),
      holds: { message: expect.stringContaining("is not known"), retry_after_seconds: expect.any(Number) },
      hides: ["booked nothing", "stored nothing", "same booking_request_id, it"],
    },
    {
      name: "a writer that ended before it answered, with an id to find out",
      ...booking({ booking_request_id: "find-out" }),
      wrap: (store) => ({ ...store, book: () => Promise.reject(new OutcomeUnknown("ended")) }),
      holds: { message: expect.stringContaining("with the same booking_request_id, it is not booked twice") },
      hides: ["booked nothing", "stored nothing"],
    },
    {
      name: "a read that fails during a booking",
      ...booking({ booking_request_id: "read" }),
      wrap: (store) => ({ ...store, findEarlier: () => Promise.reject(new StoreUnavailable("secret of the house")) }),
      holds: { message: expect.stringContaining("stored nothing"), retry_after_seconds: expect.any(Number) },
      hides: ["secret"],
      headers: { "retry-after": /^[1-9]\d*$/ },
    },
    {
      name: "a key that cannot be looked up for a booking",
      ...post("/bookings", BOOKING, { "X-API-Key": mintKey().key }),
      wrap: (store) => ({ ...store, findKey: () => Promise.reject(new StoreUnavailable("away")) }),
    },
    {
      name: "a read that fails during a change",
      method: "POST",
      path: "/bookings/cancel",
      options: { body: { confirmation_code: "7K2MQ9XA", phone: BOOKING.customer_phone } },
      wrap: (store) => ({ ...store, contactOf: () => Promise.reject(new StoreUnavailable("away")) }),
    },
  ],
  INTERNAL_ERROR: [
    {
      name: "an unexpected error while booking",
      ...booking(),
      wrap: (store) => ({ ...store, book: () => Promise.reject(new Error("secret of the house")) }),
      hides: ["secret", "stack", ".ts"],
    },
    {
      name: "an unexpected error while looking for open times",
      path: "/availability",
      wrap: (store) => ({
        ...store,
        busyBetween: () => {
          throw new TypeError("secret of the house");
        },
      }),
      hides: ["secret"],
    },
    {
      name: "a quote request whose outcome is not known",
      status: 503,
      ...post("/quote-request", QUOTE),
      wrap: (store) => ({ ...store, addLead: () => Promise.reject(new OutcomeUnknown("ended")) }),
      holds: { message: expect.stringContaining("is not known"), retry_after_seconds: expect.any(Number) },
      hides: ["stored nothing"],
    },
    {
      name: "open times while the database is away",
      status: 503,
      path: "/availability",
      wrap: (store) => ({ ...store, busyBetween: () => Promise.reject(new StoreUnavailable("secret of the house")) }),
      holds: { retry_after_seconds: expect.any(Number) },
      hides: ["secret"],
    },
    {
      name: "an unexpected error while looking up a key",
      path: "/faq",
      options: { headers: { "X-API-Key": mintKey().key } },
      wrap: (store) => ({ ...store, findKey: () => Promise.reject(new Error("secret of the house")) }),
      hides: ["secret"],
    },
    {
      name: "a thrown value that is not an Error",
      ...post("/register", { name: "Pat", email: "pat@example.com" }),
      wrap: (store) => ({ ...store, addKey: () => Promise.reject("secret of the house") }),
      hides: ["secret"],
    },
  ],
};

function threeAlternatives(): object {
  const slot = expect.objectContaining({ available: true, status: "available" });
  return { alternatives: [slot, slot, slot] };
}

/** The i-th of several bookings on different days. */
function bookOn(app: FileApp, i: number, { phone = freshPhone(), from = "192.0.2.1", key = "" } = {}) {
  const date = ["2026-11-24", "2026-11-25", "2026-11-27"][i];
  return app.post(
    `${API}/bookings`,
    { ...BOOKING, date, customer_phone: phone },
    { from, headers: key ? { "X-API-Key": key } : {} },
  );
}

const ALWAYS = "success error_code message recoverable usage agent_instruction docs openapi request_id".split(" ");
const SOMETIMES = `
  next_actions did_you_mean path method missing_fields invalid_fields alternatives estimate retry_after_seconds
  rate_limit
`
  .trim()
  .split(/\s+/);

/** For scenarios that need nothing before: a refusal stores nothing. */
const SHARED = openFileApp();
const APP = fromManyCallers<FileApp>(SHARED);
afterAll(SHARED.close);

const ALL = Object.entries(SCENARIOS).flatMap(([code, some]) => some.map((one) => [code as ErrorCode, one] as const));
for (const [code, scenario] of ALL) {
  const { name, method = "GET", path, options = {}, holds = {}, hides = [], headers = {} } = scenario;
  test(`${code}: ${name}`, async () => {
    const { catalog, trusted, wrap, before } = scenario;
    const isBare = !catalog && !trusted && !wrap && !before && typeof options !== "function";
    const app = isBare ? APP : fileApp({ catalog: catalogWith(catalog), trusted: trusted ?? [] }, wrap);
    await before?.(app);
    const request = typeof options === "function" ? await options(app) : options;
    const stored = app.counts();

    const answer = await app.send(method, API + path, request);

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
    expect(answer.status).toBe(scenario.status ?? ERRORS[code].status);
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
}

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

test("where a key is required, a booking with a key succeeds", async () => {
  const app = fileApp({ catalog: catalogWith({ "bookings.require_api_key": true }) });
  const key = await registerKey(app, "booker@example.com");
  const { status } = await app.post(`${API}/bookings`, BOOKING, { headers: { Authorization: `bearer ${key}` } });
  expect(status).toBe(201);
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
