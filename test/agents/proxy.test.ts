/** The agent proxy in front of a real server: what passes unchanged, and what is replaced. */
import { describe, expect, test } from "bun:test";
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
      const seen = await echoed(
        await proxy.fetch("/api/v1/faq?category=general&x=%20a%2Fb&x=2&empty=", {
          method,
          headers: {
            "X-API-Key": "k",
            authorization: "Bearer k",
            "Idempotency-Key": "i",
            accept: "text/x",
            "x-own": "1",
          },
          ...(method !== "GET" && { body: "héllo" }),
        }),
      );
      expect(seen).toMatchObject({
        method,
        url: "/api/v1/faq?category=general&x=%20a%2Fb&x=2&empty=",
        body: method === "GET" ? "" : "héllo",
      });
      const {
        "x-api-key": key,
        authorization,
        "idempotency-key": idempotency,
        accept,
        "x-own": own,
        host,
      } = seen.headers;
      expect({ key, authorization, idempotency, accept, own, host }).toEqual({
        key: "k",
        authorization: "Bearer k",
        idempotency: "i",
        accept: "text/x",
        own: "1",
        host: api.url.host,
      });
    },
  );

  test("status, repeated headers, and redirects that are not followed", async () => {
    await using api = upstream(() => {
      const headers = new Headers({
        Location: "/elsewhere",
        ETag: '"x"',
        "Retry-After": "7",
        "X-RateLimit-Remaining": "3",
      });
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
    const claims = {
      "X-Forwarded-For": "10.0.0.1, 1.2.3.4",
      "X-Forwarded-User-Agent": "GPTBot/1.2",
      "User-Agent": "curl/8",
    };
    const { headers } = await echoed(await proxy.fetch("/", { headers: claims }));
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
