/** Callers who try to make the agent proxy reach another host, or to pass for somebody else. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pino } from "pino";
import { createProxy } from "../../src/programs/proxy.ts";
import { API, catalogWith, testApp } from "../helpers.ts";
import { rawConnection } from "../process/server.ts";
import { echo, proxyTo, upstream } from "./proxied.ts";

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
    expect(json).toMatchObject({
      success: false,
      error_code: "BAD_REQUEST",
      request_id: expect.stringMatching(/^req_/),
    });
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

describe("an upstream with a path", () => {
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
  ])("%s is asked as %s", async (path, asked) => {
    for (const prefix of ["api/v1", "api/v1/"]) {
      await using below = proxyTo(new URL(prefix, api.url));
      using connection = await rawConnection(below.port);
      connection.send(`GET ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`);
      const { text } = await connection.receive();
      expect(JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? "{}").url).toBe(asked);
    }
  });
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
