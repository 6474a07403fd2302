/** Reaches every status of every operation, and checks the answer against the document. */
import { describe, expect, test } from "bun:test";
import { fillPath } from "../../src/capabilities/core/operations.ts";
import { mintKey } from "../../src/lib/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { StoreUnavailable } from "../../src/store/store-errors.ts";
import { type Answer, API, appWith, BOOKING, manyCallers, QUOTE, type SendOptions, testApp } from "../helpers.ts";
import { createValidator, type Operation, openApiDocument } from "./openapi-document.ts";

const document = await openApiDocument();
const validator = createValidator(document);

type App = ReturnType<typeof testApp>;
interface Asked extends SendOptions {
  query?: string;
  /** Values of the fields in the path. */
  fields?: object;
}
type Send = (options?: Asked, app?: App) => Promise<Answer>;
/** Further requests or edits needed to reach the status; the last answer counts. */
type Case = (send: Send) => Promise<Answer>;

const APP = manyCallers();
const BLOCKED = appWith({ "access.blocked_networks": ["192.0.2.0/24"] });
const LIMITED = appWith({ "rate_limits.anonymous_per_minute": 1 });
let limited = 0;
const CLOSED = testApp();
await CLOSED.store.close();
const AWAY = testApp();
AWAY.store.findKey = () => Promise.reject(new StoreUnavailable("away"));
const withKey = () => ({ headers: { "X-API-Key": mintKey().key } });

const ANYWHERE: Record<string, Case> = {
  304: (send) => send({ headers: { "If-None-Match": "*" } }),
  400: (send) => send({ headers: { "X-API-Key": "tint_one", Authorization: "Bearer tint_two" } }),
  401: (send) => send({ headers: { "X-API-Key": "tint_unknown" } }),
  403: (send) => send({}, BLOCKED),
  413: (send) => send({ body: "x".repeat(70_000) }),
  429: async (send) => {
    const from = `198.18.0.${++limited}`;
    await send({ from }, LIMITED);
    return send({ from }, LIMITED);
  },
  500: (send) => send(withKey(), CLOSED),
  503: (send) => send(withKey(), AWAY),
};

/** Sends the sample with the code and contact of a booking. @param prepare what happens after it was made @param made with it */
function aboutBooking(edits: object = {}, prepare: (app: App) => void = () => {}, made: object = {}): Case {
  return async (send) => {
    const app = testApp();
    const { json } = await app.post(`${API}/bookings`, { ...BOOKING, ...made });
    prepare(app);
    const code: string = json.data.confirmation_code;
    const body = { confirmation_code: code, phone: BOOKING.customer_phone, ...edits };
    return send({ body, fields: { confirmation_code: code } }, app);
  };
}
const tooLate = (app: App) => app.advance({ hours: 72 });
const cannotWrite = ({ store }: App) => {
  const refuse = () => Promise.reject(new StoreUnavailable("busy"));
  store.rescheduleBooking = refuse;
  store.cancelBooking = refuse;
  store.confirmHeld = refuse;
};
const MOVE = { date: "2026-11-25", time: "09:00" };
const REGISTRATION = { name: "Pat Example", email: "pat@example.com" };

/** For the path of an entry of the manifest. */
const anEntry = { id: "list_faq" };

const BY_OPERATION: Record<string, Record<string, Case>> = {
  get_capability: {
    200: (send) => send({ fields: anEntry }),
    304: (send) => send({ fields: anEntry, headers: { "If-None-Match": "*" } }),
    404: (send) => send({ fields: { id: "zebra" } }),
  },
  check_availability: { 404: (send) => send({ query: "service=999" }) },
  estimate_price: { 404: (send) => send({ body: { vehicle_type: "boat" } }) },
  get_estimate_matrix: { 404: (send) => send({ query: "vehicle_type=boat" }) },
  request_quote: {
    409: async (send) => {
      const app = testApp();
      const quote = { ...QUOTE, quote_request_id: "quote-1" };
      await send({ body: quote }, app);
      return send({ body: { ...quote, window_count: 3 } }, app);
    },
  },
  book_appointment: {
    201: (send) => send({ body: BOOKING }),
    404: (send) => send({ body: { ...BOOKING, service_type: "residential" } }),
    409: (send) => send({ body: { ...BOOKING, date: "2026-11-26" } }),
    422: (send) => send({ body: { ...BOOKING, postal_code: "90210" } }),
    503: (send) => {
      const store = openSqliteStore(":memory:");
      store.book = () => Promise.reject(new StoreUnavailable("busy"));
      return send({ body: BOOKING }, testApp({ store }));
    },
  },
  get_booking_status: { 200: aboutBooking() },
  find_booking: { 200: aboutBooking() },
  confirm_booking: {
    200: aboutBooking({}, () => {}, { hold: true }),
    409: aboutBooking({}, tooLate, { hold: true }),
    503: aboutBooking({}, cannotWrite, { hold: true }),
  },
  reschedule_booking: {
    200: aboutBooking(MOVE),
    409: aboutBooking({ ...MOVE, date: "2026-11-26" }),
    503: aboutBooking(MOVE, cannotWrite),
  },
  cancel_booking: { 200: aboutBooking(), 409: aboutBooking({}, tooLate), 503: aboutBooking({}, cannotWrite) },
  register_api_key: {
    201: (send) => send({ body: REGISTRATION }),
    409: async (send) => {
      const app = testApp();
      await send({ body: REGISTRATION }, app);
      return send({ body: REGISTRATION }, app);
    },
  },
};

