/** Requests and the stop of the server go on when nobody reads the log, or the disk is full. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { createRateLimitLog } from "../../src/http/request.ts";
import { serverOptions } from "../../src/programs/listen.ts";
import { createLogDestination, isJournal, withPriority } from "../../src/programs/process.ts";
import { API, BOOKING, bookingOn, catalogWith, fileApp, freshPhone, testApp } from "../helpers.ts";
import { until } from "../service-process.ts";
import { dateIn, jsonOf, NO_LIMITS, OPEN_DAILY, shopFolder, startServer } from "./server.ts";

setDefaultTimeout(30_000);

const SHOP = { ...OPEN_DAILY, ...NO_LIMITS };
const booking = () => bookingOn(dateIn(3));

/** A named pipe whose two ends this process holds, so that the test decides when it is read. */
function pipeIn(folder: string) {
  const path = join(folder, "log");
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  // A second handle for the child, because the first one is non-blocking.
  const child = openSync(path, constants.O_RDWR);
  return {
    child,
    /** Reads the text in the pipe without waiting. */
    read(): string {
      const buffer = Buffer.alloc(1 << 20);
      try {
        return buffer.toString("utf8", 0, readSync(fd, buffer));
      } catch {
        return "";
      }
    },
    [Symbol.dispose]: () => {
      closeSync(child);
      closeSync(fd);
    },
  };
}

test("a reader of standard error that stalls freezes neither requests nor the stop", async () => {
  using folder = shopFolder(SHOP);
  using pipe = pipeIn(folder.path);
  await using server = await startServer(folder, { stderr: pipe.child });
  // A pipe holds 64 KiB; all these lines have more than 120 kB.
  for (let i = 0; i < 20; i++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.fetch(`${API}/location`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  }
  expect((await server.post(`${API}/bookings`, booking())).status).toBe(201);
  expect((await server.fetch("/livez")).status).toBe(200);
  server.signal("SIGTERM");
  expect(await server.exited).toMatchObject({ code: 0, signal: null });
  const read = pipe.read().split("\n").length;
  expect([read > 100, read < 900]).toEqual([true, true]);
});

/** A pipe that nobody reads any more. */
function brokenPipe(folder: string): number {
  const path = join(folder, "log");
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, "w");
  closeSync(readEnd);
  return writeEnd;
}

test.each([
  ["on a full disk", () => openSync("/dev/full", "w")],
  ["without a reader", brokenPipe],
])("a log %s: requests and bookings are answered as ever, and the stop is clean", async (_, open) => {
  using folder = shopFolder(SHOP);
  const log = open(folder.path);
  try {
    await using server = await startServer(folder, { stderr: log });
    expect((await server.fetch(`${API}/location`)).status).toBe(200);
    expect((await server.fetch(`${API}/nowhere`)).status).toBe(404);
    expect((await server.post(`${API}/bookings`, booking())).status).toBe(201);
    server.signal("SIGTERM");
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
  } finally {
    closeSync(log);
  }
});

test("a line that cannot be logged does not reach the request", async () => {
  const log = pino(
    {},
    {
      write() {
        throw new Error("no log");
      },
    },
  );
  const app = fileApp({ log });
  expect((await app.post(`${API}/bookings`, BOOKING)).status).toBe(201);
  expect(app.counts()).toMatchObject({ bookings: 1 });
  app.db.run("DROP TABLE jobs");
  const failed = await app.post(`${API}/bookings`, { ...BOOKING, customer_phone: freshPhone() });
  expect(failed.json.error_code).toBeOneOf(["BOOKING_FAILED", "INTERNAL_ERROR"]);
});

test("lines beyond the bound are dropped and counted, and the count is logged where they would be", async () => {
  using folder = shopFolder();
  using pipe = pipeIn(folder.path);
  const log = createLogDestination({ fd: pipe.child, maxBytes: 100_000 });
  // A pipe holds 64 KiB.
  const line = (i: number) => `line ${i} ${"x".repeat(90)}\n`;
  for (let i = 0; i < 3_000; i++) log.write(line(i));
  const dropped = log.droppedLines();
  expect(dropped).toBeGreaterThan(1_000);
  let text = "";
  await until("the lines that waited", () => {
    text += pipe.read();
    return text.includes("were dropped");
  });
  log.write("last\n");
  expect(await log.flush(10_000)).toBe(true);
  const lines = (text + pipe.read()).trimEnd().split("\n");
  expect(lines.slice(0, -2)).toEqual(Array.from({ length: 3_000 - dropped }, (_, i) => line(i).trimEnd()));
  expect(JSON.parse(lines.at(-2) ?? "")).toMatchObject({
    level: 40,
    dropped,
    msg: `${dropped} log lines were dropped`,
  });
  expect(lines.at(-1)).toBe("last");
});

test("a flush gives up when its time is over or the disk is full; without waiting lines it ends at once", async () => {
  using folder = shopFolder();
  using pipe = pipeIn(folder.path);
  // A handle of its own, which the log closes when it gives up.
  const log = createLogDestination({ fd: openSync(`/proc/self/fd/${pipe.child}`, "w") });
  expect(await log.flush(10_000)).toBe(true);
  for (let i = 0; i < 1_000; i++) log.write(`${"x".repeat(99)}\n`);
  expect(await log.flush(5)).toBe(false);
  // Lets the write end that waits in the thread pool.
  await until("the pipe is empty", () => pipe.read() === "");
  const full = openSync("/dev/full", "w");
  const onFullDisk = createLogDestination({ fd: full });
  onFullDisk.write("first\n");
  expect(await onFullDisk.flush(10_000)).toBe(false);
});

