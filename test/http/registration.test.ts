/** Registration of API keys. */
import { describe, expect, test } from "bun:test";
import { API, fileApp, registerKey, testApp } from "../helpers.ts";

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
