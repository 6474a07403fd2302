/** The agent proxy in front of the API, and as a process: whose limits count, and what a caller gets when the API does not answer. */
import { describe, expect, test } from "bun:test";
import { USUAL_TOOLS } from "../../src/constants.ts";
import { API } from "../helpers.ts";
import { childEnv, PROGRAM, temporaryFolder } from "../process/server.ts";
import { listen } from "./listen.ts";
import { ERAS } from "./mcp-clients.ts";
import { echo, proxyTo, upstream } from "./proxied.ts";

describe("limits behind it", () => {
  const ask = async (proxy: ReturnType<typeof proxyTo>, headers: Record<string, string> = {}) =>
    (await proxy.fetch(`${API}/faq`, { headers: { "User-Agent": "curl/8", ...headers } })).headers;
  const left = (headers: Headers) => `${headers.get("x-ratelimit-remaining")} of ${headers.get("x-ratelimit-limit")}`;

  test("count the real callers when the proxy is trusted", async () => {
    await using api = listen({ trusted: ["127.0.0.1"] });
    await using one = proxyTo(api.url);
    await using two = proxyTo(api.url, { from: "203.0.113.6" });
    expect(left(await ask(one))).toBe("59 of 60");
    expect(left(await ask(one))).toBe("58 of 60");
    expect(left(await ask(two))).toBe("59 of 60");
    expect(left(await ask(one, { "User-Agent": "GPTBot/1.2" }))).toBe("119 of 120");
    expect(left(await ask(two, { "User-Agent": "GPTBot/1.2" }))).toBe("118 of 120");
    // Forwarding headers that the caller sends change nothing.
    expect(left(await ask(one, { "X-Forwarded-For": "198.51.100.7" }))).toBe("57 of 60");
    expect(left(await ask(one, { "X-Forwarded-User-Agent": "GPTBot/1.2" }))).toBe("56 of 60");
  });
});

test.each(ERAS)("MCP of revision $revision goes through it", async ({ connect }) => {
  await using api = listen({ trusted: ["127.0.0.1"] });
  await using proxy = proxyTo(api.url);
  await using client = await connect(new URL(`http://127.0.0.1:${proxy.port}/mcp`));
  expect(await client.tools()).toHaveLength(USUAL_TOOLS.length);
  expect((await client.call("get_faq")).isError ?? false).toBe(false);
});

describe("an API that does not answer", () => {
  const failure = async (answer: Response) => {
    const { status, headers } = answer;
    return { status, id: headers.get("x-request-id"), body: JSON.parse(await answer.text()) };
  };
  const shape = (message: string, id: string | null) => ({
    success: false,
    error_code: "INTERNAL_ERROR",
    message: expect.stringContaining(message),
    recoverable: true,
    usage: { content_type: "application/json", sample_request: {} },
    agent_instruction: expect.any(String),
    docs: "/api/v1/docs",
    openapi: "/api/v1/openapi.json",
    request_id: id,
  });

  test("because it is down is a 502 in its error shape", async () => {
    const gone = upstream(echo);
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    await using proxy = proxyTo(url);
    const { status, id, body } = await failure(await proxy.fetch(`${API}/faq`));
    expect(status).toBe(502);
    expect(id).toMatch(/^req_/);
    expect(body).toEqual(shape("cannot be reached", id));
    expect(JSON.stringify(body)).not.toContain(url.port);
  });

  test("because its host name is unknown is a 502 too", async () => {
    await using proxy = proxyTo("http://api.invalid");
    const { status, headers } = await proxy.fetch("/");
    expect(status).toBe(502);
    expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["0", "0"]);
    expect(headers.get("access-control-expose-headers")).toContain("X-RateLimit-Remaining");
  });

  test("in time is a 502 too; an answer that has begun may take longer", async () => {
    await using api = upstream(async (request) => {
      if (request.url.endsWith("/never")) return new Promise<Response>(() => {});
      const pieces = async function* () {
        yield "a";
        await Bun.sleep(400);
        yield "b";
      };
      return new Response(pieces());
    });
    await using proxy = proxyTo(api.url, { timeoutMs: 200 });
    const { status, id, body } = await failure(await proxy.fetch("/never"));
    expect(status).toBe(502);
    expect(body).toEqual(shape("did not answer in time", id));
    expect(await (await proxy.fetch("/slow")).text()).toBe("ab");
  });

  test("to its end: the caller sees that the answer was cut off", async () => {
    using api = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket) {
          socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
          socket.flush();
          setTimeout(() => socket.terminate(), 50);
        },
      },
    });
    await using proxy = proxyTo(`http://127.0.0.1:${api.port}`);
    const text = proxy.fetch("/").then((answer) => answer.text());
    expect(await text.catch(() => "cut off")).toBe("cut off");
  });
});

const start = (...args: string[]) => {
  const folder = temporaryFolder();
  const child = Bun.spawn([...PROGRAM, "proxy", ...args], {
    cwd: folder.path,
    env: childEnv(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
  });
  child.exited.then(() => folder[Symbol.dispose]());
  return child;
};

test("forwards until SIGTERM, and lets requests in flight finish", async () => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await using api = upstream(async () => {
    asked.resolve();
    await gate.promise;
    return new Response("done");
  });
  const child = start("--upstream", api.url.origin, "--port", "0");
  const reader = child.stderr.getReader();
  const { url } = JSON.parse(new TextDecoder().decode((await reader.read()).value).split("\n")[0] ?? "");
  const answer = fetch(url).then((response) => response.text());
  await asked.promise;
  child.kill("SIGTERM");
  await reader.read();
  gate.resolve();
  expect(await answer).toBe("done");
  expect(await child.exited).toBe(0);
  expect(await new Response(child.stdout).text()).toBe("");
}, 20_000);

test.each([
  [[], "--upstream"],
  [["--upstream", "example.com"], "https://"],
  [["--upstream", "file:///etc/passwd"], "https://"],
  [["--upstream", "https://example.com/api/v1?x=1"], "https://example.com/api/v1."],
  [["--upstream", "https://user:pass@example.com"], "https://example.com/."],
  [["--upstream", "https://example.com", "--timeout", "soon"], "--timeout"],
])("%p is wrong usage", async (args, said) => {
  const child = start(...args);
  expect(await child.exited).toBe(2);
  expect(await new Response(child.stderr).text()).toContain(said);
});

test("a port in use is reported in words", async () => {
  await using api = upstream(echo);
  const child = start("--upstream", api.url.origin, "--port", api.url.port);
  expect(await child.exited).toBe(1);
  expect(await new Response(child.stderr).text()).toContain("in use");
});
