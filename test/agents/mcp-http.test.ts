/** MCP over HTTP: limits, keys, headers, hosts, origins, and malformed messages. */
import { describe, expect, test } from "bun:test";
import { atSite } from "../../src/catalog/at-site.ts";
import { type Answer, fileApp, registerKey, type SendOptions, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, QUOTE } from "../fixed-day.ts";
import { appWith, catalogWith } from "../helpers.ts";

const JSON_RPC = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const post = (app: TestApp, body: unknown, { headers, ...options }: SendOptions = {}) =>
  app.post("/mcp", body, { ...options, headers: { ...JSON_RPC, ...headers } });
const call = (app: TestApp, name: string, input: object, options?: SendOptions) =>
  post(app, { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: input } }, options);
/** The single message of an event stream, or the body. */
const messageOf = ({ text, json }: Answer) => json ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null");
/** The error in the result of a tool. */
const refusalIn = (answer: Answer) => JSON.parse(messageOf(answer).result.content[0].text);
const remaining = ({ headers }: Answer) => Number(headers.get("x-ratelimit-remaining"));

/** The parameters and headers of a call in each revision of the protocol. */
const REVISIONS: [string, object, Record<string, string>][] = [
  ["2025-11-25", {}, { "mcp-protocol-version": "2025-11-25" }],
  [
    "2026-07-28",
    {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" },
  ],
];
const callAt = (app: TestApp, name: string, input: object, params: object, headers: Record<string, string>) =>
  post(
    app,
    { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: input, ...params } },
    { headers: { ...headers, "mcp-name": name } },
  );
const limitsOf = ({ status, headers }: Answer) => [
  status,
  headers.get("x-ratelimit-limit"),
  headers.get("x-ratelimit-remaining"),
];

test("small answers are at most 1.3 times those of REST too, for clients of the older revision", async () => {
  const app = testApp();
  for (const phone of ["+14045550177", "+14045550178"])
    for (const dry_run of [true, false]) {
      const asked = { ...QUOTE, phone, dry_run };
      const told = await call(app, "request_quote", asked);
      const rest = await app.post(`${API}/quote-request`, asked);
      expect([told.status, rest.status]).toEqual([200, 200]);
      expect(told.bytes.length).toBeLessThanOrEqual(1.3 * rest.bytes.length);
    }
});

test.each(REVISIONS)(
  "arguments in another form are read as the object they hold, revision %s",
  async (_, more, headers) => {
    const app = testApp();
    const told = async (sent: unknown, beside?: object) => {
      const answer = await callAt(app, "estimate_price", sent as object, { ...more, ...beside }, headers);
      return JSON.parse(messageOf(answer).result.content[0].text);
    };
    const car = JSON.stringify({ vehicle_type: "suv" });
    const glass = JSON.stringify({ site_type: "commercial", total_sqft: 100 });
    for (const text of [car, JSON.stringify(car), `\`\`\`json\n${car}\n\`\`\``, { arguments: car }])
      expect(await told(text)).toMatchObject({
        data: { vehicle: { type: "suv" } },
        warnings: [{ code: "UNDERSTOOD", field: "arguments" }],
      });
    expect((await told(glass)).data.kind).toBe("flat_glass");
    for (const none of [null, ""])
      expect((await told(none)).usage).toMatchObject({ sample_request: {}, fill_in: ["vehicle_type"] });
    for (const other of ["a van", 5, ["x"], "{"])
      expect((await told(other)).usage).toMatchObject({
        fill_in: ["vehicle_type"],
        fill_in_hints: [{ field: "arguments" }],
      });
    // Under another name, or beside that of the tool.
    for (const beside of [{ args: { vehicle_type: "suv" } }, { input: car }, { vehicle_type: "suv" }])
      expect(await told(undefined, beside)).toMatchObject({ data: { vehicle: { type: "suv" } } });
    expect((await told(undefined, { parameters: glass })).data.kind).toBe("flat_glass");
  },
);

