/** Guesses at a request id: to a caller without a key, the request of another tells nothing, and few may be guessed. */
import { describe, expect, test } from "bun:test";
import { API, appWith, BOOKING, catalogWith, manyCallers, QUOTE, registerKey, testApp } from "../helpers.ts";
import { lookup, WRONG } from "./manage-requests.ts";
import { WAYS } from "./ways-in.ts";

const APP = manyCallers();
const OWN = "198.51.100.1";
const CASES = WAYS.flatMap(([name, ask]) =>
  (
    [
      ["book_appointment", { ...BOOKING, booking_request_id: "order-1" }, { film_type: "standard", shade: 50 }],
      ["quote_request", { ...QUOTE, quote_request_id: "order-1" }, { message: "Hello", service_type: "residential" }],
    ] as const
  ).map(([id, first, wrong]) => ({ name, ask, id, first, wrong })),
);
const limitOf = (answer: { headers: Headers }) =>
  ["scope", "remaining"].map((name) => answer.headers.get(`x-ratelimit-${name}`));

describe.each(CASES)("$id over $name", ({ ask, id, first, wrong }) => {
  test("every difference gets the same sentence, without a field or a word of the first request", async () => {
    const app = testApp();
    expect((await ask(app, id, first, { from: OWN })).body.success).toBe(true);
    const seen = [];
    for (const [field, value] of Object.entries({ ...wrong, name: "Nobody" })) {
      const name = id === "book_appointment" ? "customer_name" : "first_name";
      const guess = { ...first, [field === "name" ? name : field]: value };
      const { body } = await ask(app, id, guess, { from: `203.0.113.${seen.length}` });
      seen.push([body.error_code, body.message, body.invalid_fields, body.agent_instruction]);
    }
    expect(seen[0]?.[0]).toBe("IDEMPOTENCY_CONFLICT");
    expect(seen[0]?.[1]).toEndWith("was used before with a different body.");
    expect(seen[0]?.[2]).toBeUndefined();
    for (const one of seen) expect(one).toEqual(seen[0] ?? []);
  });

  test("five from one network in ten minutes, then 429, for the right body too; elsewhere it is answered", async () => {
    const app = testApp();
    const told = await ask(app, id, first, { from: OWN });
    const from = "203.0.113.5";
    const codes = [];
    for (let i = 0; i < 6; i++) codes.push((await ask(app, id, { ...first, ...wrong }, { from })).body.error_code);
    expect(codes).toEqual([...Array(5).fill("IDEMPOTENCY_CONFLICT"), "RATE_LIMITED"]);
    const right = await ask(app, id, first, { from });
    expect(right.body.error_code).toBe("RATE_LIMITED");
    expect(right.body.message).toBe("Too many wrong codes, contacts or request ids; wait 600 s.");
    // Wrong codes of that network count with them.
    expect((await lookup(app, { confirmation_code: "NOSUCH00", phone: WRONG }, from)).status).toBe(429);
    for (const other of [OWN, "203.0.113.6"])
      expect((await ask(app, id, first, { from: other })).body.data).toEqual(told.body.data);
    app.advance({ seconds: 601 });
    expect((await ask(app, id, first, { from })).body.data).toEqual(told.body.data);
  });

  test("five at one id from everywhere; very many in a day end in 429 for the right body, but not where it came from", async () => {
    const app = appWith({ "rate_limits.wrong_codes_per_code_per_day": 7 });
    const told = await ask(app, id, first, { from: OWN });
    const guess = async (i: number) =>
      (await ask(app, id, { ...first, ...wrong }, { from: `203.0.113.${i}` })).body.error_code;
    for (let i = 0; i < 5; i++) expect(await guess(i)).toBe("IDEMPOTENCY_CONFLICT");
    expect(await guess(5)).toBe("RATE_LIMITED");
    expect((await ask(app, id, first, { from: "203.0.113.9" })).body.data).toEqual(told.body.data);
    app.advance({ minutes: 11 });
    for (let i = 6; i < 8; i++) expect(await guess(i)).toBe("IDEMPOTENCY_CONFLICT");
    expect((await ask(app, id, first, { from: "203.0.113.9" })).body.error_code).toBe("RATE_LIMITED");
    expect((await ask(app, id, first, { from: OWN })).body.data).toEqual(told.body.data);
  });

  test("with a key, whose ids are its own, the fields are named, and nothing counts", async () => {
    const app = testApp();
    const headers = { "X-API-Key": await registerKey(app, "agent@example.org") };
    expect((await ask(app, id, first, { headers })).body.success).toBe(true);
    for (let i = 0; i < 7; i++) {
      const { body } = await ask(app, id, { ...first, ...wrong }, { headers });
      const fields = Object.keys(wrong);
      expect(body.error_code).toBe("IDEMPOTENCY_CONFLICT");
      for (const field of fields) expect(body.message).toContain(field);
      if (body.invalid_fields)
        expect(body.invalid_fields.map((one: { field: string }) => one.field).sort()).toEqual([...fields].sort());
    }
    expect((await ask(app, id, first, { headers })).body.success).toBe(true);
  });
});

