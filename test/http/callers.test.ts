/** Who calls: programs that speak for customers, whose service is stored and limited (contract 8), and those that registered a key. */
import { describe, expect, test } from "bun:test";
import { API, catalogWith, fileApp, freshPhone, QUOTE, registerKey, testApp } from "../helpers.ts";

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
  expect(counts).toEqual(
    agentClass === null
      ? [
          [60, 59],
          [60, 59],
        ]
      : [
          [120, 119],
          [120, 118],
        ],
  );
  await app.post(`${API}/quote-request`, { ...QUOTE, phone: freshPhone() }, { headers: { "User-Agent": name } });
  expect(app.db.query("SELECT agent_class, user_agent FROM leads").get()).toEqual({
    agent_class: agentClass,
    user_agent: name,
  });
});

test("an owner's new word counts at once, for its class alone", async () => {
  const app = testApp({ catalog: catalogWith({ "rate_limits.agent_classes.others": ["SomeNewAgent"] }) });
  const { headers } = await app.get(`${API}/faq`, { headers: { "User-Agent": "SomeNewAgent/3" } });
  expect(headers.get("x-ratelimit-limit")).toBe("120");
});

describe("registration", () => {
  test("201 with a key that is shown once and stored as a hash", async () => {
    const app = fileApp();
    const { status, json } = await app.post(`${API}/register`, {
      name: "Agent",
      email: "Agent@example.com",
      use_case: "Test",
    });
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

  test("either header carries the key", async () => {
    const app = testApp();
    const key = await registerKey(app, "agent@example.com");
    for (const headers of [
      { Authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key} ` },
      { "X-API-Key": key },
      { "X-API-Key": key, Authorization: `Bearer ${key}` },
    ] as Record<string, string>[]) {
      const answer = await app.get(`${API}/faq`, { headers });
      expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, "300"]);
    }
  });
});