describe("limits", () => {
  test("a tool call is charged once, to the same pool of the caller as over REST", async () => {
    const app = testApp();
    expect(remaining(await call(app, "get_faq", {}))).toBe(59);
    expect(remaining(await app.get(`${API}/faq`))).toBe(58);
    expect(remaining(await call(app, "estimate_price", { vehicle_type: "boat" }))).toBe(57);
    expect(remaining(await call(app, "get_faq", {}, { from: "192.0.2.9" }))).toBe(59);
  });

  test("request_quote has the five a minute of POST /quote-request, and the two share them", async () => {
    const app = fileApp();
    for (let i = 0; i < 3; i++) expect(remaining(await call(app, "request_quote", QUOTE))).toBe(4 - i);
    expect(remaining(await app.post(`${API}/quote-request`, QUOTE))).toBe(1);
    expect(remaining(await call(app, "request_quote", QUOTE))).toBe(0);
    const refused = await call(app, "request_quote", QUOTE);
    expect(refused.status).toBe(200);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("x-ratelimit-limit")).toBe("5");
    expect(messageOf(refused)).toMatchObject({ jsonrpc: "2.0", id: 7, result: { isError: true } });
    expect(refusalIn(refused)).toMatchObject({ error_code: "RATE_LIMITED", retry_after_seconds: 60 });
    expect(app.counts().leads).toBe(5);
    // Refused requests are not charged, and other tools still answer.
    expect(remaining(await call(app, "get_faq", {}))).toBe(54);
    app.advance({ minutes: 1 });
    expect((await call(app, "request_quote", QUOTE)).status).toBe(200);
  });

  test.each(REVISIONS)(
    "a refused quote request uses none of them, and the headers say so: %s",
    async (_, params, headers) => {
      const app = fileApp();
      const quote = (input: object) => callAt(app, "request_quote", input, params, headers);
      for (let i = 0; i < 3; i++) expect(limitsOf(await quote({ first_name: "Pat" }))).toEqual([200, "5", "5"]);
      expect(limitsOf(await quote(QUOTE))).toEqual([200, "5", "4"]);
    },
  );

  test("what is refused before the tool runs speaks of tools too", async () => {
    const edits = { "bookings.require_api_key": true, "mcp.tools": ["book_appointment"] };
    const app = appWith({ ...edits, "rate_limits.anonymous_per_minute": 1 });
    const noKey = await call(app, "book_appointment", BOOKING);
    const tooMany = await call(app, "book_appointment", BOOKING);
    expect([noKey.status, tooMany.status]).toEqual([401, 200]);
    const [key, limit] = [messageOf(noKey).error.data, refusalIn(tooMany)];
    const address = "https://marlowridge.example/api/v1/docs";
    expect(key.agent_instruction).toStartWith(`Register a key at ${address}, `);
    expect(limit.agent_instruction).toContain("retry_after_seconds");
    expect(limit.agent_instruction).toContain(address);
    expect(limit.agent_instruction).not.toContain("A registered API key");
    for (const { openapi, docs } of [key, limit]) {
      expect([openapi, docs]).toEqual([undefined, "https://marlowridge.example/api/v1/docs"]);
    }
  });

  test.each(REVISIONS)(
    "a used-up quota is the result of a tool, in the words of REST: %s",
    async (_, params, headers) => {
      const catalog = catalogWith({ "mcp.tools": ["find_booking", "book_appointment"] });
      const app = testApp({ catalog });
      const book = (time: string) =>
        callAt(app, "book_appointment", { ...BOOKING, coverage: "front2", time }, params, headers);
      expect(limitsOf(await book("09:00"))).toEqual([200, "3", "2"]);
      expect(limitsOf(await book("10:00"))).toEqual([200, "3", "1"]);
      const refused = await book("11:00");
      const rest = await app.post(`${API}/bookings`, { ...BOOKING, coverage: "front2", time: "11:00" });
      expect([refused.status, rest.status]).toEqual([200, 429]);
      const { message, rate_limit, retry_after_seconds } = rest.json;
      expect(rate_limit).toMatchObject({ scope: "bookings-per-phone-per-day", limit: 2, remaining: 0 });
      expect(refusalIn(refused)).toMatchObject({ message, rate_limit, retry_after_seconds });
      expect(refused.headers.get("retry-after")).toBe(String(retry_after_seconds));
      expect(limitsOf(refused)).toEqual([200, "2", "0"]);
      expect(refused.headers.get("x-ratelimit-reset")).toBe(String(rate_limit.reset_seconds));
      const find = () =>
        callAt(app, "find_booking", { confirmation_code: "ZZZZZZZZ", phone: BOOKING.customer_phone }, params, headers);
      for (let i = 0; i < 5; i++) expect(refusalIn(await find()).error_code).toBe("BOOKING_NOT_FOUND");
      expect(refusalIn(await find()).error_code).toBe("RATE_LIMITED");
      // The three refused requests were charged to no pool.
      expect(limitsOf(await app.get(`${API}/faq`))).toEqual([200, "60", "52"]);
    },
  );

  test("a key has its own pool, and an unknown key is refused as over REST", async () => {
    const app = testApp();
    const key = await registerKey(app, "agent@example.com");
    const known = await call(app, "get_faq", {}, { headers: { authorization: `Bearer ${key}` } });
    expect(known.headers.get("x-ratelimit-limit")).toBe("300");
    const unknown = await call(app, "get_faq", {}, { headers: { "x-api-key": "tint_live_nonsense" } });
    expect(unknown.status).toBe(401);
    expect(messageOf(unknown)).toMatchObject({ id: 7, error: { data: { error_code: "INVALID_API_KEY" } } });
  });
});

