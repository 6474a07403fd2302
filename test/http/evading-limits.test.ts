/** One caller is one caller: with many addresses, names of assistants, keys that registered themselves, or visitors' browsers. */
import { describe, expect, test } from "bun:test";
import { fileApp, registerKey, type TestApp, testApp } from "../app.ts";
import { API, AT_BOOKING, BOOKING, freshPhone, QUOTE } from "../fixed-day.ts";
import { appWith, CATALOG } from "../helpers.ts";

const FAQ = `${API}/faq`;
const TIMES = ["09:00", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00", "16:00"];

/** A short booking that no other quota refuses. */
const bookAt = (app: TestApp, nth: number, options: { from: string; headers?: Record<string, string> }) => {
  const customer = { customer_phone: freshPhone(), customer_email: `pat${nth}@example.com` };
  const when = { date: nth < 16 ? "2026-11-24" : "2026-11-25", time: TIMES[nth % 8] };
  return app.post(`${API}/bookings`, { ...BOOKING, ...when, ...customer, coverage: "front2" }, options);
};

describe("bookings", () => {
  test("of an IPv6 /56 and /48 count together, with the factors of the catalog", async () => {
    const app = appWith({ "rate_limits.ipv6_56_times": 2, "rate_limits.ipv6_48_times": 3, "scheduling.bays": 9 });
    const statuses: number[] = [];
    for (let nth = 0; nth < 8; nth++)
      statuses.push((await bookAt(app, nth, { from: `2001:db8:1:${(0x100 + nth).toString(16)}::1` })).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 429, 429]);
    for (let nth = 8; nth < 12; nth++)
      statuses.push((await bookAt(app, nth, { from: `2001:db8:1:${(0x200 + nth).toString(16)}::1` })).status);
    expect(statuses.slice(8)).toEqual([201, 201, 201, 429]);
    const refused = await bookAt(app, 12, { from: "2001:db8:1:300::1" });
    expect(refused.headers.get("x-ratelimit-scope")).toBe("bookings-per-network");
    expect((await bookAt(app, 13, { from: "2001:db8:2::1" })).status).toBe(201);
  });

  test("with keys that registered themselves count against their network, three times as many", async () => {
    const app = appWith({ "scheduling.bays": 9, "rate_limits.registrations_per_hour": 9 });
    const keys = await Promise.all([1, 2, 3, 4].map((nth) => registerKey(app, `agent${nth}@example.com`)));
    const statuses: number[] = [];
    for (let nth = 0; nth < 12; nth++) {
      const headers = { "X-API-Key": keys[Math.floor(nth / 3)] ?? "" };
      statuses.push((await bookAt(app, nth, { from: "203.0.113.1", headers })).status);
    }
    expect(statuses).toEqual([...Array(9).fill(201), 429, 429, 429]);
  });

  test("a dry run is answered with a warning when the caller's own quota is used up", async () => {
    const app = testApp();
    for (let nth = 0; nth < 3; nth++) expect((await bookAt(app, nth, { from: "203.0.113.1" })).status).toBe(201);
    const asked = { ...BOOKING, time: "13:00", coverage: "front2", customer_phone: freshPhone(), dry_run: true };
    const { status, json } = await app.post(`${API}/bookings`, asked, { from: "203.0.113.1" });
    expect([status, json.data.status]).toEqual([200, "dry_run"]);
    const expected = { code: "QUOTA", message: expect.stringContaining("No more than 3 bookings") };
    expect(json.warnings).toContainEqual(expected);
    const other = await app.post(`${API}/bookings`, asked, { from: "203.0.113.2" });
    expect(other.json.warnings).toEqual([AT_BOOKING]);
  });

  test("a dry run tells every limit of the caller's own that is used up: key and network", async () => {
    const app = appWith({ "rate_limits.self_registered_times": 1, "rate_limits.registrations_per_hour": 9 });
    const headers = { "X-API-Key": await registerKey(app, "agent@example.com") };
    for (let nth = 0; nth < 3; nth++) await bookAt(app, nth, { from: "203.0.113.1", headers });
    const asked = { ...BOOKING, time: "13:00", coverage: "front2", customer_phone: freshPhone(), dry_run: true };
    const { json } = await app.post(`${API}/bookings`, asked, { from: "203.0.113.1", headers });
    expect(json.warnings).toEqual([
      { code: "QUOTA", message: expect.stringContaining("from this API key") },
      { code: "QUOTA", message: expect.stringContaining("from this network") },
      AT_BOOKING,
    ]);
  });

  test("a dry run tells nothing of what a phone has booked, nor of its request ids", async () => {
    const app = testApp();
    const own = { ...BOOKING, coverage: "front2", booking_request_id: "order-1" };
    expect((await app.post(`${API}/bookings`, own)).status).toBe(201);
    expect((await app.post(`${API}/bookings`, { ...own, booking_request_id: "order-2", time: "11:00" })).status).toBe(
      201,
    );
    const guess = { ...own, customer_name: "A Stranger", time: "13:00", dry_run: true };
    const { status, json, headers } = await app.post(`${API}/bookings`, guess, { from: "203.0.113.9" });
    expect([status, json.data.status, json.warnings]).toEqual([200, "dry_run", [AT_BOOKING]]);
    // The same of a phone that has booked nothing.
    const free = await app.post(`${API}/bookings`, { ...guess, customer_phone: freshPhone() }, { from: "203.0.113.9" });
    expect(free.json.warnings).toEqual(json.warnings);
    expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["3", "3"]);
  });
});

