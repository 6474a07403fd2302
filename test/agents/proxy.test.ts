/** The agent proxy in front of a real server: what passes, what is replaced, and who tries to reach another host. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pino } from "pino";
import { createProxy } from "../../src/programs/proxy.ts";
import { API, catalogWith, testApp } from "../helpers.ts";
import { rawConnection } from "../process/server.ts";
import { CLIENT, echo, proxyTo, upstream } from "./proxied.ts";

interface Echo {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

const echoed = async (response: Response): Promise<Echo> => JSON.parse(await response.text());

describe("what passes", () => {
  test.each(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "%s, with path, query, headers and body",
    async (method) => {
      await using api = upstream(echo);
      await using proxy = proxyTo(api.url);
      const url = "/api/v1/faq?category=general&x=%20a%2Fb&x=2&empty=";
      const keys = { "x-api-key": "k", authorization: "Bearer k", "idempotency-key": "i" };
      const headers = { ...keys, accept: "text/x", "x-own": "1" };
      const body = method === "GET" ? "" : "héllo";
      const seen = await echoed(await proxy.fetch(url, { method, headers, ...(body && { body }) }));
      expect(seen).toMatchObject({ method, url, body, headers: { ...headers, host: api.url.host } });
    },
  );

  test("status, repeated headers, and redirects that are not followed", async () => {
    await using api = upstream(() => {
      const given = { Location: "/elsewhere", ETag: '"x"', "Retry-After": "7", "X-RateLimit-Remaining": "3" };
      const headers = new Headers(given);
      headers.append("Set-Cookie", "a=1");
      headers.append("Set-Cookie", "b=2");
      return new Response("gone", { status: 307, headers });
    });
    await using proxy = proxyTo(api.url);
    const answer = await proxy.fetch("/");
    expect([answer.status, await answer.text()]).toEqual([307, "gone"]);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    for (const [name, value] of [
      ["location", "/elsewhere"],
      ["etag", '"x"'],
      ["retry-after", "7"],
      ["x-ratelimit-remaining", "3"],
    ] as const)
      expect(answer.headers.get(name)).toBe(value);
  });

  test.each([204, 304, 404, 429, 503])("the status %i", async (status) => {
    await using api = upstream(() => new Response(status === 204 || status === 304 ? null : "x", { status }));
    await using proxy = proxyTo(api.url);
    expect((await proxy.fetch("/")).status).toBe(status);
  });

  test("HEAD, with the length of the body it leaves out", async () => {
    await using api = upstream(() => new Response("12345"));
    await using proxy = proxyTo(api.url);
    const answer = await proxy.fetch("/", { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, "5", ""]);
  });

  test("compressed bytes, as they are", async () => {
    const bytes = Bun.gzipSync("hello ".repeat(1000));
    await using api = upstream(() => new Response(bytes, { headers: { "Content-Encoding": "gzip" } }));
    await using proxy = proxyTo(api.url);
    const answer = await proxy.fetch("/", { decompress: false });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(bytes));
  });

  test("nothing is kept: every request reaches the API", async () => {
    let count = 0;
    await using api = upstream(() => new Response(String(++count), { headers: { "Cache-Control": "max-age=600" } }));
    await using proxy = proxyTo(api.url);
    await proxy.fetch("/");
    expect(await (await proxy.fetch("/")).text()).toBe("2");
  });

  test("an answer streams: its first piece arrives before its last is made", async () => {
    const gate = Promise.withResolvers<void>();
    await using api = upstream(
      () =>
        new Response(
          new ReadableStream({
            async start(stream) {
              stream.enqueue(new TextEncoder().encode("data: 1\n\n"));
              await gate.promise;
              stream.enqueue(new TextEncoder().encode("data: 2\n\n"));
              stream.close();
            },
          }),
          { headers: { "Content-Type": "text/event-stream" } },
        ),
    );
    await using proxy = proxyTo(api.url);
    const reader = ((await proxy.fetch("/")).body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("data: 1\n\n");
    gate.resolve();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("data: 2\n\n");
    expect((await reader.read()).done).toBe(true);
  });

  test("a request streams: the API has its first piece before its last is sent", async () => {
    const arrived = Promise.withResolvers<string>();
    await using api = upstream(async (request) => {
      let text = "";
      for await (const chunk of request.body ?? []) {
        text += new TextDecoder().decode(chunk);
        arrived.resolve(text);
      }
      return new Response(text);
    });
    await using proxy = proxyTo(api.url);
    using connection = await rawConnection(proxy.port);
    connection.send(
      "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n",
    );
    expect(await arrived.promise).toBe("first");
    connection.send("4\r\nlast\r\n0\r\n\r\n");
    expect((await connection.receive()).text).toContain("firstlast");
  });

  test("a caller that goes away ends the request at the API", async () => {
    const ended = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await using api = upstream(async (request) => {
      request.signal.addEventListener("abort", () => ended.resolve());
      begun.resolve();
      await ended.promise;
      return new Response();
    });
    await using proxy = proxyTo(api.url);
    const caller = new AbortController();
    const answer = proxy.fetch("/", { signal: caller.signal }).catch(() => "gone");
    await begun.promise;
    caller.abort();
    expect(await answer).toBe("gone");
    await ended.promise;
  });
});

describe("what is replaced", () => {
  test("the User-Agent, and nothing else: the original and the address are beside it", async () => {
    await using api = upstream(echo);
    await using proxy = proxyTo(api.url);
    const { headers } = await echoed(await proxy.fetch("/", { headers: { "User-Agent": "GPTBot/1.2" } }));
    expect(headers["user-agent"]).toBe("Mozilla/5.0 (compatible; TintdeskProxy/1.0)");
    expect(headers["x-forwarded-user-agent"]).toBe("GPTBot/1.2");
    expect(headers["x-forwarded-for"]).toBe(CLIENT);
  });

  test("headers that a caller forges: the address is appended, the User-Agent overwritten", async () => {
    await using api = upstream(echo);
    await using proxy = proxyTo(api.url);
    const claims = { "X-Forwarded-For": "10.0.0.1, 1.2.3.4", "X-Forwarded-User-Agent": "GPTBot/1.2" };
    const { headers } = await echoed(await proxy.fetch("/", { headers: { ...claims, "User-Agent": "curl/8" } }));
    expect(headers["x-forwarded-for"]).toBe(`10.0.0.1, 1.2.3.4, ${CLIENT}`);
    expect(headers["x-forwarded-user-agent"]).toBe("curl/8");
  });

  test("a forged X-Forwarded-User-Agent is dropped even when the caller has no User-Agent", async () => {
    await using api = upstream(echo);
    await using proxy = proxyTo(api.url);
    using connection = await rawConnection(proxy.port);
    connection.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-User-Agent: GPTBot/1.2\r\n\r\n");
    const { text } = await connection.receive();
    expect(text).toContain("TintdeskProxy");
    expect(text).not.toContain("GPTBot");
  });

  test("hop-by-hop headers, and headers that Connection names, are dropped in both directions", async () => {
    await using api = upstream(async (request) => {
      const answer = await echo(request);
      for (const name of ["Keep-Alive", "Proxy-Authenticate", "Trailer", "X-Hop"]) answer.headers.set(name, "x");
      answer.headers.set("Connection", "X-Hop");
      return answer;
    });
    await using proxy = proxyTo(api.url);
    using connection = await rawConnection(proxy.port);
    connection.send(
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: close, X-Secret\r\nX-Secret: s\r\nKeep-Alive: 1\r\nTE: trailers\r\nProxy-Authorization: p\r\nProxy-Connection: x\r\nX-Kept: k\r\n\r\n",
    );
    const { text } = await connection.receive();
    const [head = "", body = "{}"] = text.split("\r\n\r\n");
    expect(head).not.toMatch(/^(keep-alive|proxy-authenticate|trailer|x-hop):/im);
    const { headers } = JSON.parse(/\{.*\}/s.exec(body)?.[0] ?? "{}");
    expect(Object.keys(headers)).toContain("x-kept");
    for (const name of ["x-secret", "keep-alive", "te", "proxy-authorization", "proxy-connection"])
      expect(Object.keys(headers)).not.toContain(name);
  });
});

/** Requests that reached the forbidden host. */
const reached: string[] = [];
const logs: string[] = [];