describe("a dry run without a key", () => {
  const asked = { ...BOOKING, booking_request_id: "order-1" };
  const REQUESTS = [
    ["/bookings", asked, { message: undefined, film_type: "standard" }],
    ["/quote-request", { ...QUOTE, quote_request_id: "order-1" }, { message: "Another" }],
  ] as const;

  test.each(REQUESTS)(
    "%s: from another network it knows no earlier request, and counts nothing",
    async (path, first, wrong) => {
      const app = appWith({ "scheduling.bays": 9 });
      expect((await app.post(API + path, first, { from: OWN })).status).toBeOneOf([200, 201]);
      app.advance({ minutes: 1 });
      const dry = (body: object) => app.post(API + path, { ...body, dry_run: true }, { from: "203.0.113.5" });
      const [right, wrongly, unknown] = [
        await dry(first),
        await dry({ ...first, ...wrong }),
        await dry({ ...first, quote_request_id: undefined, booking_request_id: undefined }),
      ];
      for (const { status, headers, json } of [right, wrongly, unknown]) {
        expect([status, json.data.status, headers.get("idempotent-replayed")]).toEqual([200, "dry_run", null]);
        expect(json.data.received_at).toBe(path === "/bookings" ? undefined : "2026-11-21T10:01:00-05:00");
      }
      expect(limitOf(await lookup(app, { confirmation_code: "NOSUCH00", phone: WRONG }, "203.0.113.5"))).toEqual([
        "wrong-codes-per-10-minutes",
        "4",
      ]);
    },
  );

  test.each(REQUESTS)(
    "%s: on the network of the first request it answers what that would, and counts",
    async (path, first, wrong) => {
      const app = testApp();
      const told = await app.post(API + path, first, { from: OWN });
      const dry = (body: object) => app.post(API + path, { ...body, dry_run: true }, { from: OWN });
      const same = await dry(first);
      expect([same.status, same.json.data.start]).toEqual([200, told.json.data.start]);
      for (let i = 0; i < 5; i++) expect((await dry({ ...first, ...wrong })).status).toBe(409);
      expect((await dry({ ...first, ...wrong })).status).toBe(429);
    },
  );
});

test("a wrong body that today's catalog refuses is a guess, too", async () => {
  const app = testApp();
  const first = { ...BOOKING, booking_request_id: "order-1" };
  await app.post(`${API}/bookings`, first, { from: OWN });
  app.setCatalog(catalogWith({ "bookings.require_consent": true }));
  const guess = () => app.post(`${API}/bookings`, { ...first, film_type: "standard" }, { from: "203.0.113.5" });
  for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(400);
  expect((await guess()).status).toBe(429);
  expect((await app.post(`${API}/bookings`, first, { from: OWN })).status).toBe(201);
});

test("a body that was booked by another process after our look is a guess, too", async () => {
  const first = { ...BOOKING, booking_request_id: "order-1" };
  const app = testApp();
  await app.post(`${API}/bookings`, first, { from: OWN });
  const late = testApp({ store: { ...app.store, findEarlier: async () => null } });
  const guess = () => late.post(`${API}/bookings`, { ...first, film_type: "standard" }, { from: "203.0.113.5" });
  for (let i = 0; i < 5; i++) expect((await guess()).json.message).toEndWith("with a different body.");
  expect((await guess()).status).toBe(429);
});

test("the conflict is shown with the caller's own request under a fresh id, as a dry run", async () => {
  const first = { ...BOOKING, booking_request_id: "order-1" };
  for (const isKnown of [false, true]) {
    const app = appWith({ "scheduling.bays": 9 });
    const options = isKnown ? { headers: { "X-API-Key": await registerKey(app, "agent@example.org") } } : {};
    await app.post(`${API}/bookings`, first, options);
    const wrong = { ...first, film_type: "standard", time: "10:00" };
    const { usage } = (await app.post(`${API}/bookings`, wrong, options)).json;
    const { booking_request_id: id, ...sample } = usage.sample_request;
    const { booking_request_id: _, ...body } = wrong;
    expect([sample, usage.fill_in]).toEqual([{ ...body, dry_run: true }, undefined]);
    expect(id).toMatch(/^try_\w{16}$/);
  }
});

describe("no document prints a request id that can be sent", () => {
  const DOCUMENTS = [
    ...["/api/v1", `${API}/capabilities`, `${API}/docs`, `${API}/docs-md`, "/llms.txt", "/llms-full.txt"],
    ...[`${API}/openapi.json`, `${API}/openapi.json?profile=tools`, `${API}/estimates`],
    ...["/.well-known/agent-card.json", "/.well-known/agent.json", "/.well-known/agents.json", "/.well-known/mcp.json"],
    ...["/.well-known/ai-plugin.json", "/.well-known/api-catalog", "/", "/book"],
  ];
  /** The name of a field or header, and what is printed as its value or as an example of it. */
  const FIELD = /(?:booking|quote)_request_id"?\s*:\s*"[^"]/;
  const USABLE = [FIELD, /Idempotency-Key: *[\w"]/, /\btry_\w{16}/, /"example":\s*"order/];

  test.each(DOCUMENTS)("%s", async (path) => {
    const { status, text } = await APP.get(path, { headers: { accept: "*/*" } });
    expect(status).toBeOneOf([200, 302, 303]);
    const plain = text.replaceAll("&quot;", '"').replace(/<[^>]*>/g, "");
    for (const usable of USABLE) expect(usable.exec(plain)?.[0]).toBeUndefined();
  });

  test("the tools of MCP", async () => {
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const { text } = await testApp().post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { headers });
    expect(text).toContain("booking_request_id");
    for (const usable of USABLE) expect(usable.exec(text)?.[0]).toBeUndefined();
  });

  test("the walk of docs/api.md", async () => {
    const text = await Bun.file(new URL("../../docs/api.md", import.meta.url)).text();
    expect(/try_\w+/.exec(text)?.[0]).toBeUndefined();
  });
});
