/** Refusals and callers are kept in memory: each caller still gets an answer of their own, and nothing outlives its catalog. */
import { expect, test } from "bun:test";
import { API, CATALOG, catalogWith, registerKey, type TestApp, testApp } from "../helpers.ts";

const REFUSALS: [string, number, (app: TestApp, headers?: Record<string, string>) => ReturnType<TestApp["get"]>][] = [
  ["a wrong shade", 400, (app, headers = {}) => app.post(`${API}/estimates`, { shade: "black" }, { headers })],
  ["no JSON", 400, (app, headers = {}) => app.post(`${API}/estimates`, "vehicle", { headers })],
  [
    "an unknown vehicle",
    404,
    (app, headers = {}) => app.post(`${API}/estimates`, { vehicle_type: "boat" }, { headers }),
  ],
  ["no area", 400, (app, headers = {}) => app.post(`${API}/flat-glass/estimate`, {}, { headers })],
  [
    "a date that does not exist",
    400,
    (app, headers = {}) => app.get(`${API}/availability?date=2026-02-30`, { headers }),
  ],
  ["a path that does not exist", 404, (app, headers = {}) => app.get("/nowhere", { headers })],
];

test.each(REFUSALS)(
  "%s is refused again in the same words, to each caller by their own limit",
  async (_, status, send) => {
    const app = testApp();
    const withKey = { "X-API-Key": await registerKey(app, "pat@example.com") };
    const answers = [await send(app), await send(app), await send(app, withKey), await send(app)];
    // A catalog of its own, for which nothing is kept.
    const fresh = await send(testApp({ catalog: catalogWith() }));
    for (const { status: received, headers, json } of answers) {
      expect(received).toBe(status);
      expect(json).toEqual({ ...fresh.json, request_id: headers.get("x-request-id") });
    }
    expect(new Set(answers.map(({ json }) => json.request_id)).size).toBe(answers.length);
    const { anonymous_per_minute, api_key_per_minute } = CATALOG.rate_limits;
    expect(answers.map(({ headers }) => Number(headers.get("x-ratelimit-limit")))).toEqual([
      anonymous_per_minute,
      anonymous_per_minute,
      api_key_per_minute,
      anonymous_per_minute,
    ]);
  },
);

test("a changed catalog changes a refusal at once", async () => {
  const app = testApp();
  const instruction = async () =>
    (await app.post(`${API}/estimates`, { vehicle_type: "boat" })).json.agent_instruction as string;
  expect(await instruction()).toContain(CATALOG.business.phone);
  const phone = "+1 404-555-0199";
  app.setCatalog(catalogWith({ "business.phone": phone }));
  expect(await instruction()).toContain(phone);
});

test("a refusal says what today is, also after midnight", async () => {
  const app = testApp();
  const message = async () => (await app.get(`${API}/availability?date=2026-02-30`)).json.message as string;
  expect(await message()).toContain("Saturday, 2026-11-21");
  app.advance({ hours: 24 });
  expect(await message()).toContain("Sunday, 2026-11-22");
});

test("a caller who was let in before is refused with the header of a blocked country, and let in without it", async () => {
  const app = testApp({ catalog: catalogWith({ "access.blocked_countries": ["KP"] }), trusted: ["192.0.2.1"] });
  const header = catalogWith().access.country_header;
  const from = { "X-Forwarded-For": "198.51.100.7" };
  const status = async (headers: Record<string, string>) => (await app.get(`${API}/faq`, { headers })).status;
  expect([await status(from), await status({ ...from, [header]: "KP" }), await status(from)]).toEqual([200, 403, 200]);
});