let victim: ReturnType<typeof upstream>;

let api: ReturnType<typeof upstream>;

let proxy: ReturnType<typeof proxyTo>;

beforeAll(() => {
  victim = upstream((request) => {
    reached.push(request.url);
    return new Response("secret");
  });
  api = upstream(echo);
  proxy = proxyTo(api.url, { log: pino({}, { write: (line: string) => void logs.push(line) }) });
});

afterAll(async () => {
  for (const server of [victim, api, proxy]) await server[Symbol.asyncDispose]();
});

async function ask(head: string, body = "") {
  using connection = await rawConnection(proxy.port);
  connection.send(`${head}\r\nConnection: close\r\n\r\n${body}`);
  const { text } = await connection.receive();
  const json = /\{.*\}/s.exec(text)?.[0];
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text, json: json ? JSON.parse(json) : undefined };
}

describe("a request line that names another host", () => {
  const evil = () => victim.url.host;
  const LINES: [string, () => string][] = [
    ["two slashes", () => `GET //${evil()}/x HTTP/1.1\r\nHost: shop.example`],
    ["three slashes", () => `GET ///${evil()}/x HTTP/1.1\r\nHost: shop.example`],
    ["slash and backslash", () => `GET /\\${evil()}/x HTTP/1.1\r\nHost: shop.example`],
    ["two backslashes", () => `GET /\\\\${evil()}/x HTTP/1.1\r\nHost: shop.example`],
    ["user and password", () => `GET //user:pass@${evil()}/x HTTP/1.1\r\nHost: shop.example`],
    ["dots before two slashes", () => `GET /.//${evil()}/x HTTP/1.1\r\nHost: shop.example`],
    ["two dots before two slashes", () => `GET /a/..//${evil()}/x HTTP/1.1\r\nHost: shop.example`],
    ["encoded dots before two slashes", () => `GET /%2e%2e//${evil()}/x HTTP/1.1\r\nHost: shop.example`],
    ["a method with a body", () => `POST //${evil()}/x HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 0`],
    ["CONNECT", () => `CONNECT ${evil()} HTTP/1.1\r\nHost: ${evil()}`],
    ["TRACE", () => "TRACE /x HTTP/1.1\r\nHost: shop.example"],
    ["an empty Host", () => "GET /secret-path HTTP/1.1\r\nHost:"],
    ["no Host", () => "GET /secret-path HTTP/1.0"],
    ["a Host that is no name", () => "GET /secret-path HTTP/1.1\r\nHost: %%"],
    ["a Host with a path", () => "GET /secret-path HTTP/1.1\r\nHost: a/b"],
    ["a Host with a user", () => `GET /secret-path HTTP/1.1\r\nHost: user:pass@${evil()}`],
    ["a Host with a port that is none", () => "GET /secret-path HTTP/1.1\r\nHost: shop.example:99999"],
  ];
  test.each(LINES)("%s: 400 in the error shape, and nobody is asked", async (_, line) => {
    const { status, json } = await ask(line());
    expect(status).toBe(400);
    const expected = { success: false, error_code: "BAD_REQUEST", request_id: expect.stringMatching(/^req_/) };
    expect(json).toMatchObject(expected);
    expect(JSON.stringify(json)).not.toMatch(/secret-path|\.ts\b/);
    expect(reached).toEqual([]);
    expect(logs).toEqual([]);
  });

  test.each([
    ["the absolute form", () => `GET http://${evil()}/x HTTP/1.1\r\nHost: ${evil()}`, "/x"],
    ["another Host", () => `GET /x HTTP/1.1\r\nHost: ${evil()}`, "/x"],
    ["encoded slashes", () => `GET /%2f%2f${evil()}/x HTTP/1.1\r\nHost: shop.example`, "/%2f%2f"],
    ["an address in the query", () => `GET /x?u=//${evil()} HTTP/1.1\r\nHost: shop.example`, "/x?u=//"],
  ] as const)("%s: the API is asked, and nobody else", async (_, line, path) => {
    const { status, json } = await ask(line());
    expect(status).toBe(200);
    expect(json.url).toStartWith(path);
    expect(json.headers.host).toBe(api.url.host);
    expect(reached).toEqual([]);
  });

  test("as a Request made without a socket is refused too", async () => {
    const forward = createProxy({ upstream: api.url, log: pino({ level: "silent" }) });
    for (const url of [`http://shop.example//${evil()}/`, `http://user:pass@shop.example/`, `ftp://${evil()}/`])
      expect([url, (await forward(new Request(url), "203.0.113.5")).status]).toEqual([url, 400]);
    expect(reached).toEqual([]);
  });
});

