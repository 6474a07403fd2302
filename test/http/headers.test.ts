/** Headers of every response, methods, ETags, compressed forms, and secrets that the log must not hold. */
import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { mintKey } from "../../src/lib/ids.ts";
import { type Answer, fileApp, manyCallers, registerKey, type SendOptions, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, QUOTE } from "../fixed-day.ts";
import { CATALOG, catalogWith } from "../helpers.ts";

const APP = manyCallers();
const FAQ = `${API}/faq`;
const limit = ({ headers }: Answer) => Number(headers.get("x-ratelimit-limit"));
const left = ({ headers }: Answer) => Number(headers.get("x-ratelimit-remaining"));

async function exhaust(app: TestApp, count: number, options: SendOptions = {}) {
  for (let i = 0; i < count; i++) expect((await app.get(FAQ, options)).status).toBe(200);
}

describe("on every response", () => {
  const KINDS: [string, number, (app: TestApp) => Promise<Answer>][] = [
    ["200", 200, (app) => app.get(`${API}/services`)],
    ["201", 201, (app) => app.post(`${API}/bookings`, BOOKING)],
    ["302", 302, (app) => app.get("/")],
    ["304", 304, (app) => app.get(`${API}/services`, { headers: { "If-None-Match": "*" } })],
    ["400", 400, (app) => app.post(`${API}/estimates`, {})],
    ["401", 401, (app) => app.get(FAQ, { headers: { "X-API-Key": mintKey().key } })],
    ["404 of a path", 404, (app) => app.get("/nowhere")],
    ["404 of a value", 404, (app) => app.post(`${API}/estimates`, { vehicle_type: "boat" })],
    ["405", 405, (app) => app.send("DELETE", FAQ)],
    ["409", 409, (app) => app.post(`${API}/bookings`, { ...BOOKING, date: "2026-11-22" })],
    ["413", 413, (app) => app.post(`${API}/estimates`, "x".repeat(70_000))],
    ["422", 422, (app) => app.post(`${API}/bookings`, { ...BOOKING, postal_code: "90210" })],
    ["429", 429, (app) => exhaust(app, 60).then(() => app.get(FAQ))],
    ["OPTIONS", 204, (app) => app.send("OPTIONS", `${API}/bookings`)],
    ["HEAD", 200, (app) => app.send("HEAD", `${API}/services`)],
    ["the docs", 200, (app) => app.get(`${API}/docs`)],
    ["the OpenAPI document", 200, (app) => app.get(`${API}/openapi.json`)],
    ["readyz", 200, (app) => app.get("/readyz")],
  ];
  for (const [name, status, send] of KINDS) {
    test(name, async () => expectHeaders(await send(status === 201 || status === 429 ? testApp() : APP), status));
  }

  test("500, of the handler and of the key look-up", async () => {
    const broken = () => Promise.reject(new Error("broken"));
    const app = fileApp({}, (store) => ({ ...store, busyBetween: broken, findKey: broken }));
    expectHeaders(await app.get(`${API}/availability`), 500);
    expectHeaders(await app.get(FAQ, { headers: { "X-API-Key": mintKey().key } }), 500);
  });

  test("readyz of a store that cannot be written: 503 with the failing check", async () => {
    const app = fileApp({}, (store) => ({ ...store, checkWritable: () => Promise.reject(new Error("disk full")) }));
    const answer = await app.get("/readyz");
    expectHeaders(answer, 503);
    expect(answer.text).toContain("store");
    expect(answer.text).not.toContain("disk full");
    expect((await app.get("/livez")).status).toBe(200);
  });

  function expectHeaders({ status: received, headers }: Answer, status: number) {
    expect(received).toBe(status);
    expect(headers.get("x-ratelimit-limit")).toMatch(/^[1-9]\d*$/);
    expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
    expect(headers.get("x-request-id")).toMatch(/^req_[0-9A-Za-z]{16}$/);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }

  test("the limit with the least remaining is the one shown", async () => {
    const app = testApp();
    const quote = await app.post(`${API}/quote-request`, QUOTE);
    expect([limit(quote), left(quote)]).toEqual([5, 4]);
    const booking = await app.post(`${API}/bookings`, BOOKING);
    expect([limit(booking), left(booking)]).toEqual([3, 2]);
    expect(booking.headers.get("x-ratelimit-scope")).toBe("bookings-per-network");
    expect(booking.headers.get("x-ratelimit-reset")).toBe("0");
    expect(quote.headers.get("x-ratelimit-scope")).toBe("quote-requests-per-minute");
    const other = await app.get(FAQ);
    expect([limit(other), left(other)]).toEqual([60, 57]);
    expect(other.headers.get("x-ratelimit-reset")).toBe("0");
    await exhaust(app, 56);
    const last = await app.post(`${API}/quote-request`, QUOTE);
    expect([limit(last), left(last)]).toEqual([60, 0]);
  });
});