describe("headers", () => {
  test("every answer carries the limits and a request id", async () => {
    const app = testApp();
    const answers = [
      await call(app, "get_faq", {}),
      await call(app, "nope", {}),
      await post(app, { jsonrpc: "2.0", method: "notifications/initialized" }),
      await post(app, "{"),
      await app.get("/mcp"),
      await app.send("OPTIONS", "/mcp"),
      await app.send("DELETE", "/mcp"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 400, 405, 204, 405]);
    for (const { headers } of answers) {
      expect(headers.get("x-ratelimit-limit")).toBe("60");
      expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
      expect(headers.get("x-request-id")).toMatch(/^req_/);
    }
    expect(answers.at(-1)?.headers.get("allow")).toBe("POST, OPTIONS");
  });

  test.each(REVISIONS)(
    "of %s the list of eleven tools takes at most 12,000 bytes as it is sent",
    async (...[, params, headers]) => {
      const { status, bytes, json } = await testApp().post(
        "/mcp",
        { jsonrpc: "2.0", id: 1, method: "tools/list", params },
        { headers: { ...headers, "content-type": "application/json", "mcp-method": "tools/list" } },
      );
      expect([status, json.result.tools.length]).toEqual([200, 11]);
      expect(bytes.length).toBeLessThanOrEqual(12_000);
    },
  );

  test("a preflight allows the headers of the protocol", async () => {
    const { headers } = await testApp().send("OPTIONS", "/mcp");
    for (const name of ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Authorization", "Content-Type"])
      expect(headers.get("access-control-allow-headers")).toContain(name);
  });
});

describe("the form of an answer", () => {
  const [[, , oldHeaders] = [], [, newParams, newHeaders] = []] = REVISIONS;
  /** Every method that clients send, in the revision that knows it. */
  const METHODS: [string, object, Record<string, string> | undefined][] = [
    ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }, {}],
    ["ping", {}, oldHeaders],
    ["tools/list", {}, oldHeaders],
    ["tools/call", { name: "get_faq", arguments: {} }, oldHeaders],
    ["server/discover", { ...newParams }, { ...newHeaders, "mcp-method": "server/discover" }],
    ["tools/list", { ...newParams }, { ...newHeaders, "mcp-method": "tools/list" }],
    ["tools/call", { name: "get_faq", arguments: {}, ...newParams }, { ...newHeaders, "mcp-name": "get_faq" }],
  ];
  const ACCEPTED: [string, string | null][] = [
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    ["", "application/json"],
    ["application/json, text/event-stream", "application/json"],
    ["text/event-stream, application/json;q=0.5", "application/json"],
    ["application/*", "application/json"],
    ["text/html, */*;q=0.1", "application/json"],
    ["text/event-stream", "text/event-stream"],
    ["text/*", "text/event-stream"],
    ["application/json;q=0, */*", "text/event-stream"],
    ["text/html", null],
    ["text/event-stream;q=0", null],
  ];
  const ask = (method: string, params: object, given: Record<string, string> | undefined, app = testApp()) => {
    const headers = { ...given, "content-type": "application/json" };
    return app.post("/mcp", { jsonrpc: "2.0", id: 7, method, params }, { headers });
  };

  test.each(ACCEPTED)("Accept: %s", async (accept, type) => {
    const app = testApp();
    for (const [method, params, headers] of METHODS) {
      const answer = await ask(method, params, { ...headers, accept }, app);
      const told = [method, answer.status, answer.headers.get("content-type"), messageOf(answer)];
      if (type) expect(told).toEqual([method, 200, type, { jsonrpc: "2.0", id: 7, result: expect.any(Object) }]);
      else expect(told).toMatchObject([method, 406, "application/json", { id: 7, error: { code: -32000 } }]);
    }
  });

  test("without an Accept header it is JSON, and a notification is taken", async () => {
    const app = testApp();
    for (const [method, params, headers] of METHODS)
      expect((await ask(method, params, headers, app)).json).toMatchObject({ id: 7, result: {} });
    for (const accept of ["application/json", "text/event-stream", "*/*"]) {
      const note = { jsonrpc: "2.0", method: "notifications/initialized" };
      const { status, text } = await post(app, note, { headers: { accept } });
      expect([status, text]).toEqual([202, ""]);
    }
  });

  test("a used-up limit has the form of any answer", async () => {
    const app = appWith({ "rate_limits.anonymous_per_minute": 1 });
    await call(app, "get_faq", {});
    for (const accept of ["text/event-stream", "application/json"]) {
      const refused = await call(app, "get_faq", {}, { headers: { accept } });
      expect(refused.status).toBe(200);
      expect(refused.headers.get("content-type")).toStartWith(accept);
      expect(refusalIn(refused).error_code).toBe("RATE_LIMITED");
      expect(refused.headers.get("retry-after")).toBe("60");
    }
  });

  test("a subscription is a stream, for those who take one", async () => {
    const app = testApp();
    const params = { notifications: {}, ...newParams };
    const headers = { ...newHeaders, "mcp-method": "subscriptions/listen", accept: "application/json" };
    expect((await ask("subscriptions/listen", params, headers, app)).status).toBe(406);
  });
});

