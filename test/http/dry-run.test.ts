/** Dry runs, samples that never act, and requests that are sent again. Source: contract 1, 4 and 6. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SAMPLE_PERSON } from "../../src/capabilities/core/samples.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { type Answer, fileApp, registerKey } from "../app.ts";
import { API, AT_BOOKING, BOOKING, freshPhone, QUOTE } from "../fixed-day.ts";
import { CATALOG, catalogWith, WORDS } from "../helpers.ts";

const KEY = { name: "Tester", email: "tester@example.com" };
const DRY_RUNS = [
  { path: "/bookings", request: BOOKING, ids: ["confirmation_code", "booking_id", "lead_id"] },
  { path: "/quote-request", request: QUOTE, ids: ["lead_id", "reference"] },
  { path: "/register", request: KEY, ids: ["api_key", "key_id"] },
];
const NOTHING = { leads: 0, bookings: 0, jobs: 0, keys: 0 };
const ACTS = ["/bookings", "/quote-request", "/register"];

describe("a dry run", () => {
  test.each(DRY_RUNS)("of $path answers like the real request, and stores nothing", async ({ path, request, ids }) => {
    const app = fileApp();
    const dry = await app.post(API + path, { ...request, dry_run: true });
    expect([dry.status, dry.json.data.status, dry.headers.get("location")]).toEqual([200, "dry_run", null]);
    expect(app.counts()).toEqual(NOTHING);
    const [next] = dry.json.next_actions;
    expect(dry.json.next_actions).toHaveLength(1);
    expect(next.path).toBe(API + path);
    expect(next.sample_request).toMatchObject(request);
    expect(next.sample_request).not.toHaveProperty("dry_run");
    const real = await app.post(next.path, next.sample_request);
    expect(real.status).toBeLessThan(202);
    const fresh = [...ids, "status", "booking_request_id", "manage_url"];
    const without = ({ json }: Answer) =>
      Object.fromEntries(Object.entries(json.data).filter(([field]) => !fresh.includes(field)));
    expect(without(dry)).toEqual(without(real));
    for (const id of ids) expect([id, dry.json.data[id]]).toEqual([id, null]);
    for (const id of ids) expect(real.json.data[id]).toEqual(expect.any(String));
  });

  test("shows no consent in the request made real: the end user agrees after seeing it", async () => {
    const consent = { confirmed_by_user: true, statement: "yes" };
    for (const { path, request } of DRY_RUNS.slice(0, 2)) {
      const { json } = await fileApp().post(API + path, { ...request, consent, dry_run: true });
      const expected = [path, "dry_run", undefined];
      expect([path, json.data.status, json.next_actions[0].sample_request.consent]).toEqual(expected);
    }
  });

  test.each(DRY_RUNS.slice(0, 2))(
    "of $path under an Idempotency-Key shows that id, so both fit together",
    async (one) => {
      const app = fileApp();
      const headers = { "Idempotency-Key": "caller-1" };
      const dry = await app.post(API + one.path, { ...one.request, dry_run: true }, { headers });
      const [next] = dry.json.next_actions;
      const real = await app.post(next.path, next.sample_request, { headers });
      expect([real.status < 202, app.counts().leads]).toEqual([true, 1]);
      const again = await app.post(API + one.path, { ...one.request, dry_run: true }, { headers });
      expect(again.json.next_actions[0].sample_request).toEqual(next.sample_request);
    },
  );

  test("uses no quota and needs no consent", async () => {
    const app = fileApp({
      catalog: catalogWith({ "bookings.require_consent": true, "rate_limits.quote_requests_per_minute": 1 }),
    });
    for (const { path, request } of [...DRY_RUNS, ...DRY_RUNS, ...DRY_RUNS, ...DRY_RUNS]) {
      const { status } = await app.post(API + path, { ...request, dry_run: true });
      expect([path, status]).toEqual([path, 200]);
    }
    const consent = { confirmed_by_user: true };
    expect((await app.post(`${API}/quote-request`, { ...QUOTE, consent })).status).toBe(200);
    expect((await app.post(`${API}/bookings`, BOOKING)).json.missing_fields).toEqual(["consent.confirmed_by_user"]);
    for (let i = 0; i < 3; i++) {
      const own = { ...BOOKING, date: `2026-11-${24 + (i === 2 ? 3 : i)}`, customer_phone: freshPhone(), consent };
      expect((await app.post(`${API}/bookings`, own)).status).toBe(201);
    }
  });

  test("fails as the real request does, for random requests", async () => {
    const app = fileApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    await app.post(`${API}/bookings`, BOOKING);
    await app.post(`${API}/register`, KEY);
    /** Mostly good, so that many requests succeed. */
    const mostly = (good: unknown[], bad: unknown[]) =>
      fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) });
    const wish = fc.record(
      {
        date: mostly(["2026-11-24", "2026-11-25", "2026-11-30"], ["2026-11-20", "2026-11-26", "2027-06-01", "x"]),
        time: mostly(["09:00", "11:00"], ["09:30", "17:00"]),
        vehicle_type: mostly(["suv", "coupe"], ["boat"]),
        postal_code: mostly(["30060"], ["99999"]),
        customer_phone: mostly([undefined], ["12"]),
        service_type: mostly(["automotive", "clearplex"], ["residential"]),
        coverage: fc.constantFrom(...WORDS.coverages),
        addons: fc.subarray([...WORDS.addons]),
        shade: mostly([20, "limo", { front_side: 50, rear_side: 5 }], [0]),
        windshield_shade: fc.constantFrom(70, "50%"),
        remove_old_film: fc.boolean(),
        jurisdiction: mostly(["FL", "US-CA"], ["US-ZZ"]),
        booking_request_id: fc.constant("the same for all"),
        colour: mostly([undefined], ["red"]),
      },
      { requiredKeys: ["date", "time"] },
    );
    const outcome = ({ status, json }: Answer) => {
      const { request_id: _, usage: __, data, next_actions: ___, warnings = [], ...rest } = json;
      const body = { ...rest, warnings: warnings.filter(({ code }: { code: string }) => code !== AT_BOOKING.code) };
      if (!data) return { status, body };
      const { confirmation_code, booking_id, lead_id, status: told, booking_request_id, manage_url, ...made } = data;
      return { body, made };
    };
    let callers = 0;
    let made = 0;
    await fc.assert(
      fc.asyncProperty(wish, async (fields) => {
        callers += 1;
        const from = `198.51.101.${callers}`;
        const request = { ...BOOKING, ...fields, customer_phone: fields.customer_phone ?? freshPhone() };
        const before = app.counts();
        const dry = await app.post(`${API}/bookings`, { ...request, dry_run: true }, { from });
        expect(app.counts()).toEqual(before);
        const real = await app.post(`${API}/bookings`, request, { from });
        expect(outcome(real)).toEqual(outcome(dry));
        if (real.status !== 201) return;
        made += 1;
        await app.store.changeBookingStatus(real.json.data.confirmation_code, "cancelled_by_shop", 0);
      }),
      {
        numRuns: 20,
        // At random, too few may be bookable: these always are.
        examples: [
          [{ date: "2026-11-30", time: "09:00" }],
          [{ date: "2026-11-25", time: "11:00", vehicle_type: "coupe" }],
          [{ date: "2026-11-30", time: "11:00", postal_code: "30060" }],
          [{ date: "2026-11-25", time: "09:00", service_type: "automotive" }],
        ],
      },
    );
    expect(made).toBeGreaterThan(3);
    // Whether an address has a key is told only to who asks for one in earnest.
    const taken = await app.post(`${API}/register`, { ...KEY, dry_run: true });
    expect([taken.status, taken.json.data.status]).toEqual([200, "dry_run"]);
  });
});