describe("requests", () => {
  test("under the names of several assistants share 240 a minute of one network", async () => {
    const app = appWith({ "rate_limits.agents_per_network_per_minute": 4 });
    const ask = (agent: string, from: string) => app.get(FAQ, { from, headers: { "User-Agent": agent } });
    const agents = ["ChatGPT-User", "ClaudeBot", "PerplexityBot", "Googlebot", "Bingbot"];
    const statuses = [];
    for (const agent of agents) statuses.push((await ask(agent, "203.0.113.1")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect((await ask("Bingbot", "203.0.113.2")).status).toBe(200);
  });

  test("with keys that registered themselves share the limit of one key, and an issued key does not", async () => {
    const app = appWith({ "rate_limits.api_key_per_minute": 3, "rate_limits.registrations_per_hour": 9 });
    const [one, two] = [await registerKey(app, "one@example.com"), await registerKey(app, "two@example.com")];
    const ask = (key: string) => app.get(FAQ, { from: "203.0.113.1", headers: { "X-API-Key": key } });
    const statuses = [];
    for (const key of [one, two, one, two]) statuses.push((await ask(key)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test("for quotes with such keys share three times the limit of their network", async () => {
    const app = appWith({ "rate_limits.quote_requests_per_minute": 1 });
    const keys = await Promise.all(
      ["a", "b", "c", "d"].map((name, nth) => registerKey(app, `${name}@example.com`, `198.51.100.${nth}`)),
    );
    const statuses = [];
    for (const key of keys) {
      const asked = { ...QUOTE, phone: freshPhone() };
      const options = { from: "203.0.113.1", headers: { "X-API-Key": key } };
      const sent = await app.post(`${API}/quote-request`, asked, options);
      statuses.push(sent.status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe("a quote request", () => {
  test("stores its body once", async () => {
    const app = fileApp();
    const message = "The panes face south.";
    const statement = "Yes, please send it.";
    const consent = { confirmed_by_user: true, statement };
    expect((await app.post(`${API}/quote-request`, { ...QUOTE, message, consent })).status).toBe(200);
    const payloads = app.db.query<{ payload: string }, []>("SELECT payload FROM jobs").all();
    expect(payloads.length).toBeGreaterThan(0);
    for (const { payload } of payloads) {
      expect(payload).not.toContain(message);
      expect(payload).not.toContain(statement);
    }
    // The CRM gets all of it.
    const claim = { lastsMs: 60_000, fresh: 9, retries: 9, running: [], kinds: ["push_to_crm"] as const };
    const [push] = await app.store.claimJobs({ ...claim, now: app.now().epochMilliseconds });
    expect(push?.payload).toMatchObject({ lead: { details: { message }, consent } });
  });

  test("holds at most 8 kB of text, however it is spread over the fields", async () => {
    const app = testApp();
    const wide = "窓".repeat(1300);
    const fits = { ...QUOTE, message: wide, property_info: "x".repeat(4000) };
    expect((await app.post(`${API}/quote-request`, fits)).status).toBe(200);
    const statement = "y".repeat(600);
    const long = { ...fits, phone: freshPhone(), consent: { confirmed_by_user: true, statement } };
    const { status, json } = await app.post(`${API}/quote-request`, long);
    expect(status).toBe(400);
    const expected = ["consent", "message", "property_info"];
    expect(json.invalid_fields.map(({ field }: { field: string }) => field).sort()).toEqual(expected);
    expect(json.invalid_fields[0].message).toContain("8192 bytes");
  });
});

describe("registrations", () => {
  const register = (app: TestApp, email: string, from: string, more: object = {}) =>
    app.post(`${API}/register`, { name: "Agent", email, ...more }, { from });

  test("for one address are bounded, from whatever networks, and a dry run tells nothing of it", async () => {
    const app = testApp();
    const statuses: number[] = [];
    for (let nth = 0; nth < 5; nth++)
      statuses.push((await register(app, nth % 2 ? "A@example.com" : "a@example.com", `203.0.113.${nth}`)).status);
    expect(statuses).toEqual([201, 409, 409, 429, 429]);
    const tell = async (email: string) => {
      const { status, json, headers } = await register(app, email, "203.0.113.99", { dry_run: true });
      const { request_id: _, ...body } = json;
      const told = JSON.stringify(body).replaceAll(email, "");
      return { status, told, left: headers.get("x-ratelimit-limit") };
    };
    expect(await tell("a@example.com")).toEqual(await tell("b@example.com"));
  });
});

test("a key that registered itself ends when it is not used for ninety days, and frees its address", async () => {
  const app = testApp();
  const key = await registerKey(app, "agent@example.com");
  const ask = () => app.get(FAQ, { headers: { "X-API-Key": key } });
  app.advance({ hours: 80 * 24 });
  expect((await ask()).status).toBe(200);
  app.advance({ hours: 80 * 24 });
  expect((await ask()).status).toBe(200);
  app.advance({ hours: 91 * 24 });
  const ended = await ask();
  expect([ended.status, ended.json.error_code]).toEqual([401, "INVALID_API_KEY"]);
  expect(ended.json.message).toContain("ended");
  expect(await registerKey(app, "agent@example.com")).toStartWith("tint_live_");
});

describe("site.cors", () => {
  const origin = "https://www.example.com";
  const send = (app: TestApp, from: string) => {
    const headers = { Origin: from, "Sec-Fetch-Site": "cross-site" };
    return app.post(`${API}/estimates`, { vehicle_type: "suv" }, { headers });
  };

  test("listed: those of embed_origins alone", async () => {
    const app = appWith({ "site.cors": "listed", "site.embed_origins": [origin] });
    const own = await send(app, origin);
    expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect(own.headers.get("vary")).toContain("Origin");
    const other = await send(app, "https://other.example");
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    // Programs outside of browsers are not meant.
    expect((await app.post(`${API}/estimates`, { vehicle_type: "suv" })).status).toBe(200);
  });

  test("listed: of browsers that send no Sec-Fetch-Site, or call a neighbor the same site, Origin is asked", async () => {
    const app = appWith({ "site.cors": "listed", "site.embed_origins": [origin] });
    const estimate = (headers: Record<string, string>) =>
      app.post(`${API}/estimates`, { vehicle_type: "suv" }, { headers });
    for (const Origin of ["https://other.example", "null"]) {
      const { status, json } = await estimate({ Origin });
      expect([Origin, status, json.error_code]).toEqual([Origin, 403, "FORBIDDEN"]);
      expect((await estimate({ Origin, "Sec-Fetch-Site": "same-site" })).status).toBe(403);
    }
    // A page on the shop's own address, also behind a proxy that names another host.
    for (const Origin of [origin, new URL(CATALOG.site.url).origin, "http://localhost"])
      expect((await estimate({ Origin })).status).toBe(200);
    const behindProxy = { Origin: "https://public.example", "Sec-Fetch-Site": "same-origin" };
    expect((await estimate(behindProxy)).status).toBe(200);
  });

  test("none", async () => {
    const refused = await send(appWith({ "site.cors": "none", "site.embed_origins": [origin] }), origin);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
});