describe("methods", () => {
  test("HEAD states the length of the answer to GET, also where the path has fields", async () => {
    const app = testApp();
    const path = `${API}/bookings/ABCD1234`;
    const [get, head] = [await app.get(path), await app.send("HEAD", path)];
    expect([head.status, head.headers.get("content-length")]).toEqual([404, String(get.bytes.length)]);
  });

  test("OPTIONS lets a browser from any origin in, without credentials", async () => {
    const { status, headers, text } = await testApp().send("OPTIONS", `${API}/bookings`, {
      headers: {
        Origin: "https://elsewhere.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-api-key,idempotency-key,authorization",
      },
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-allow-methods")).toContain("POST");
    const allowed = (headers.get("access-control-allow-headers") ?? "").toLowerCase();
    for (const name of ["authorization", "content-type", "idempotency-key", "if-none-match", "x-api-key"])
      expect(allowed).toContain(name);
  });

  test("the headers a browser may read", async () => {
    const { headers } = await testApp().get(FAQ, { headers: { Origin: "https://elsewhere.example" } });
    const exposed = (headers.get("access-control-expose-headers") ?? "").toLowerCase().split(", ");
    expect(exposed).toEqual(
      expect.arrayContaining(["x-ratelimit-limit", "x-ratelimit-remaining", "x-request-id", "retry-after", "location"]),
    );
  });
});

describe("ETag", () => {
  for (const path of ["/services", "/estimates", "/docs"]) {
    test(path, async () => {
      const first = await APP.get(API + path);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await APP.get(API + path, { headers: { "If-None-Match": known } });
        expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      }
      expect((await APP.get(API + path, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
      // A length of 0 would tell a cache that the document is empty.
      const head = await APP.send("HEAD", API + path, { headers: { "If-None-Match": etag } });
      expect([head.status, head.headers.get("content-length")]).toEqual([304, null]);
    });
  }

  test("answers that depend on more than the catalog are not stored by caches", async () => {
    const app = testApp();
    for (const answer of [
      await app.get(`${API}/availability`),
      await app.post(`${API}/bookings`, BOOKING),
      await app.post(`${API}/register`, { name: "Pat", email: "pat@example.com" }),
      await app.get("/nowhere"),
    ]) {
      expect([answer.headers.get("etag"), answer.headers.get("cache-control")]).toEqual([null, "no-store"]);
    }
  });
});

describe("the log", () => {
  test("has one line per request, without anything of the customer", async () => {
    const app = fileApp({ trusted: ["10.0.0.0/8"] });
    const named = { customer_name: "Quentin Zanzibar", customer_email: "quentin.zanzibar@example.org" };
    const options = { from: "10.0.0.1", headers: { "X-Forwarded-For": "203.0.113.77", "User-Agent": "Sneaky/9.9" } };
    const customer = { ...named, customer_phone: "+1 404 555 0188", special_requests: "Beware of the dog" };
    const body = { ...BOOKING, ...customer, booking_request_id: "zanzibar-1" };
    expect((await app.post(`${API}/bookings`, body, options)).status).toBe(201);
    const closed = { ...body, booking_request_id: "zanzibar-2", date: "2026-11-22" };
    expect((await app.post(`${API}/bookings`, closed, options)).status).toBe(409);
    expect((await app.post(`${API}/bookings`, { ...body, vehicle_type: "Zanzibar" }, options)).status).toBe(404);
    await app.get(`/Zanzibar?name=Quentin`, options);
    await app.get(`${API}/estimates?vehicle_type=suv&vehicle_make=Zanzibar`, options);
    await app.send("PURGE", FAQ, options);

    expect(app.logs.map(({ status }) => status)).toEqual([201, 409, 404, 404, 200, 405]);
    const text = JSON.stringify(app.logs).toLowerCase();
    for (const secret of ["quentin", "zanzibar", "5550188", "example.org", "203.0.113", "10.0.0.1", "sneaky", "dog"]) {
      expect(text).not.toContain(secret);
    }
    expect(app.logs[0]).toMatchObject({ method: "POST", path: `${API}/bookings`, status: 201 });
  });

  test("names the cause when a booking fails, but nothing of the customer", async () => {
    const app = fileApp();
    app.db.run("DROP TABLE jobs");
    const { status } = await app.post(`${API}/bookings`, { ...BOOKING, customer_name: "Quentin Zanzibar" });
    expect(status).toBeGreaterThanOrEqual(500);
    const text = JSON.stringify(app.logs);
    expect(text).toContain("jobs");
    for (const secret of ["Quentin", "0111", "pat@example.com", "192.0.2.1"]) expect(text).not.toContain(secret);
    expect(app.db.query("SELECT count(*) AS n FROM bookings").get()).toEqual({ n: 0 });
  });

  test("never contains a key", async () => {
    const app = fileApp();
    const key = await registerKey(app, "agent@example.com");
    await app.get(FAQ, { headers: { Authorization: `Bearer ${key}` } });
    await app.get(FAQ, { headers: { "X-API-Key": `${key}x` } });
    expect(JSON.stringify(app.logs)).not.toContain(key.slice(10));
  });
});

const KEPT = [
  `${API}/services`,
  `${API}/location`,
  `${API}/faq`,
  `${API}/faq?category=automotive`,
  `${API}/estimates`,
  `${API}/capabilities`,
  `${API}/docs`,
  `${API}/docs-md`,
  `${API}/openapi.json`,
  "/llms.txt",
  "/.well-known/agents.json",
  "/.well-known/agent-card.json",
];

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };
const header = ({ headers }: Answer, name: string) => headers.get(name);
const accept = (coding: string) => ({ headers: { "Accept-Encoding": coding } });

describe.each(KEPT)("GET %s", (path) => {
  // The docs come in Markdown, too.
  const vary = path === `${API}/docs` ? "Accept, Accept-Encoding" : "Accept-Encoding";
  test("has a compressed form for each coding, each with an ETag of its own", async () => {
    const plain = await APP.get(path);
    expect([header(plain, "content-encoding"), header(plain, "vary")]).toEqual([null, vary]);
    const tags = new Set([header(plain, "etag")]);
    for (const coding of ["br", "gzip"] as const) {
      for (const answer of [await APP.get(path, accept(coding)), await APP.get(path, accept(coding))]) {
        expect(answer.status).toBe(200);
        expect(header(answer, "content-encoding")).toBe(coding);
        expect(header(answer, "vary")).toBe(vary);
        expect(header(answer, "content-type")).toBe(header(plain, "content-type"));
        expect(answer.bytes.length).toBeLessThan(plain.bytes.length);
        expect(new TextDecoder().decode(DECODE[coding](answer.bytes))).toBe(plain.text);
        tags.add(header(answer, "etag"));
      }
    }
    expect(tags.size).toBe(3);
  });

  test("304 for the ETag of the same coding", async () => {
    for (const [coding, other] of [
      ["br", "gzip"],
      ["gzip", "identity"],
      ["identity", "br"],
    ] as const) {
      const etag = header(await APP.get(path, accept(coding)), "etag") ?? "";
      const again = await APP.get(path, { headers: { "Accept-Encoding": coding, "If-None-Match": etag } });
      expect([again.status, again.text, header(again, "etag")]).toEqual([304, "", etag]);
      expect(header(again, "vary")).toBe(vary);
      const elsewhere = await APP.get(path, { headers: { "Accept-Encoding": other, "If-None-Match": etag } });
      expect(elsewhere.status).toBe(200);
    }
  });
});

test.each([
  ["gzip", "gzip"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br ; q=0.5 , gzip ; q=0.5", "br"],
  ["gzip;q=0.001", "gzip"],
  ["gzip;q=0.5, identity", null],
  ["gzip;q=0", null],
  ["gzip;q=high", null],
  ["identity;q=0, *;q=0", null],
  ["identity", null],
  ["zstd, deflate", null],
  ["", null],
])("Accept-Encoding %j is answered in %p", async (accepted, coding) => {
  const answer = await APP.get(`${API}/services`, accept(accepted));
  expect([answer.status, header(answer, "content-encoding")]).toEqual([200, coding]);
});

test("HEAD states the length of the compressed form", async () => {
  const app = testApp();
  const get = await app.get(`${API}/docs`, accept("br"));
  const head = await app.send("HEAD", `${API}/docs`, accept("br"));
  expect(header(head, "content-length")).toBe(String(get.bytes.length));
  for (const name of ["content-encoding", "etag", "vary"]) expect(header(head, name)).toBe(header(get, name));
});

test("small files, estimates and errors are not compressed", async () => {
  const app = testApp();
  const answers = [
    await app.get("/robots.txt", accept("br")),
    await app.post(`${API}/estimates`, { vehicle_type: "suv" }, accept("br")),
    await app.get("/nowhere", accept("br")),
  ];
  for (const answer of answers) {
    expect([header(answer, "content-encoding"), header(answer, "vary")]).toEqual([null, null]);
  }
});

describe("kept answers", () => {
  const changed = catalogWith({
    "business.phone": "+1-404-555-0177",
    "business.name": "Other Film",
    "services.0.name": "Window film for cars",
    "faq.0.question": "Is this another question?",
    "automotive.vehicle_types.suv.ceramic.full": 1234,
  });

  test.each(KEPT)("%s follows the catalog, and comes back with it", async (path) => {
    const ask = async () => {
      const [plain, packed] = [await APP.get(path), await APP.get(path, accept("br"))];
      expect(new TextDecoder().decode(brotliDecompressSync(packed.bytes))).toBe(plain.text);
      return header(packed, "etag");
    };
    const before = await ask();
    APP.setCatalog(changed);
    const between = await ask();
    APP.setCatalog(CATALOG);
    expect([between === before, (await ask()) === before]).toEqual([false, true]);
  });

  test("each query has an answer of its own, however many there are", async () => {
    const app = testApp();
    const plain = await app.get(`${API}/faq`);
    const automotive = (await app.get(`${API}/faq?category=automotive`)).json;
    for (let i = 0; i < 150; i++) {
      const { json } = await app.get(`${API}/faq?other_${i}=1`, { from: `192.0.2.${i}` });
      expect(json.warnings[0].field).toBe(`other_${i}`);
      expect(json.data).toEqual(plain.json.data);
    }
    expect((await app.get(`${API}/faq?category=automotive`)).json).toEqual(automotive);
    expect(automotive.data.length).toBeLessThan(plain.json.data.length);
    const refused = () => app.get(`${API}/faq?category=boats`);
    expect([(await refused()).status, (await refused()).status]).toEqual([400, 400]);
  });

  test("answers do not share headers", async () => {
    const app = testApp();
    const [one, other] = [await app.get(`${API}/faq`), await app.get(`${API}/faq`)];
    expect(header(one, "x-request-id")).not.toBe(header(other, "x-request-id"));
    expect([header(one, "x-ratelimit-remaining"), header(other, "x-ratelimit-remaining")]).toEqual(["59", "58"]);
    const created = await app.get(`${API}/bookings`);
    expect(header(created, "allow")).toContain("POST");
    expect(header(await app.get("/nowhere"), "allow")).toBeNull();
  });
});