describe("samples never act", () => {
  /** Every object in a document that could be sent to a path that stores something. */
  function requestsIn(value: unknown): object[] {
    if (typeof value === "string" && value.startsWith("{")) return requestsIn(JSON.parse(value));
    if (typeof value !== "object" || value === null) return [];
    const inside = Object.values(value).flatMap(requestsIn);
    const isPerson = Object.values(value).includes(SAMPLE_PERSON.email);
    return isPerson || "customer_name" in value || "first_name" in value ? [value, ...inside] : inside;
  }

  test("no sample anywhere, posted as it is, stores anything", async () => {
    const app = fileApp();
    const texts: string[] = [];
    for (const path of [
      ...["/capabilities", "/openapi.json", "/docs-md"].map((document) => API + document),
      "/.well-known/agents.json",
      "/.well-known/agent-card.json",
      "/llms.txt",
      "/llms-full.txt",
    ]) {
      const { text } = await app.get(path);
      expect([path, /"?confirmed_by_user"?: ?true/.test(text)]).toEqual([path, false]);
      texts.push(text, ...Array.from(text.matchAll(/-d '(\{[^']*\})'/g), ([, body = ""]) => body));
    }
    for (const capability of CAPABILITIES) {
      const path = API + capability.path.replace("{confirmation_code}", "7K2MQ9XA");
      texts.push((await app.send("DELETE", path)).text, (await app.post(path, "{")).text);
      texts.push((await app.post(path, capability.sample(CATALOG, app.now()))).text);
    }
    const samples = texts.filter((text) => text.startsWith("{")).flatMap((text) => requestsIn(JSON.parse(text)));
    expect(samples.length).toBeGreaterThan(10);
    let callers = 0;
    for (const sample of samples) {
      for (const path of ACTS) {
        callers += 1;
        const { status } = await app.post(API + path, sample, { from: `198.51.100.${callers % 250}` });
        expect([path, status === 201]).toEqual([path, false]);
      }
    }
    expect(app.counts()).toEqual(NOTHING);
  });

  test("the e-mail address of the samples is refused in any letter case", async () => {
    const app = fileApp();
    const sample = { customer_name: "Jordan Sample", customer_email: "Jordan.Sample@Example.com" };
    const { status, json } = await app.post(`${API}/bookings`, { ...BOOKING, ...sample });
    expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    const message = "is the sample's; put in the customer's own";
    expect(json.invalid_fields).toEqual([
      { field: "customer_name", message },
      { field: "customer_email", message },
    ]);
  });

  test("every answer has a request id of its own", async () => {
    const app = fileApp();
    const idOf = ({ json }: Answer) =>
      json.next_actions.map(
        ({ sample_request: { booking_request_id: booking, quote_request_id: quote } }: Answer["json"]) =>
          booking ?? quote,
      );
    const estimate = () => app.post(`${API}/estimates`, { vehicle_type: "suv" });
    const glass = () => app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", total_sqft: 90 });
    const answers = [estimate(), estimate(), estimate(), app.get(`${API}/availability`), glass(), glass()];
    const ids = (await Promise.all(answers)).flatMap(idOf).filter((id) => id !== undefined);
    // An estimate for a car leads to a booking, and for other glass to a quote request.
    expect(ids).toHaveLength(9);
    expect(new Set(ids).size).toBe(9);
  });
});

