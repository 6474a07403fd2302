/** Who shares a limit with whom, what a used-up limit answers, and what it does not count. Source: contract 8. */
import { describe, expect, test } from "bun:test";
import { mintKey } from "../../src/lib/ids.ts";
import { type Answer, fileApp, registerKey, type SendOptions, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, freshPhone, QUOTE } from "../fixed-day.ts";
import { appWith, CATALOG, catalogWith } from "../helpers.ts";

const FAQ = `${API}/faq`;
const limit = ({ headers }: Answer) => Number(headers.get("x-ratelimit-limit"));
const left = ({ headers }: Answer) => Number(headers.get("x-ratelimit-remaining"));
const retryAfter = ({ headers }: Answer) => Number(headers.get("retry-after"));
async function exhaust(app: TestApp, count: number, options: SendOptions = {}) {
  for (let i = 0; i < count; i++) expect((await app.get(FAQ, options)).status).toBe(200);
}

describe("pools", () => {
  const CLAUDE = { "User-Agent": "Mozilla/5.0 (compatible; ClaudeBot/1.0)" };
  const PROXIES = ["10.0.0.0/8", "2001:db8:ffff::/48"];
  const forwarded = (chain: string, headers: Record<string, string> = {}): SendOptions => ({
    from: "10.0.0.1",
    headers: { "X-Forwarded-For": chain, ...headers },
  });

  test("addresses of one IPv6 /64 share a pool, others do not", async () => {
    const app = testApp();
    await exhaust(app, 30, { from: "2001:db8:0:1::1" });
    await exhaust(app, 30, { from: "2001:db8:0:1:ffff:ffff:ffff:ffff" });
    expect((await app.get(FAQ, { from: "2001:db8:0:1:1234::" })).status).toBe(429);
    const other = await app.get(FAQ, { from: "2001:db8:0:2::1" });
    expect([other.status, limit(other), left(other)]).toEqual([200, 60, 59]);
  });

  test("an IPv4 address mapped into IPv6 counts as the IPv4 address", async () => {
    const app = testApp();
    await app.get(FAQ, { from: "::ffff:192.0.2.1" });
    expect(left(await app.get(FAQ, { from: "192.0.2.1" }))).toBe(58);
    expect(left(await app.get(FAQ, { from: "::ffff:192.0.2.9" }))).toBe(59);
  });

  test("a known agent class shares 120 across addresses and versions", async () => {
    const app = testApp();
    for (let i = 0; i < 120; i++) {
      const options = { from: `198.51.100.${i}`, headers: { "User-Agent": i % 2 ? "claudebot/2" : "Claude-User" } };
      const answer = await app.get(FAQ, options);
      expect([answer.status, limit(answer), left(answer)]).toEqual([200, 120, 119 - i]);
    }
    const refused = await app.get(FAQ, { from: "203.0.113.1", headers: CLAUDE });
    expect([refused.status, limit(refused), left(refused)]).toEqual([429, 120, 0]);
    expect((await app.get(FAQ, { headers: { "User-Agent": "GPTBot" } })).status).toBe(200);
    expect((await app.get(FAQ, { from: "203.0.113.1" })).status).toBe(200);
  });

  test("a key has 300 of its own, whatever the address and agent", async () => {
    const app = testApp();
    const key = await registerKey(app, "agent@example.com");
    for (let i = 0; i < 300; i++) {
      const options = { from: `198.51.100.${i % 200}`, headers: { ...CLAUDE, "X-API-Key": key } };
      const { status } = await app.get(FAQ, options);
      expect(status).toBe(200);
    }
    const refused = await app.get(FAQ, { headers: { Authorization: `Bearer ${key}` } });
    expect([refused.status, limit(refused)]).toEqual([429, 300]);
    expect(left(await app.get(FAQ, { headers: CLAUDE }))).toBe(119);
  });

  test("a key can have a limit of its own", async () => {
    const app = fileApp();
    const key = await registerKey(app, "agent@example.com");
    app.db.run("UPDATE api_keys SET rate_per_minute = 2");
    const headers = { "X-API-Key": key };
    expect(limit(await app.get(FAQ, { headers }))).toBe(2);
    await app.get(FAQ, { headers });
    expect((await app.get(FAQ, { headers })).status).toBe(429);
  });

  test("an unknown or revoked key is charged to the caller's address", async () => {
    const app = fileApp();
    const key = await registerKey(app, "agent@example.com");
    app.db.run("UPDATE api_keys SET revoked_at = 1");
    for (const [i, sent] of [key, mintKey().key, mintKey().key, "junk"].entries()) {
      const answer = await app.get(FAQ, { headers: { "X-API-Key": sent } });
      expect([limit(answer), left(answer)]).toEqual([60, 59 - i]);
    }
  });

  test("X-Forwarded-For counts only from a trusted proxy", async () => {
    const app = testApp({ trusted: PROXIES });
    await app.get(FAQ, { from: "203.0.113.7", headers: { "X-Forwarded-For": "198.51.100.1" } });
    expect(left(await app.get(FAQ, { from: "203.0.113.7", headers: { "X-Forwarded-For": "198.51.100.2" } }))).toBe(58);
    await app.get(FAQ, forwarded("198.51.100.1"));
    expect(left(await app.get(FAQ, forwarded("198.51.100.2")))).toBe(59);
    expect(left(await app.get(FAQ, forwarded("198.51.100.1")))).toBe(58);
  });

  test.each([
    ["203.0.113.9", []],
    ["10.0.0.1", [expect.stringContaining("TINT_TRUSTED_PROXIES")]],
  ])("a proxy that names %s as the caller: the owner is warned of %p", async (caller, warnings) => {
    const app = testApp({ trusted: PROXIES });
    await app.get("/livez", forwarded("10.0.0.2"));
    await app.get(FAQ, forwarded(caller));
    expect((await app.get("/readyz")).json.warnings).toEqual(warnings);
  });

  test("X-Forwarded-For is read from right to left, up to the first that is not trusted", async () => {
    const app = testApp({ trusted: PROXIES });
    // The client can only write entries on the left.
    for (const [i, chain] of [
      "198.51.100.9",
      "1.2.3.4, 198.51.100.9",
      "5.6.7.8, 1.2.3.4, 198.51.100.9, 10.9.9.9",
      "10.0.0.7, 198.51.100.9, 10.9.9.9,10.8.8.8",
      "nonsense, 198.51.100.9",
      "1.2.3.4, 198.51.100.9:51234",
      "1.2.3.4, ::ffff:198.51.100.9",
    ].entries()) {
      expect([chain, left(await app.get(FAQ, forwarded(chain)))]).toEqual([chain, 59 - i]);
    }
    await app.get(FAQ, forwarded("2001:db8:0:9::1"));
    expect(left(await app.get(FAQ, forwarded("[2001:db8:0:9::2]:443")))).toBe(58);
  });

  test("without a believable entry the proxy itself is counted", async () => {
    const app = testApp({ trusted: PROXIES });
    for (const [i, chain] of ["", "unknown", "198.51.100.9, unknown", "999.1.1.1", "1234567890"].entries()) {
      expect([chain, left(await app.get(FAQ, forwarded(chain)))]).toEqual([chain, 59 - i]);
    }
  });

  test("X-Forwarded-User-Agent counts only from a trusted proxy", async () => {
    const app = testApp({ trusted: PROXIES });
    const headers = { "X-Forwarded-User-Agent": "ClaudeBot", "User-Agent": "proxy/1.0" };
    expect(limit(await app.get(FAQ, { from: "203.0.113.7", headers }))).toBe(60);
    expect(limit(await app.get(FAQ, forwarded("203.0.113.7", headers)))).toBe(120);
    expect(limit(await app.get(FAQ, forwarded("203.0.113.7", { "User-Agent": "ClaudeBot" })))).toBe(120);
  });

  test("programs behind one address are told apart, also when they take turns, directly or through a proxy", async () => {
    const app = testApp({ trusted: PROXIES });
    const callers = [
      { from: "198.51.100.9" },
      { from: "198.51.100.9", headers: CLAUDE },
      forwarded("198.51.100.9", CLAUDE),
      // Without a believable address the proxy itself is counted.
      forwarded("unknown"),
      { ...forwarded("unknown"), from: "10.0.0.2" },
    ];
    const lefts: unknown[] = [];
    for (let turn = 0; turn < 2; turn++) for (const caller of callers) lefts.push(left(await app.get(FAQ, caller)));
    expect(lefts).toEqual([59, 119, 118, 59, 59, 58, 117, 116, 58, 58]);
  });

  test("livez and readyz are charged to nobody, and answered when the limit is used up", async () => {
    const app = testApp();
    await app.get(FAQ);
    for (const path of ["/livez", "/readyz", "/livez/"]) {
      const [get, head] = [await app.get(path), await app.send("HEAD", path)];
      expect([get.status, left(get), head.status, left(head)]).toEqual([200, 59, 200, 59]);
    }
    await exhaust(app, 59);
    for (const path of ["/livez", "/readyz"]) {
      const answer = await app.get(path);
      expect([answer.status, left(answer)]).toEqual([200, 0]);
    }
  });

  test("OPTIONS and wrong methods do not use the limit of quote requests", async () => {
    const app = testApp();
    for (let i = 0; i < 5; i++) expect((await app.send("OPTIONS", `${API}/quote-request`)).status).toBe(204);
    expect((await app.post(`${API}/quote-request`, QUOTE)).status).toBe(200);
    const other = testApp();
    for (let i = 0; i < 5; i++) expect((await other.get(`${API}/quote-request`)).status).toBe(405);
    expect((await other.post(`${API}/quote-request`, QUOTE)).status).toBe(200);
  });

  test("credentials for other programs are ignored where no key is taken, and refused by the capabilities", async () => {
    const app = testApp();
    const rpc = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const asks: ((headers: Record<string, string>) => Promise<Answer>)[] = [
      ...["/llms.txt", `${API}/capabilities`, `${API}/docs`, `${API}/openapi.json`, "/.well-known/agents.json"].map(
        (path) => (headers: Record<string, string>) => app.get(path, { headers }),
      ),
      (headers) =>
        app.post("/mcp", rpc, {
          headers: { ...headers, "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        }),
      (headers) => app.post("/a2a", { ...rpc, method: "tasks/list" }, { headers }),
    ];
    for (const ask of asks) {
      for (const [name, value] of [
        ["Authorization", "Bearer eyJhbGciOi.x.y"],
        ["X-API-Key", "somebody-else"],
      ] as const) {
        const { status, headers } = await ask({ [name]: value });
        expect([status, headers.get("www-authenticate")]).toEqual([200, null]);
      }
      // An unknown key with this API's prefix is refused everywhere.
      expect((await ask({ "X-API-Key": mintKey().key })).status).toBe(401);
    }
    expect((await app.get(FAQ, { headers: { Authorization: "Bearer eyJhbGciOi.x.y" } })).status).toBe(401);
  });

  test("a preflight is charged to no pool", async () => {
    const app = testApp();
    for (let i = 0; i < 3; i++) expect(left(await app.send("OPTIONS", FAQ))).toBe(60);
    expect(left(await app.send("OPTIONS", "/nowhere"))).toBe(59);
    await exhaust(app, 59);
    expect((await app.send("OPTIONS", FAQ)).status).toBe(204);
  });

  test("quote requests are counted by key or network, never by agent class", async () => {
    const app = testApp();
    const send = (from: string, headers: Record<string, string> = CLAUDE) =>
      app.post(`${API}/quote-request`, QUOTE, { from, headers });
    for (let i = 0; i < 5; i++) expect((await send("192.0.2.1")).status).toBe(200);
    expect((await send("192.0.2.1")).status).toBe(429);
    expect((await send("192.0.2.1", {})).status).toBe(429);
    const other = await send("192.0.2.2");
    expect([other.status, limit(other), left(other)]).toEqual([200, 5, 4]);
    const key = await registerKey(app, "agent@example.com");
    const keyed = await send("192.0.2.1", { ...CLAUDE, "X-API-Key": key });
    expect([keyed.status, limit(keyed), left(keyed)]).toEqual([200, 5, 4]);
  });

  test.each([
    ["over REST", (app: TestApp, body: object) => app.post(`${API}/quote-request`, body)],
    [
      "over A2A",
      (app: TestApp, input: object) => {
        const parts = [{ kind: "data", data: { capability: "quote_request", input } }];
        const message = { kind: "message", role: "user", messageId: "m1", parts };
        return app.post("/a2a", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
      },
    ],
  ] as const)("a quote request that is refused uses nothing of their limit, %s", async (_, send) => {
    const app = testApp();
    for (let i = 0; i < 10; i++) {
      const refused = await send(app, { first_name: "Pat" });
      expect(refused.text).toContain("MISSING_FIELD");
      expect([limit(refused), left(refused)]).toEqual([5, 5]);
    }
    for (let i = 0; i < 5; i++) {
      const accepted = await send(app, QUOTE);
      expect([accepted.status, limit(accepted), left(accepted)]).toEqual([200, 5, 4 - i]);
    }
    expect((await send(app, QUOTE)).text).toContain("RATE_LIMITED");
    // The general limit counts them all.
    expect(left(await app.get(FAQ))).toBe(60 - 16);
  });

  test("a registration that is refused uses nothing of its limit", async () => {
    const app = appWith({ "rate_limits.registrations_per_hour": 2 });
    const register = async (email: string) => (await app.post(`${API}/register`, { name: "Pat", email })).status;
    for (let i = 0; i < 5; i++) expect(await register("nobody")).toBe(400);
    expect(await register("one@example.com")).toBe(201);
    expect(await register("one@example.com")).toBe(409);
    // Whether an address has a key is told so often an hour, whoever asks.
    expect(await register("one@example.com")).toBe(429);
    expect(await register("two@example.com")).toBe(201);
    expect(await register("three@example.com")).toBe(429);
  });
});

describe("refusals", () => {
  test("are charged to no pool", async () => {
    const app = testApp();
    await exhaust(app, 60);
    for (let i = 0; i < 20; i++) {
      app.advance({ seconds: 2 });
      expect((await app.get(FAQ)).status).toBe(429);
    }
    app.advance({ seconds: 20 });
    expect(left(await app.get(FAQ))).toBe(59);
  });

  test("by one limit are not charged to another limit", async () => {
    const app = testApp();
    for (let i = 0; i < 5; i++) await app.post(`${API}/quote-request`, QUOTE);
    for (let i = 0; i < 10; i++) expect((await app.post(`${API}/quote-request`, QUOTE)).status).toBe(429);
    expect(left(await app.get(FAQ))).toBe(54);
  });

  test("Retry-After is honest to the second: the general limit", async () => {
    for (const early of [0, 1]) {
      const app = testApp();
      await app.get(FAQ);
      app.advance({ milliseconds: 20_500 });
      await exhaust(app, 59);
      const refused = await app.get(FAQ);
      expect([refused.status, retryAfter(refused)]).toEqual([429, 40]);
      app.advance({ seconds: retryAfter(refused) - early });
      expect((await app.get(FAQ)).status).toBe(early ? 429 : 200);
    }
  });

  const book = (app: TestApp, i: number, phone = freshPhone()) => {
    const date = ["2026-11-24", "2026-11-25", "2026-11-27", "2026-11-28", "2026-11-30", "2026-12-01"][i];
    return app.post(`${API}/bookings`, { ...BOOKING, date, customer_phone: phone });
  };

  test("Retry-After is honest to the second: bookings of an address", async () => {
    for (const early of [0, 1]) {
      const app = testApp();
      await book(app, 0);
      app.advance({ seconds: 100 });
      await book(app, 1);
      await book(app, 2);
      const refused = await book(app, 4);
      expect([refused.status, retryAfter(refused)]).toEqual([429, 500]);
      app.advance({ seconds: 500 - early });
      expect((await book(app, 4)).status).toBe(early ? 429 : 201);
    }
  });

  test("Retry-After is honest to the second: bookings of a phone number, to the shop's midnight", async () => {
    for (const early of [0, 1]) {
      const app = testApp({ now: Temporal.Instant.from("2026-11-22T04:59:00Z") });
      const phone = freshPhone();
      for (const i of [0, 1]) expect((await book(app, i, phone)).status).toBe(201);
      const refused = await book(app, 2, phone);
      expect([refused.status, retryAfter(refused)]).toEqual([429, 60]);
      app.advance({ seconds: 60 - early });
      expect((await book(app, 2, phone)).status).toBe(early ? 429 : 201);
    }
  });

  test("Retry-After is honest when the owner has lowered the limit meanwhile", async () => {
    const app = testApp();
    for (const i of [0, 1, 2]) {
      expect((await book(app, i)).status).toBe(201);
      app.advance({ seconds: 60 });
    }
    app.setCatalog(catalogWith({ "rate_limits.bookings_per_10_minutes": 2 }));
    const refused = await book(app, 4);
    expect(refused.status).toBe(429);
    app.advance({ seconds: retryAfter(refused) });
    expect((await book(app, 4)).status).toBe(201);
  });

  test("quotas of bookings survive a restart, limits of requests need not", async () => {
    const store = testApp().store;
    const before = testApp({ store });
    for (const i of [0, 1, 2]) await book(before, i);
    const after = testApp({ store });
    expect((await book(after, 4)).status).toBe(429);
  });
});

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
  for (const header of [`${one}, ${one}`, one]) expect(await ask({ "X-API-Key": header })).toEqual([200, KEYED]);
  expect(await ask({ authorization: `bearer  ${one} ` })).toEqual([200, KEYED]);
  expect(await ask({ "X-API-Key": "" })).toEqual([200, "60"]);
  expect(await ask({ Authorization: `Bearer ${one}, Bearer ${one}`, "X-API-Key": one })).toEqual([200, KEYED]);
  expect(await ask({ Authorization: `Bearer ${one}, Bearer ${two}` })).toEqual([400, "60"]);
  expect(await ask({ "X-API-Key": `${one}, ${two}` })).toEqual([400, "60"]);
  for (const authorization of [one, `Token ${one}`]) {
    expect(await ask({ Authorization: authorization })).toEqual([401, "60"]);
  }
  // A password for the web host does not count as a key.
  expect(await ask({ Authorization: "Basic dGludDpkZXNr" })).toEqual([200, "60"]);
});