test("an error that nobody caught: the log has it, with the lines before it, and the exit status is 1", async () => {
  const file = new URL("../../src/programs/process.ts", import.meta.url).pathname;
  const script = `
    import { runProgram } from ${JSON.stringify(file)};
    await runProgram("info", (log) => {
      log.info("before");
      log.error({ err: Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT_INDEX" }) }, "request failed");
      const error = new Error("nobody catches this", { cause: new TypeError("deeper") });
      // Fields of an error may be circular, or hold what a caller sent.
      Object.assign(error, { code: "ENOSPC", self: error, sent: "customer" });
      setTimeout(() => { throw error; }, 0);
      return new Promise(() => setInterval(() => {}, 1000));
    });`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe", timeout: 20_000 });
  const lines = (await new Response(child.stderr).text()).trim().split("\n");
  expect(await child.exited).toBe(1);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, msg: "before" },
    // The owner reads in the log how to repair a damaged database.
    { level: 50, err: { code: "SQLITE_CORRUPT_INDEX", fix: expect.stringContaining("tint restore FILE") } },
    {
      level: 60,
      msg: "the program failed",
      err: { type: "Error", message: "nobody catches this", code: "ENOSPC", cause: { type: "TypeError" } },
    },
  ]);
  expect(lines.join()).not.toContain("customer");
});

test("refused requests are counted per pool, not logged one by one", async () => {
  const app = testApp({ catalog: catalogWith({ "rate_limits.anonymous_per_minute": 2 }) });
  for (let i = 0; i < 20; i++) await app.get(`${API}/faq`);
  expect(app.logs.map(({ status }) => status)).toEqual([200, 200]);

  const reported = Promise.withResolvers<string>();
  const log = pino({}, { write: (line: string) => reported.resolve(line) });
  const count = createRateLimitLog(log, 1);
  const caller = {
    network: "203.0.113.5",
    userAgent: null,
    credentials: { kind: "none" as const },
    sharesProxyAddress: false,
    isBlocked: false,
    wider: [],
    isSelfRegistered: false,
    isCrossSite: false,
  };
  for (let i = 0; i < 3; i++) count({ ...caller, keyId: "key_1", agentClass: "openai" });
  for (let i = 0; i < 5; i++) count({ ...caller, keyId: null, agentClass: null });
  count({ ...caller, keyId: null, agentClass: "openai" });
  const line = await reported.promise;
  expect(JSON.parse(line)).toMatchObject({
    level: 40,
    refused: 9,
    pools: [
      { pool: "network", refused: 5 },
      { pool: "key key_1", refused: 3 },
      { pool: "class openai", refused: 1 },
    ],
  });
  expect(line).not.toContain("203.0.113");
});

test("a fault that no handler caught: 500 in the error shape; neither answer nor log repeats the request", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const fetch500 = (request: Request) => Promise.reject(new Error(`broken at ${request.url}`));
  const server = Bun.serve({ ...serverOptions({ port: 0, host: "127.0.0.1", log }), fetch: fetch500 });
  try {
    const response = await fetch(new URL("/secret-path", server.url));
    const body = await jsonOf(response);
    expect(response.status).toBe(500);
    expect(body).toMatchObject({ success: false, error_code: "INTERNAL_ERROR" });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, requestId: body.request_id }]);
    expect(JSON.stringify(body) + lines.join("")).not.toMatch(/secret-path|broken|\.ts\b/);
  } finally {
    await server.stop(true);
  }
});

test("health checks are no lines at info, but at debug", async () => {
  const lines: { path: string; level: number }[] = [];
  const log = pino({ level: "info", base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const app = testApp({ log });
  for (const path of ["/livez", "/readyz", `${API}/faq`]) expect((await app.get(path)).status).toBe(200);
  await until("the line of the last request", () => lines.some(({ path }) => path === `${API}/faq`));
  expect(lines.map(({ path }) => path)).toEqual([`${API}/faq`]);
  log.level = "debug";
  await app.get("/livez");
  await until("the line of the check", () => lines.length === 2);
  expect(lines[1]).toMatchObject({ path: "/livez", level: 20 });
});

test("a server whose log is the journal says the priority of each line", async () => {
  using folder = shopFolder(SHOP);
  using pipe = pipeIn(folder.path);
  const { dev, ino } = fstatSync(pipe.child);
  await using server = await startServer(folder, { stderr: pipe.child, env: { JOURNAL_STREAM: `${dev}:${ino}` } });
  let text = "";
  await until("the first lines", () => {
    text += pipe.read();
    return text.includes("Tintdesk is listening");
  });
  expect(text).toMatch(/^<6>\{"level":30,.*Tintdesk is listening/m);
  expect((await server.fetch("/livez")).status).toBe(200);
});

test("in the journal each line has its priority in front, and only there", () => {
  const lines: string[] = [];
  const log = pino({ level: "trace", base: null }, { write: (line: string) => lines.push(withPriority(line)) });
  for (const level of ["trace", "debug", "info", "warn", "error", "fatal"] as const) log[level](level);
  expect(lines.map((line) => line.slice(0, 4))).toEqual(["<7>{", "<7>{", "<6>{", "<4>{", "<3>{", "<2>{"]);
  expect(withPriority("no line of pino's\n")).toBe("no line of pino's\n");
  const { dev, ino } = fstatSync(2);
  expect(isJournal(`${dev}:${ino}`)).toBe(true);
  // A child whose output goes elsewhere inherits the variable.
  expect([isJournal(`${dev}:${ino + 1}`), isJournal(undefined)]).toEqual([false, false]);
});