for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    describe(operation.operationId, () => {
      const sample = operation.requestBody?.content["application/json"]?.example;
      const send: Send = ({ query, fields = {}, body = sample, ...options } = {}, app = APP) => {
        const address = API + (path.includes("{") ? fillPath({ path }, { ...fields }).path : path);
        const asked = { ...(method === "post" && { body }), ...options };
        return app.send(method.toUpperCase(), address + (query ? `?${query}` : ""), asked);
      };

      for (const status of Object.keys(operation.responses)) {
        test(status, async () => {
          const answer = await answerWith(status, operation, path, send);
          expect(answer.status).toBe(Number(status));
          expect(validator(path, method, answer)).toEqual([]);
        });
      }
    });
  }
}

function answerWith(status: string, { operationId }: Operation, path: string, send: Send): Promise<Answer> {
  if (status === "405") return APP.send("DELETE", API + path);
  const chosen = BY_OPERATION[operationId]?.[status] ?? ANYWHERE[status];
  return chosen ? chosen(send) : send();
}

const COUPE = { vehicle_type: "coupe" };
const GLASS = { total_sqft: 9000, site_type: "security" };

/** Answers with the same status and different shapes. */
const VARIANTS: [name: string, method: string, path: string, options: SendOptions & { query?: string }][] = [
  ["questions of a category", "get", "/faq", { query: "category=security" }],
  ["one day", "get", "/availability", { query: "date=2026-11-24&vehicle_type=sedan" }],
  ["a closed day", "get", "/availability", { query: "date=2026-11-26" }],
  ["thirty days", "get", "/availability", { query: "days=30" }],
  ["an estimate by query", "get", "/estimates", { query: "vehicle_type=suv&addons=sunroof,nofault&shade=35" }],
  ["a misspelt field", "post", "/estimates", { body: { vehicle_type: "van", colour: "red", covrage: "full" } }],
  ["shades by position", "post", "/estimates", { body: { vehicle_type: "truck", shade: { rear_side: "limo" } } }],
  ["no choice of film", "post", "/estimates", { body: { vehicle_type: "wagon", service: "clearplex", shade: 20 } }],
  ["every add-on", "post", "/estimates", { body: { ...COUPE, addons: ["windshield", "windshield_strip"] } }],
  ["a shade that is not permitted", "post", "/estimates", { body: { ...COUPE, shade: 5, windshield_shade: 5 } }],
  ["a range", "post", "/flat-glass/estimate", { body: { ...GLASS, existing_film_sqft: 20 } }],
  ["a tall building", "post", "/flat-glass/estimate", { body: { ...GLASS, floors: 6 } }],
  ["a quote request without an area", "post", "/quote-request", { body: QUOTE }],
  ["facts about the property", "post", "/quote-request", { body: { ...QUOTE, property_info: { panes: 12 } } }],
  ["a booking without a vehicle", "post", "/bookings", { body: { ...BOOKING, vehicle_type: null, film_type: null } }],
  ["missing fields", "post", "/bookings", { body: {} }],
  ["many faults", "post", "/bookings", { body: { ...BOOKING, time: "8", vehicle_type: "boat", addons: 1 } }],
  ["a time between slots", "post", "/bookings", { body: { ...BOOKING, time: "09:17" } }],
  ["no JSON", "post", "/register", { body: "{" }],
];

describe("variants", () => {
  test.each(VARIANTS)("%s", async (_, method, path, { query, ...options }) => {
    const answer = await APP.send(method.toUpperCase(), API + path + (query ? `?${query}` : ""), options);
    expect(validator(path, method, answer)).toEqual([]);
  });

  test("a replay", async () => {
    const app = testApp();
    const body = { ...BOOKING, booking_request_id: "again" };
    await app.post(`${API}/bookings`, body);
    expect(validator("/bookings", "post", await app.post(`${API}/bookings`, body))).toEqual([]);
  });
});
