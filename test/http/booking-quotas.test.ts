/** Who calls, and how much one customer or caller may hold: quotas of bookings, assistants' classes (contract 8), registered keys. */
import { describe, expect, test } from "bun:test";
import { type Answer, fileApp, registerKey, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, freshPhone, QUOTE } from "../fixed-day.ts";
import { appWith, catalogWith } from "../helpers.ts";

const DATES = ["2026-11-24", "2026-11-25", "2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03"];
const LIMITED = { ...BOOKING, vehicle_type: "sedan", coverage: "front2" };

/** Books with a new key and network each time, so that no quota of a caller is used up. */
async function bookAs(app: TestApp, nth: number, customer: object = {}) {
  const key = await registerKey(app, `agent${nth}@example.com`, `198.51.100.${nth}`);
  const body = { ...LIMITED, date: DATES[nth % DATES.length], ...customer };
  return app.post(`${API}/bookings`, body, { headers: { "X-API-Key": key }, from: `203.0.113.${nth}` });
}

/** Of a refusal: limit, what remains, seconds to the reset, which one it is, and the wait; the body says the same. */
function limitOf({ status, headers, json }: Answer) {
  expect([status, json.error_code]).toEqual([429, "RATE_LIMITED"]);
  const { limit, remaining, reset_seconds, scope } = json.rate_limit;
  const wait = json.retry_after_seconds;
  expect(HEADERS.map((name) => headers.get(name))).toEqual([limit, remaining, reset_seconds, scope, wait].map(String));
  return [limit, remaining, reset_seconds, scope, wait];
}

const HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-scope", "retry-after"];

describe("the number of future bookings of a customer is limited, whoever books", () => {
  test("by phone, with any key and from any network, until the earliest is over", async () => {
    const app = testApp();
    for (let nth = 0; nth < 4; nth++)
      expect((await bookAs(app, nth, { customer_email: `pat${nth}@example.com` })).status).toBe(201);
    const refused = await bookAs(app, 4, { customer_email: "new@example.com", customer_phone: "(404) 555-0111" });
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ error_code: "RATE_LIMITED", recoverable: true });
    expect(refused.json.message).toBe("No more than 4 bookings to come are kept for one phone number.");
    // The wait does not tell when the customer's appointment ends.
    expect(limitOf(refused)).toEqual([4, 0, 3600, "bookings-to-come-per-customer", 3600]);
    expect(refused.json.agent_instruction).toStartWith("There is room once an appointment is over or cancelled");
    const first = (await app.store.upcoming(0, ["confirmed"]))[0];
    const wait = Math.ceil(((first?.endAt ?? 0) - app.now().epochMilliseconds) / 1000);

    app.advance({ seconds: wait - 1 });
    expect((await bookAs(app, 5)).status).toBe(429);
    app.advance({ seconds: 1 });
    expect((await bookAs(app, 10)).status).toBe(201);
  });

  test("by e-mail address, in any letter case, among the bookings of one caller", async () => {
    const app = appWith({ "rate_limits.bookings_per_10_minutes": 20 });
    const spellings = ["pat@example.com", "PAT@example.com", "Pat@Example.com", "pAt@eXample.com"];
    const book = (nth: number, customer_email: string, from: string) => {
      const wish = { ...LIMITED, date: DATES[nth % DATES.length], customer_email, customer_phone: freshPhone() };
      return app.post(`${API}/bookings`, wish, { from });
    };
    for (const [nth, email] of spellings.entries()) expect((await book(nth, email, "203.0.113.1")).status).toBe(201);
    const refused = await book(4, "paT@example.com", "203.0.113.1");
    expect(refused.status).toBe(429);
    expect(refused.json.message).toBe("No more than 4 bookings to come are kept for one e-mail address and caller.");
    expect(limitOf(refused)).toEqual([4, 0, 3600, "bookings-to-come-per-customer", 3600]);
    expect((await book(5, "other@example.com", "203.0.113.1")).status).toBe(201);
    // A stranger who typed somebody's address four times shuts nobody else out.
    expect((await book(6, "pat@example.com", "203.0.113.2")).status).toBe(201);
  });

  test("a cancelled one makes room at once; the catalog says how many", async () => {
    const app = appWith({ "bookings.open_per_customer": 1 });
    const { json } = await bookAs(app, 0);
    const refused = await bookAs(app, 1);
    expect(refused.json.message).toBe("No more than 1 booking to come is kept for one phone number.");
    await app.store.changeBookingStatus(json.data.confirmation_code, "cancelled_by_shop", app.now().epochMilliseconds);
    expect((await bookAs(app, 2)).status).toBe(201);
  });
});