test.each([
  ["/faq?x=1", "/api/v1/faq?x=1"],
  ["/api/v1/faq", "/api/v1/faq"],
  ["/api/v1", "/api/v1"],
  ["/", "/api/v1/"],
  ["/api/v10/faq", "/api/v1/api/v10/faq"],
  ["/../admin", "/api/v1/admin"],
  ["/api/v1/../../admin", "/api/v1/admin"],
  ["/api/v1/%2e%2e/%2e%2e/admin", "/api/v1/admin"],
  ["/..%2fadmin", "/api/v1/..%2fadmin"],
])("an upstream with a path %s is asked as %s", async (path, asked) => {
  for (const prefix of ["api/v1", "api/v1/"]) {
    await using below = proxyTo(new URL(prefix, api.url));
    using connection = await rawConnection(below.port);
    connection.send(`GET ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`);
    const { text } = await connection.receive();
    expect(JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? "{}").url).toBe(asked);
  }
});

describe("the country of a caller", () => {
  const claim = "GET /x HTTP/1.1\r\nHost: shop.example\r\nCF-IPCountry: US\r\nX-Country-Code: US";

  test("cannot be claimed by the caller, with one header or two", async () => {
    for (const head of [claim, `${claim}\r\nCF-IPCountry: FR`]) {
      const { json } = await ask(head);
      expect(Object.keys(json.headers).filter((name) => name.includes("country"))).toEqual([]);
    }
  });

  test("passes from the web host in front of the proxy", async () => {
    await using trusting = proxyTo(api.url, { from: "10.0.0.1", trusted: ["10.0.0.0/8"] });
    const answer = await trusting.fetch("/x", { headers: { "CF-IPCountry": "FR" } });
    expect(JSON.parse(await answer.text()).headers["cf-ipcountry"]).toBe("FR");
  });

  test.each([
    ["FR", 403],
    ["fr", 403],
    ["US, FR", 403],
    ["FR, US", 403],
    ["US", 200],
    ["US, DE", 200],
    ["", 200],
  ])("reported to the API as %j: %i", async (country, status) => {
    const app = testApp({ catalog: catalogWith({ "access.blocked_countries": ["FR"] }), trusted: ["10.0.0.0/8"] });
    const headers = { "CF-IPCountry": country, "X-Forwarded-For": "203.0.113.9" };
    expect((await app.get(`${API}/faq`, { from: "10.0.0.1", headers })).status).toBe(status);
    // From an untrusted peer the header is ignored.
    expect((await app.get(`${API}/faq`, { from: "203.0.113.9", headers })).status).toBe(200);
  });
});
