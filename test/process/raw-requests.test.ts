/** Raw requests that no client library would send, and their answers byte for byte. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { API, BOOKING } from "../helpers.ts";
import {
  answerIn,
  dateIn,
  jsonOf,
  NO_LIMITS,
  OPEN_DAILY,
  rawConnection,
  type ServerProcess,
  shopFolder,
  startServer,
} from "./server.ts";

setDefaultTimeout(20_000);

const folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS });
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer(folder);
}, 20_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const LIMIT = 64 * 1024;

type Parsed = NonNullable<ReturnType<typeof answerIn>>;

async function ask(bytes: string): Promise<Parsed> {
  using connection = await rawConnection(server.port);
  connection.send(bytes);
  const { text } = await connection.receive((soFar) => answerIn(soFar) !== undefined);
  const answer = answerIn(text);
  if (!answer) throw new Error(`the connection was closed without an answer: ${JSON.stringify(text)}`);
  return answer;
}

async function expectAlive(): Promise<void> {
  expect((await server.fetch("/livez")).status).toBe(200);
}

function expectTooLarge({ status, headers, body }: Parsed): void {
  expect(status).toBe(413);
  expect(headers.get("content-type")).toContain("application/json");
  expect(JSON.parse(body)).toMatchObject({ success: false, error_code: "PAYLOAD_TOO_LARGE", recoverable: true });
  for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-request-id"]) {
    expect(headers.get(name)).not.toBeNull();
  }
}

for (const length of [LIMIT + 1, 99_999_999_999]) {
  test(`Content-Length ${length}: our 413, before the body has come`, async () => {
    expectTooLarge(
      await ask(`POST ${API}/estimates HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n{`),
    );
    await expectAlive();
  });
}

function chunks(sizes: number[]): string {
  return sizes.map((size) => `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`).join("");
}
const CHUNKED = `POST ${API}/estimates HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;

test("a chunked body over 64 KiB: our 413, whether or not it ever ends", async () => {
  expectTooLarge(await ask(`${CHUNKED}${chunks([LIMIT, 1])}0\r\n\r\n`));
  expectTooLarge(await ask(CHUNKED + chunks([20_000, 20_000, 20_000, 20_000])));
  await expectAlive();
});

test("a chunked body of exactly 64 KiB is read", async () => {
  const body = JSON.stringify({ vehicle_type: "suv" }).padEnd(LIMIT, " ");
  const { status } = await ask(`${CHUNKED}${LIMIT.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  expect(status).toBe(200);
});

test("after a 413 the rest of the body is not taken for a request", async () => {
  using connection = await rawConnection(server.port);
  const smuggled = `GET ${API}/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const rest = smuggled + "x".repeat(LIMIT + 1 - smuggled.length);
  connection.send(`POST ${API}/estimates HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${rest.length}\r\n\r\n`);
  await connection.receive((text) => answerIn(text) !== undefined);
  connection.send(`${rest}GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const { text, closed } = await connection.receive((soFar) => soFar.includes("alive"));
  // The server either closes the connection, or goes on with the request after the body.
  expect(closed || text.includes('{"status":"alive"}')).toBe(true);
  expect(text).not.toContain("NOT_FOUND");
});

test("bytes that are no HTTP are answered or cut off, and the server serves on", async () => {
  const garbage = [
    "GARBAGE\r\n\r\n",
    "\u0000\u0001\u0002\u00ff\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "GET /livez HTTP/1.1\r\n\r\n",
    `GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Big: ${"a".repeat(100_000)}\r\n\r\n`,
    `POST ${API}/estimates HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n{}`,
    `POST ${API}/estimates HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${CHUNKED}zz\r\n{}\r\n0\r\n\r\n`,
    "FOO /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ];
  for (const bytes of garbage) {
    using connection = await rawConnection(server.port);
    connection.send(bytes);
    const { text } = await connection.receive((soFar) => soFar.includes("\r\n\r\n"));
    expect(text).toMatch(/^$|^HTTP\/1\.1 (4\d\d|505) /);
    await expectAlive();
  }
});

for (const [name, head] of [
  ["no Host, as HTTP/1.0 allows", "HTTP/1.0\r\n"],
  ["an empty Host", "HTTP/1.1\r\nHost:\r\n"],
  ["a Host that is no name", "HTTP/1.1\r\nHost: %%\r\n"],
  ["a Host with a port that is none", "HTTP/1.1\r\nHost: localhost:99999\r\n"],
] as const) {
  test(`${name}: answered like any other request, and nothing of the program is shown`, async () => {
    for (const path of ["/livez", `${API}/location`, `${API}/nowhere`]) {
      const { status, headers, body } = await ask(
        `GET ${path} ${head}Origin: https://other.example\r\nConnection: close\r\n\r\n`,
      );
      expect(status).toBeLessThan(500);
      expect(body).not.toMatch(/<html|\.ts\b|TypeError|node_modules/);
      if (status !== 400) expect(headers.get("x-request-id")).not.toBeNull();
    }
    await expectAlive();
  });
}

test("hosts of one and two letters, with ports, and addresses are served", async () => {
  for (const host of ["a", "ab", "a:1", "ab:8080", "[::1]", "127.0.0.1", "example.com."]) {
    for (const [path, status] of [
      [`${API}/location`, 200],
      [`${API}/nowhere`, 404],
    ] as const) {
      const answer = await ask(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect({ host, status: answer.status }).toEqual({ host, status });
      expect(JSON.parse(answer.body).success).toBe(status === 200);
    }
  }
});

test("a request that breaks off does not disturb the server", async () => {
  const before = server.lines.length;
  for (const part of [
    "GET /li",
    `POST ${API}/bookings HTTP/1.1\r\nHost: localhost\r\nContent-Le`,
    `POST ${API}/bookings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"date":"${dateIn(3)}",`,
    `${CHUNKED}5\r\n{"veh`,
  ]) {
    using connection = await rawConnection(server.port);
    connection.send(part);
    await expectAlive();
    connection.reset();
    await expectAlive();
  }
  // The two requests whose headers had arrived have ended as well.
  for (const path of [`${API}/bookings`, `${API}/estimates`]) {
    await server.logged((line) => server.lines.indexOf(line) >= before && line.path === path);
  }
  expect(server.lines.slice(before).filter(({ status }) => status >= 500)).toEqual([]);
  await expectAlive();
});

test("HEAD is GET without the body: same status, same headers", async () => {
  const body = JSON.stringify({ ...BOOKING, date: dateIn(5) });
  const { data } = await jsonOf(await server.fetch(`${API}/bookings`, { method: "POST", body }));
  for (const path of [
    "/book/embed.js",
    "/book/receipt/none",
    `${API}/services`,
    `${API}/availability?days=2`,
    `${API}/docs`,
    `${API}/bookings/${data.confirmation_code}`,
    `${API}/nowhere`,
    `${API}/estimates`,
    `${API}/openapi.json`,
    "/livez",
    "/book",
  ]) {
    const tail = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const get = await ask(`GET ${path} ${tail}`);
    using connection = await rawConnection(server.port);
    connection.send(`HEAD ${path} ${tail}`);
    const { text } = await connection.receive();
    expect(text.slice(text.indexOf("\r\n\r\n") + 4)).toBe("");
    const head = answerIn(text, false);
    expect(head?.status).toBe(get.status);
    for (const name of ["content-type", "etag", "cache-control"]) {
      expect(head?.headers.get(name) ?? null).toBe(get.headers.get(name));
    }
    // RFC 9110, 8.6: the length of what GET would send, or no length at all.
    const length = head?.headers.get("content-length") ?? null;
    if (length !== null && path !== `${API}/nowhere`)
      expect({ path, length }).toEqual({ path, length: get.headers.get("content-length") ?? "" });
  }
});

test("a connection is kept for the next request, and requests may follow each other at once", async () => {
  using connection = await rawConnection(server.port);
  const request = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (let i = 1; i <= 3; i++) {
    connection.send(request);
    const { text } = await connection.receive((soFar) => soFar.split("alive").length > i);
    expect(text.split("HTTP/1.1 200").length - 1).toBe(i);
  }
  connection.send(request + request);
  const { text } = await connection.receive((soFar) => soFar.split("alive").length > 5);
  expect(text.split("HTTP/1.1 200").length - 1).toBe(5);
});

test("an error to a POST leaves the connection usable", async () => {
  using connection = await rawConnection(server.port);
  connection.send(`POST ${API}/estimates HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n{`);
  await connection.receive((text) => text.includes("INVALID_JSON"));
  connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const { text } = await connection.receive((soFar) => soFar.includes("alive"));
  expect(text).toContain("alive");
});

test("out of file handles: /livez, reads and the first booking are answered, and a new caller when one goes", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS });
  await using server = await startServer(folder, { handles: 48 });
  using connected = await rawConnection(server.port);
  let answers = 0;
  const ask = async (method: string, path: string, body = "") => {
    connected.send(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    answers += 1;
    const { text } = await connected.receive((soFar) => soFar.split("HTTP/1.1 ").length > answers);
    return Number(text.split("HTTP/1.1 ")[answers]?.slice(0, 3));
  };
  expect(await ask("GET", "/livez")).toBe(200);

  // An answer shows that a connection was accepted.
  const others = await Promise.all(Array.from({ length: 60 }, () => rawConnection(server.port)));
  for (const one of others) one.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const accepted = await Promise.all(
    others.map((one) =>
      one
        .receive((text) => text.includes("alive"), 1_000)
        .then(
          ({ text }) => text.includes("alive"),
          () => false,
        ),
    ),
  );
  expect(accepted).toContain(true);
  expect(accepted).toContain(false);

  expect(await ask("GET", "/livez")).toBe(200);
  expect(await ask("GET", `${API}/services`)).toBe(200);
  expect(await ask("POST", `${API}/bookings`, JSON.stringify({ ...BOOKING, date: dateIn(3) }))).toBe(201);

  for (const one of others) one.reset();
  expect((await server.fetch("/livez")).status).toBe(200);
});