describe("the limit of a phone number for the day", () => {
  test("is told with its own number and the shop's midnight, whatever else is full", async () => {
    const edits = { "bookings.open_per_customer": 2, "rate_limits.bookings_per_10_minutes": 2 };
    const app = appWith(edits);
    for (const date of DATES.slice(0, 2)) await app.post(`${API}/bookings`, { ...LIMITED, date });
    const refused = await app.post(`${API}/bookings`, { ...LIMITED, date: DATES[2] });
    expect(refused.json.message).toBe("No more than 2 bookings a day are taken for one phone number.");
    expect(refused.json.agent_instruction).toContain("midnight");
    // It is 10:00 at the shop.
    expect(limitOf(refused)).toEqual([2, 0, 14 * 3600, "bookings-per-phone-per-day", 14 * 3600]);
  });

  test("ends at midnight on the day that has 25 hours", async () => {
    const app = testApp({ now: Temporal.Instant.from("2026-11-01T04:00:00Z") });
    for (const date of DATES.slice(0, 2)) await app.post(`${API}/bookings`, { ...LIMITED, date });
    const refused = await app.post(`${API}/bookings`, { ...LIMITED, date: DATES[2] }, { from: "192.0.2.9" });
    expect(limitOf(refused)).toEqual([2, 0, 25 * 3600, "bookings-per-phone-per-day", 25 * 3600]);
  });
});

describe("the warning of many bookings", () => {
  test.each([
    [12, 1],
    [29, 1],
    // The first one is more than an hour ago when the third one is made.
    [31, 0],
  ])("%d minutes between bookings: %d to the shop, with the booking that passes the rate", async (minutes, count) => {
    const app = appWith({ "alerts.bookings_per_hour": 2 });
    const codes: string[] = [];
    for (let nth = 0; nth < 5; nth++) {
      const stranger = { customer_phone: freshPhone(), customer_email: `p${nth}@example.com` };
      codes.push((await bookAs(app, nth, stranger)).json.data.confirmation_code);
      app.advance({ minutes });
    }
    const warnings = await app.store.waitingJobs(99, { kinds: ["bookings_alert_sms"] });
    const warning = {
      text: `More than 2 bookings within an hour, the last one ${codes[2]}. Who made it: tint bookings show ${codes[2]}. All of them: tint bookings cancel --since 1h`,
    };
    expect(warnings.map(({ content }) => content?.payload)).toEqual(Array(count).fill(warning));
  });
});

test("a key remembers the network that registered it, and a booking who made it", async () => {
  const app = testApp();
  const key = await registerKey(app, "agent@example.com", "2001:db8:1:2:3::4");
  const [kept] = await app.store.keys();
  expect(kept?.network).toBe("2001:db8:1:2::/64");
  const headers = { "X-API-Key": key, "User-Agent": "ChatGPT-User/1.0" };
  const { json } = await app.post(`${API}/bookings`, BOOKING, { headers, from: "203.0.113.9" });
  const expected = { keyId: kept?.id ?? "", network: "203.0.113.9", agentClass: "openai" };
  expect(await app.store.findBooking(json.data.confirmation_code)).toMatchObject(expected);
});

describe("a flood from an IPv6 network that one customer was given whole", () => {
  const FAQ = `${API}/faq`;
  /** How many of these addresses are answered. */
  async function served(app: TestApp, addresses: string[], path = FAQ) {
    let count = 0;
    for (const from of addresses) if ((await app.get(path, { from })).status === 200) count += 1;
    return count;
  }
  const catalog = catalogWith({ "rate_limits.anonymous_per_minute": 3 });
  const hex = (n: number) => n.toString(16);

  test("is limited by /56 and by /48, and nobody beside it waits", async () => {
    const app = testApp({ catalog });
    const in56 = Array.from({ length: 100 }, (_, i) => `2001:db8:1:${hex(i)}::1`);
    expect(await served(app, in56)).toBe(8 * 3);
    expect(await served(app, ["2001:db8:1:100::1", "2001:db8:2::1", "192.0.2.7"])).toBe(3);
    const in48 = Array.from({ length: 300 }, (_, i) => `2001:db8:3:${hex(i * 0x100 + 5)}::1`).slice(0, 256);
    expect(await served(app, in48)).toBe(32 * 3);
    const { headers } = await app.get(FAQ, { from: "2001:db8:3:ffff::1" });
    expect([headers.get("x-ratelimit-limit"), headers.get("retry-after")]).toEqual([String(32 * 3), "60"]);
    expect(await served(app, ["2001:db8:4::1", "192.0.2.8"])).toBe(2);
  });

  test("registers no more keys than the networks around it may, and nothing for what was refused", async () => {
    const app = appWith({ "rate_limits.ipv6_56_times": 2, "rate_limits.registrations_per_hour": 1 });
    const register = async (nth: number, body: object = { name: "A", email: `a${nth}@example.com` }) =>
      (await app.post(`${API}/register`, body, { from: `2001:db8:1:${hex(nth)}::1` })).status;
    expect([await register(1, {}), await register(1, {}), await register(1)]).toEqual([400, 400, 201]);
    // Who asks whether an address has a key is counted against the address.
    expect(await register(2, { name: "A", email: "A1@example.com" })).toBe(429);
    expect([await register(2), await register(3), await register(0x100)]).toEqual([201, 429, 201]);
  });
});