describe("a request that is sent again", () => {
  test("strangers may choose the same id; a customer's own gets the first answer", async () => {
    const app = fileApp();
    const book = (body: object, from: string) =>
      app.post(`${API}/bookings`, { ...BOOKING, booking_request_id: "booking-1", ...body }, { from });
    const first = await book({}, "192.0.2.1");
    const stranger = await book({ customer_phone: "+1-404-555-0190", customer_email: "sam@example.com" }, "192.0.2.2");
    expect([first.status, stranger.status]).toEqual([201, 201]);
    const again = await book({ customer_phone: "(404) 555-0111", customer_name: "Pat E.", shade: 50 }, "192.0.2.3");
    expect([again.status, again.json.error_code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    const notation = await book({ customer_phone: "(404) 555-0111" }, "192.0.2.3");
    expect([notation.status, notation.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    // Other words for the same, too.
    const addons = ["sunroof", "nofault"];
    const other = { booking_request_id: "booking-2", date: "2026-11-25", shade: "light", addons };
    const words = { shade: "50%", addons: ["nofault", "sunroof", "nofault"], customer_email: "PAT@example.com" };
    const half = await book({ ...other, customer_email: "pat@example.com" }, "192.0.2.4");
    const sameHalf = await book({ ...other, ...words }, "192.0.2.4");
    expect([half.status, sameHalf.status, sameHalf.json.data]).toEqual([201, 201, half.json.data]);
    const same = await book({}, "192.0.2.3");
    expect([same.status, same.json.data]).toEqual([201, first.json.data]);
    const dry = await book({ dry_run: true }, "192.0.2.1");
    expect(dry.json.data).toMatchObject({ status: "dry_run", confirmation_code: null, start: first.json.data.start });
    expect(app.counts().bookings).toBe(3);
  });

  test.each(["quote_request_id", "Idempotency-Key"])(
    "a quote request by %s: the first answer, no second lead",
    async (by) => {
      const app = fileApp();
      const send = (body: object = {}, more: Record<string, string> = {}) =>
        by === "quote_request_id"
          ? app.post(`${API}/quote-request`, { ...QUOTE, ...body, quote_request_id: "q-1" }, { headers: more })
          : app.post(`${API}/quote-request`, { ...QUOTE, ...body }, { headers: { "Idempotency-Key": "q-1", ...more } });
      const first = await send();
      app.advance({ seconds: 61 });
      const again = await send();
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
      expect(again.json).toEqual(first.json);
      const { error_code, message } = (await send({ message: "Another" })).json;
      expect([error_code, message]).toEqual(["IDEMPOTENCY_CONFLICT", expect.stringContaining("a different body.")]);
      expect((await send({ phone: "(404) 555-0113" })).json.data.lead_id).not.toBe(first.json.data.lead_id);
      const key = await registerKey(app, "agent@example.org");
      expect((await send({}, { "X-API-Key": key })).json.data.lead_id).not.toBe(first.json.data.lead_id);
      expect(app.counts().leads).toBe(3);
    },
  );

  test("a repeated quote request uses nothing of the limit", async () => {
    const app = fileApp();
    const send = () => app.post(`${API}/quote-request`, { ...QUOTE, quote_request_id: "q-1" });
    const { quote_requests_per_minute: limit } = CATALOG.rate_limits;
    for (let i = 0; i < 2 * limit; i++) {
      const { status, headers } = await send();
      expect([status, headers.get("x-ratelimit-remaining")]).toEqual([200, String(limit - 1)]);
    }
  });

  test.each([
    ["/bookings", { ...BOOKING, shade: 33, windshield_shade: 70, accept_not_legal: true, booking_request_id: "w-1" }],
    ["/quote-request", { ...QUOTE, film_goals: ["fade"], quote_request_id: "w-1" }],
  ])("to %s gets the warnings of the first answer again", async (path, request) => {
    const app = fileApp();
    const first = await app.post(API + path, request);
    app.setCatalog(catalogWith({ "automotive.films.ceramic.shades.0": { label: 33, vlt: 33 } }));
    const again = await app.post(API + path, request);
    expect([again.headers.get("idempotent-replayed"), again.json]).toEqual(["true", first.json]);
    const dry = await app.post(API + path, { ...request, dry_run: true });
    expect(first.json.warnings.length).toBeGreaterThan(0);
    expect(dry.json.warnings).toEqual(first.json.warnings);
  });

  test("ten at once make one lead", async () => {
    const app = fileApp({ catalog: catalogWith({ "rate_limits.quote_requests_per_minute": 20 }) });
    const sent = Array.from({ length: 10 }, () =>
      app.post(`${API}/quote-request`, { ...QUOTE, quote_request_id: "q" }),
    );
    const answers = await Promise.all(sent);
    expect(new Set(answers.map(({ json }) => json.data.lead_id)).size).toBe(1);
    expect(app.counts().leads).toBe(1);
  });
});
