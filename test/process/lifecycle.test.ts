import { expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, openSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { API, bookingOn } from "../helpers.ts";
import {
  answerIn,
  dateIn,
  failToStart,
  freePort,
  NO_LIMITS,
  OPEN_DAILY,
  rawConnection,
  rowsIn,
  type ServerProcess,
  type ShopFolder,
  shopFolder,
  startServer,
} from "./server.ts";

setDefaultTimeout(30_000);

const SHOP = { ...OPEN_DAILY, ...NO_LIMITS };
/** Upper bound for a stop that has nothing to wait for. */
const QUICKLY_MS = 3_000;

// Starting

test("a faulty catalog: exit 1, the place of the fault, and nothing listens", async () => {
  using folder = shopFolder({ "scheduling.bays": "two" });
  const port = freePort();
  const { code, stdout, stderr } = await failToStart(folder, { env: { PORT: String(port) } });
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/catalog\.yaml:\d+:\d+: scheduling\.bays /);
  expect(stderr).not.toContain("listening");
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(() => statSync(folder.data)).toThrow();
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
});

test("a busy port: exit 1 and a clear message; the first server serves on", async () => {
  using folder = shopFolder();
  await using first = await startServer(folder);
  const starts: { env: Record<string, string> }[] = [
    // Bun's defaults for production let two servers share a port silently.
    { env: { PORT: String(first.port), NODE_ENV: "production" } },
    { env: { PORT: "0", TINT_METRICS: `127.0.0.1:${first.port}` } },
  ];
  for (const start of starts) {
    const { code, stderr } = await failToStart(folder, start);
    expect(code).toBe(1);
    expect(stderr).toContain(String(first.port));
    expect(stderr).toContain("in use");
    expect(stderr).not.toContain("listening");
  }
  expect((await first.fetch("/livez")).status).toBe(200);
});

/** A write version that SQLite does not know makes a file read-only, to the administrator too (file format, 1.3.3). */
async function makeReadOnly({ data, database }: ShopFolder): Promise<void> {
  await openSqliteStore(data).close();
  const file = openSync(database, "r+");
  writeSync(file, Buffer.from([3]), 0, 1, 18);
  closeSync(file);
}
const RUBBISH = "this is not a database, however long it may be\n".repeat(200);

// Every setting that is refused: test/env/settings.test.ts.
test.each<[string, string[], (folder: ShopFolder) => unknown]>([
  ["a slip in the proxies", ["TINT_TRUSTED_PROXIES"], () => ({ TINT_TRUSTED_PROXIES: "10.0.0.0/33" })],
  ["a host that is not there", ["no-such-host.invalid"], () => ({ HOST: "no-such-host.invalid" })],
  ["no catalog", ["There is no file"], ({ catalog }) => unlinkSync(catalog)],
  ["data below a file", ["catalog.yaml/below"], ({ catalog }) => ({ TINT_DATA: join(catalog, "below") })],
  ["something else in place of the database", ["/data"], ({ database }) => Bun.write(database, RUBBISH)],
  ["a database that cannot be written", ["/data", "SQLITE_READONLY"], makeReadOnly],
])("%s: exit 1, and the message has %j", async (_, names, spoil) => {
  using folder = shopFolder();
  const { code, stdout, stderr } = await failToStart(folder, { env: { ...Object(await spoil(folder)) } });
  expect([code, stdout]).toEqual([1, ""]);
  for (const name of names) expect(stderr).toContain(name);
  expect(stderr).not.toContain("listening");
  // The owner gets a sentence, not a stack trace.
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("a good list of trusted proxies is believed, from those peers", async () => {
  using folder = shopFolder({ ...SHOP, "access.blocked_networks": ["203.0.113.0/24"] });
  await using server = await startServer(folder, { env: { TINT_TRUSTED_PROXIES: "127.0.0.0/8, ::1" } });
  const statusFor = async (headers: Record<string, string>) =>
    (await server.fetch(`${API}/location`, { headers })).status;
  expect(await statusFor({ "X-Forwarded-For": "203.0.113.9" })).toBe(403);
  expect(await statusFor({})).toBe(200);
});

test("standard output stays empty, and the log is JSON without anything a customer typed", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  const body = { ...bookingOn(dateIn(3)), customer_name: "Zebulon Quux", special_requests: "gate code 4711" };
  expect((await server.post(`${API}/bookings`, body)).status).toBe(201);
  await server.fetch(`${API}/zebulon-quux?phone=4711`);
  await server.logged(({ status }) => status === 404);
  server.signal("SIGKILL");
  const { stdout, stderr } = await server.exited;
  expect(stdout).toBe("");
  for (const line of stderr.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  for (const secret of [/quux/i, /4711/, /pat@example/, new RegExp(body.customer_phone.slice(-7)), /127\.0\.0\.1(?!:)/])
    expect(stderr).not.toMatch(secret);
});

// Stopping

/** A POST of which the server has the headers and half of the body; it has answered 100 Continue. */
async function begun(server: ServerProcess, path: string, body: object) {
  const connection = await rawConnection(server.port);
  const text = JSON.stringify(body);
  const half = Math.floor(text.length / 2);
  connection.send(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${text.length}\r\n\r\n`,
  );
  await connection.receive((answer) => answer.includes("100 Continue"));
  connection.send(text.slice(0, half));
  return {
    async finish() {
      connection.send(text.slice(half));
      const read = (soFar: string) => answerIn(soFar.replace(CONTINUE, ""));
      const { text: answer } = await connection.receive((soFar) => read(soFar) !== undefined);
      return read(answer);
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}
const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/;

test("SIGINT while a body is still on its way: it is answered, then exit 0", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  using request = await begun(server, `${API}/bookings`, bookingOn(dateIn(3)));
  server.signal("SIGINT");
  await server.logged(({ msg }) => msg === "draining");
  const answer = await request.finish();
  expect(answer?.status).toBe(201);
  request[Symbol.dispose]();
  const started = performance.now();
  const { code, signal: killedBy, stderr } = await server.exited;
  expect({ code, killedBy }).toEqual({ code: 0, killedBy: null });
  expect(performance.now() - started).toBeLessThan(QUICKLY_MS);
  expect(stderr).toContain('"stopped"');
  expect(rowsIn(folder.database, "SELECT confirmation_code FROM bookings")).toEqual([
    { confirmation_code: JSON.parse(answer?.body ?? "").data.confirmation_code },
  ]);
});

test("SIGTERM under load: every request that had begun is answered, no new one is let in, an idle connection is cut", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  using idle = await rawConnection(server.port);
  idle.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(answerIn((await idle.receive((text) => answerIn(text) !== undefined)).text)?.status).toBe(200);
  const requests = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0
        ? begun(server, `${API}/bookings`, bookingOn(dateIn(3), "10:00"))
        : begun(server, `${API}/estimates`, { vehicle_type: "suv" }),
    ),
  );
  server.signal("SIGTERM");
  await server.logged(({ msg }) => msg === "draining");
  await expect(fetch(new URL("/livez", server.url), { keepalive: false })).rejects.toThrow();

  const answers = await Promise.all(requests.map((request) => request.finish()));
  for (const request of requests) request[Symbol.dispose]();
  const statuses = answers.map((answer) => answer?.status).sort();
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(2).fill(201), ...Array(18).fill(409)]);
  const started = performance.now();
  expect((await server.exited).code).toBe(0);
  expect(performance.now() - started).toBeLessThan(QUICKLY_MS);
});