const CHROME = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko";

test.each([
  ["Google-Gemini-CLI/1.2", "google"],
  ["Gemini-Deep-Research", "google"],
  [`${CHROME}; compatible; Google-Agent; +https://developers.google.com/) Chrome/142.0.0.0`, "google"],
  [`${CHROME}) Chrome/142.0.0.0 Safari/537.36 (compatible; GoogleAgent-Mariner)`, "google"],
  [`${CHROME}; compatible; ChatGPT-User/1.0; +https://openai.com/bot)`, "openai"],
  ["ChatGPT Agent/1.0", "openai"],
  ["Claude-User/1.0", "anthropic"],
  ["Claude-Code/2.1 (cli)", "anthropic"],
  [`${CHROME}; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)`, "perplexity"],
  [`${CHROME}; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)`, "mistral"],
  ["DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)", "duckduckgo"],
  [`${CHROME}; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)`, "amazon"],
  [`${CHROME}) Chrome/142.0.0.0 Safari/537.36 NovaAct/1.0`, "amazon"],
  ["Mozilla/5.0 (compatible; Applebot/0.1; +http://www.apple.com/go/applebot)", "apple"],
  ["meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", "meta"],
  ["Mozilla/5.0 (compatible; AzureAI-SearchBot/1.0)", "microsoft"],
  ["Manus-User/1.0", "others"],
  ["kagi-fetcher/1.0", "others"],
  [`${CHROME}) Chrome/142.0.0.0 Mobile Safari/537.36`, null],
])("%s is of the class %p", async (name, agentClass) => {
  const app = fileApp();
  const ask = (from: string) => app.get(`${API}/faq`, { from, headers: { "User-Agent": name } });
  const counts = [await ask("192.0.2.1"), await ask("198.51.100.1")].map(({ headers }) =>
    ["x-ratelimit-limit", "x-ratelimit-remaining"].map((header) => Number(headers.get(header))),
  );
  expect(counts.flat()).toEqual(agentClass === null ? [60, 59, 60, 59] : [120, 119, 120, 118]);
  await app.post(`${API}/quote-request`, { ...QUOTE, phone: freshPhone() }, { headers: { "User-Agent": name } });
  const expected = { agent_class: agentClass, user_agent: name };
  expect(app.db.query("SELECT agent_class, user_agent FROM leads").get()).toEqual(expected);
});

test("an owner's new word counts at once, for its class alone", async () => {
  const app = appWith({ "rate_limits.agent_classes.others": ["SomeNewAgent"] });
  const { headers } = await app.get(`${API}/faq`, { headers: { "User-Agent": "SomeNewAgent/3" } });
  expect(headers.get("x-ratelimit-limit")).toBe("120");
});

test("registration: 201 with a key that is shown once and stored as a hash", async () => {
  const app = fileApp();
  const body = { name: "Agent", email: "Agent@example.com", use_case: "Test" };
  const { status, json } = await app.post(`${API}/register`, body);
  expect(status).toBe(201);
  expect(json.data).toEqual({
    api_key: expect.stringMatching(/^tint_live_[0-9A-Za-z]{38}$/),
    key_id: expect.stringMatching(/^key_/),
    name: "Agent",
    email: "Agent@example.com",
    rate_limit_per_minute: 300,
    bookings_per_10_minutes: 3,
    created_at: "2026-11-21T10:00:00-05:00",
  });
  const stored = app.db.query("SELECT * FROM api_keys").get() as Record<string, unknown>;
  expect(JSON.stringify(stored)).not.toContain(json.data.api_key);
  expect(stored).toMatchObject({
    hash: new Bun.CryptoHasher("sha256").update(json.data.api_key).digest("hex"),
    prefix: json.data.api_key.slice(0, 12),
  });
  expect(app.counts()).toEqual({ leads: 0, bookings: 0, jobs: 0, keys: 1 });
});