describe("hosts and origins", () => {
  const catalog = catalogWith({ "site.mcp_url": "https://tools.example.net/mcp" });
  const shop = testApp({ catalog });
  const faq = (headers: Record<string, string>) => call(shop, "get_faq", {}, { headers });

  test.each([
    "marlowridge.example",
    "agents.marlowridge.example",
    "tools.example.net",
    "tools.example.net:8443",
    "localhost:3000",
    "127.0.0.1",
    "[::1]:80",
  ])("%s is a name of this site, or of this machine", async (host) => expect((await faq({ host })).status).toBe(200));

  test.each([
    "evil.example",
    "marlowridge.example.evil.example",
    "localhost.evil.example",
    "169.254.169.254",
    "user@evil.example",
    "",
  ])("the host %p is refused", async (host) => {
    const refused = await faq({ host });
    expect(refused.status).toBe(403);
    expect(messageOf(refused)).toMatchObject({ id: 7, error: { data: { error_code: "FORBIDDEN" } } });
  });

  test("with TINT_SITE_URL the host there is this site's, and the catalog's is not", async () => {
    const app = testApp({ catalog: atSite("https://try.example.net")(catalog) });
    const statusAt = async (host: string) => (await call(app, "get_faq", {}, { headers: { host } })).status;
    expect(await statusAt("try.example.net")).toBe(200);
    expect(await statusAt("tools.example.net")).toBe(403);
  });

  test.each(["https://marlowridge.example", "http://localhost:6274", "http://127.0.0.1:5173"])(
    "pages of %s may use the tools",
    async (origin) => expect((await faq({ origin })).status).toBe(200),
  );

  test.each(["https://evil.example", "null", "https://marlowridge.example.evil.example", "file://", "nonsense"])(
    "pages of %s may not",
    async (origin) => expect((await faq({ origin })).status).toBe(403),
  );
});

describe("malformed messages", () => {
  const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
  const CASES: [string, unknown, Record<string, string>, number, number][] = [
    ["nothing", "", {}, 400, -32700],
    ["half of one", '{"jsonrpc":', {}, 400, -32700],
    ["a list", "[]", {}, 400, -32600],
    ["half of a list", "[{", {}, 400, -32700],
    ["a number", "7", {}, 400, -32600],
    ["a page that is none", { ...PING, method: "tools/list", params: { cursor: "2" } }, {}, 200, -32602],
    ["params that the method does not take", { ...PING, method: "initialize" }, {}, 200, -32602],
    ["one of 70 kB", { ...PING, params: { x: "x".repeat(70_000) } }, {}, 413, -32000],
    ["another media type", PING, { "content-type": "text/plain" }, 415, -32000],
    ["no JSON-RPC", { id: 1, method: "ping" }, {}, 400, -32600],
    ["what the client cannot read", PING, { accept: "text/html" }, 406, -32000],
    ["an unknown revision", PING, { "mcp-protocol-version": "1999-01-01" }, 400, -32000],
  ];
  test.each(CASES)("%s", async (_, body, headers, status, code) => {
    const answer = await post(testApp(), body, { headers });
    expect({ status: answer.status, code: messageOf(answer).error.code }).toEqual({ status, code });
  });
});
