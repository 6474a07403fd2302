/** The server as a process: starting, stopping, crashing, reloading its catalog, and a database that is busy. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { closeDatabase, databaseFile, openDatabase } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { tintToday } from "../cli/run.ts";
import { API, BOOKING_JOBS, bookingOn } from "../helpers.ts";
import { until, untilIs } from "../jobs/outbox.ts";
import { catalogText } from "../small-shop.ts";
import {
  dateIn,
  failToStart,
  freePort,
  jsonOf,
  lockDatabase,
  NO_LIMITS,
  OPEN_DAILY,
  rawConnection,
  type ServerProcess,
  type ShopFolder,
  shopFolder,
  startServer,
  temporaryFolder,
} from "./server.ts";

setDefaultTimeout(30_000);

const SHOP = { ...OPEN_DAILY, ...NO_LIMITS };
/** Upper bound for a stop that has nothing to wait for. */
const QUICKLY_MS = 3_000;
/** It is 2 seconds on a machine that does nothing else; the tests of three files run at once here. */
const RELOAD_MS = 10_000;

function rows<T>(file: string, sql: string): T[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.query<T, []>(sql).all();
  } finally {
    db.close();
  }
}

// Starting

test("a faulty catalog: exit 1, the place of the fault, and nothing listens", async () => {
  using folder = shopFolder({ "scheduling.bays": "two" });
  const line =
    folder
      .read()
      .split("\n")
      .findIndex((text) => text.includes("bays: two")) + 1;
  const column = (folder.read().split("\n")[line - 1]?.indexOf("two") ?? 0) + 1;
  const port = freePort();
  const { code, stdout, stderr } = await failToStart(folder, { env: { PORT: String(port) } });
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain(`${folder.catalog}:${line}:${column}: scheduling.bays `);
  expect(stderr).not.toContain("listening");
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(() => statSync(folder.data)).toThrow();
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
});

test("a faulty catalog after a good one: the last good one is served, and the mended one taken over", async () => {
  using folder = shopFolder();
  const good = readFileSync(folder.catalog, "utf8");
  const faulty = good.replace(/bays: "?\d+"?/, "bays: two");
  expect(faulty).not.toBe(good);
  await (await startServer(folder))[Symbol.asyncDispose]();
  writeFileSync(folder.catalog, faulty);
  await using server = await startServer(folder);
  const said = await server.logged(({ msg }) =>
    msg.startsWith("the catalog is faulty; started with the last good one"),
  );
  expect(said.level).toBe(50);
  expect(JSON.stringify(said)).toMatch(/catalog\.yaml:\d+:\d+: scheduling\.bays/);
  expect((await server.fetch(`${API}/services`)).status).toBe(200);
  const doctor = await tintToday(folder, ["doctor"], { env: { PORT: String(server.port) } });
  expect(doctor.status).toBe(1);
  expect(doctor.stdout).toContain("scheduling.bays");
  writeFileSync(folder.catalog, good.replace(/bays: "?\d+"?/, "bays: 7"));
  await server.logged(({ msg }) => msg === "catalog reloaded", RELOAD_MS);
});

test("a reload tells the values that changed, and those that are probably not meant", async () => {
  using folder = shopFolder({ "business.special_hours": [] });
  await using server = await startServer(folder);
  folder.edit({
    "business.phone": "+1-404-555-0199",
    "automotive.vehicle_types.suv.ceramic.full": 5990,
    "business.special_hours": [{ date: "2099-12-25", closed: true }],
    "scheduling.horizon_days": 90,
    "faq.0.answer": "Ask us.",
    // Whom alerts reach is nobody's business but the owner's.
    "alerts.to": ["https://ntfy.example/a-name-nobody-guesses"],
  });
  const { level, changed, notes } = await server.logged(({ msg }) => msg === "catalog reloaded", 30_000);
  expect(level).toBe(40);
  expect(changed).toEqual(
    expect.arrayContaining([
      'business.phone: "+1-404-555-0142" → "+1-404-555-0199"',
      "automotive.vehicle_types.suv.ceramic.full: 599 → 5990",
      "alerts.to.0: changed",
      expect.stringMatching(/^faq\.0\.answer: "At least .{40,60}… → "Ask us\."$/),
      'business.special_hours: none → {"date":"2099-12-25","closed":true}',
    ]),
  );
  expect(notes).toEqual([
    expect.stringMatching(/catalog\.yaml:\d+:\d+: automotive\.vehicle_types\.suv\.ceramic\.full is 5990/),
  ]);
}, 60_000);

test("a reload that changes very much is told in few words", async () => {
  using folder = shopFolder();
  await using server = await startServer(folder);
  folder.write(
    folder
      .read()
      .replace(/answer: "/g, 'answer: "Yes. ')
      .replace(/full: (\d)/g, "full: 1$1"),
  );
  const { changed } = await server.logged(({ msg }) => msg === "catalog reloaded", 30_000);
  expect((changed as string[]).length).toBe(21);
  expect((changed as string[]).at(-1)).toMatch(/^and \d+ more$/);
  expect(JSON.stringify(changed).length).toBeLessThan(4_500);
}, 60_000);

test("a catalog that is missing: exit 1 and its name", async () => {
  using folder = shopFolder();
  unlinkSync(folder.catalog);
  const { code, stderr } = await failToStart(folder);
  expect(code).toBe(1);
  expect(stderr).toContain(folder.catalog);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("a busy port: exit 1 and a clear message; the first server serves on", async () => {
  using folder = shopFolder();
  await using first = await startServer(folder);
  const starts: { env?: Record<string, string>; args?: string[] }[] = [
    { env: { PORT: String(first.port) } },
    { args: ["--port", String(first.port)] },
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

// Every setting that is refused: test/env/settings.test.ts.
test.each([
  [{ TINT_TRUSTED_PROXIES: "10.0.0.0/33" }, "TINT_TRUSTED_PROXIES"],
  [{ HOST: "no-such-host.invalid" }, "no-such-host.invalid"],
])("%j: exit 1, and the message names it", async (env: Record<string, string>, names) => {
  using folder = shopFolder();
  const { code, stdout, stderr } = await failToStart(folder, { env });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(names);
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

test("the folder of the database is made when it is missing, for its owner alone", async () => {
  using folder = shopFolder();
  const data = join(folder.path, "not", "there", "yet");
  await using server = await startServer(folder, { env: { TINT_DATA: data } });
  expect((await server.fetch("/readyz")).status).toBe(200);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(statSync(join(data, "tintdesk.db")).mode & 0o777).toBe(0o600);
});

test("a folder that cannot hold a database, or holds something else: exit 1 and its name", async () => {
  using folder = shopFolder();
  using other = temporaryFolder();
  writeFileSync(join(other.path, "tintdesk.db"), "this is not a database, however long it may be\n".repeat(200));
  for (const data of [folder.catalog, join(folder.catalog, "below"), other.path]) {
    const { code, stderr } = await failToStart(folder, { env: { TINT_DATA: data } });
    expect(code).toBe(1);
    expect(stderr).toContain(data);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});

test("a database that cannot be written: exit 1 and its name", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  // A write version that SQLite does not know makes a file read-only, to the administrator too (file format, 1.3.3).
  const file = openSync(folder.database, "r+");
  writeSync(file, Buffer.from([3]), 0, 1, 18);
  closeSync(file);
  const { code, stderr } = await failToStart(folder);
  expect(code).toBe(1);
  expect(stderr).toContain(folder.data);
  expect(stderr).toContain("SQLITE_READONLY");
  expect(stderr).not.toContain("listening");
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
      const { text: answer } = await connection.receive((soFar) => bodyOf(soFar.replace(CONTINUE, "")) !== undefined);
      return parseAnswer(answer.replace(CONTINUE, ""));
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}
const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/;

/** The whole body of a raw answer, once its Content-Length has arrived. */
function bodyOf(answer: string): string | undefined {
  const [head = "", body] = splitOnce(answer, "\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body, "latin1") >= Number(length)
    ? body.slice(0, Number(length))
    : undefined;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function parseAnswer(answer: string) {
  const body = bodyOf(answer) ?? "";
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]),
    json: body.startsWith("{") ? JSON.parse(Buffer.from(body, "latin1").toString("utf8")) : undefined,
  };
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} while a body is still on its way: it is answered, then exit 0`, async () => {
    using folder = shopFolder(SHOP);
    await using server = await startServer(folder);
    using request = await begun(server, `${API}/bookings`, bookingOn(dateIn(3)));
    server.signal(signal);
    await server.logged(({ msg }) => msg === "draining");
    const answer = await request.finish();
    expect(answer.status).toBe(201);
    request[Symbol.dispose]();
    const started = performance.now();
    const { code, signal: killedBy, stderr } = await server.exited;
    expect({ code, killedBy }).toEqual({ code: 0, killedBy: null });
    expect(performance.now() - started).toBeLessThan(QUICKLY_MS);
    expect(stderr).toContain('"stopped"');
    expect(rows(folder.database, "SELECT confirmation_code FROM bookings")).toEqual([
      { confirmation_code: answer.json.data.confirmation_code },
    ]);
  });
}

test("SIGTERM under load: every request that had begun is answered, no new one is let in", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
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
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(2).fill(201), ...Array(18).fill(409)]);
  const started = performance.now();
  expect((await server.exited).code).toBe(0);
  expect(performance.now() - started).toBeLessThan(QUICKLY_MS);
});

test("SIGTERM does not wait for connections on which nothing is asked", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  using idle = await rawConnection(server.port);
  idle.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(parseAnswer((await idle.receive((text) => bodyOf(text) !== undefined)).text).status).toBe(200);
  const started = performance.now();
  server.signal("SIGTERM");
  expect((await server.exited).code).toBe(0);
  expect(performance.now() - started).toBeLessThan(QUICKLY_MS);
});

test("a confirmed booking survives kill -9 right after its answer", async () => {
  using folder = shopFolder(SHOP);
  let before: { body: object; answer: unknown } | undefined;
  for (let round = 0; round <= 4; round++) {
    // Its own address would change with the port.
    await using server = await startServer(folder, { env: { TINT_SITE_URL: "https://lakeside.test" } });
    if (before) {
      const again = await server.post(`${API}/bookings`, before.body);
      expect(again.status).toBe(201);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(await jsonOf(again)).toEqual(before.answer);
    }
    if (round === 4) break;
    const body = { ...bookingOn(dateIn(3 + round)), booking_request_id: `crash-${round}` };
    const response = await server.post(`${API}/bookings`, body);
    server.signal("SIGKILL");
    expect(response.status).toBe(201);
    before = { body, answer: await jsonOf(response) };
  }
  expect(rows(folder.database, "SELECT count(*) AS bookings FROM bookings")).toEqual([{ bookings: 4 }]);
});

test("kill -9 amid many bookings: what was confirmed is stored, and nothing is stored by halves", async () => {
  using folder = shopFolder({ ...SHOP, "scheduling.bays": 50 });
  const confirmed: string[] = [];
  {
    await using server = await startServer(folder);
    const requests = Array.from({ length: 120 }, async (_, i) => {
      const response = await server.post(`${API}/bookings`, bookingOn(dateIn(3 + (i % 20))));
      if (response.status === 201) confirmed.push((await jsonOf(response)).data.confirmation_code);
      if (confirmed.length === 40) server.signal("SIGKILL");
    });
    await Promise.allSettled(requests);
    expect((await server.exited).signal).toBe("SIGKILL");
  }
  expect(confirmed.length).toBeGreaterThanOrEqual(40);
  await using server = await startServer(folder);
  expect((await server.fetch("/readyz")).status).toBe(200);
  const stored = rows<{ confirmation_code: string; jobs: number; leads: number }>(
    folder.database,
    `SELECT confirmation_code, (SELECT count(*) FROM jobs WHERE jobs.lead_id = bookings.lead_id) AS jobs,
       (SELECT count(*) FROM leads WHERE leads.id = bookings.lead_id) AS leads FROM bookings`,
  );
  expect(stored.filter(({ jobs, leads }) => jobs !== BOOKING_JOBS.length || leads !== 1)).toEqual([]);
  const codes = new Set(stored.map(({ confirmation_code }) => confirmation_code));
  expect(confirmed.filter((code) => !codes.has(code))).toEqual([]);
  expect(rows(folder.database, "SELECT count(*) AS leads FROM leads")).toEqual([{ leads: stored.length }]);
  expect(rows(folder.database, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
});

// Reloading the catalog

const VEHICLES = ["coupe", "sedan", "wagon", "crossover", "suv", "truck", "van"];
/** Sets every tint price to one amount: an answer made from two catalogs would hold two amounts. */
const allPrices = (amount: number) =>
  Object.fromEntries(
    VEHICLES.flatMap((vehicle) =>
      ["standard", "ceramic"].map((film) => [
        `automotive.vehicle_types.${vehicle}.${film}`,
        { full: amount, front2: amount },
      ]),
    ),
  );

async function priceOf(server: ServerProcess): Promise<number> {
  const response = await server.post(`${API}/estimates`, { vehicle_type: "suv" });
  expect(response.status).toBe(200);
  return (await jsonOf(response)).data.total;
}

test("a new price is in force soon; no request is lost and none sees both catalogs", async () => {
  using folder = shopFolder({ ...SHOP, ...allPrices(111) });
  await using server = await startServer(folder);
  let over = false;
  let asked = 0;
  const firstSeen = new Map<number, number>();

  const worker = async () => {
    let newest = 111;
    while (!over) {
      asked += 1;
      const response = await server.fetch(`${API}/estimates`);
      expect(response.status).toBe(200);
      const { data } = await jsonOf(response);
      const totals = new Set<number>(data.matrix.map(({ total }: { total: number }) => total));
      expect(totals.size).toBe(1);
      const [total = 0] = totals;
      // No caller sees an old price after a new one.
      expect(total).toBeGreaterThanOrEqual(newest);
      newest = total;
      if (!firstSeen.has(total)) firstSeen.set(total, performance.now());
    }
  };
  const workers = Promise.all(Array.from({ length: 8 }, worker));
  try {
    for (const price of [222, 333]) {
      const written = performance.now();
      if (price === 222) folder.edit(allPrices(price));
      // The second change is made like a plain editor's: the file is emptied and written again.
      else writeFileSync(folder.catalog, catalogText({ ...SHOP, ...allPrices(price) }));
      await until(
        () => firstSeen.get(price),
        (seen) => seen !== undefined,
      );
      expect((firstSeen.get(price) ?? 0) - written).toBeLessThan(RELOAD_MS);
    }
  } finally {
    over = true;
  }
  await workers;
  expect([...firstSeen.keys()]).toEqual([111, 222, 333]);
  expect(asked).toBeGreaterThan(100);
  // The log is written in batches.
  await untilIs(() => server.lines.filter(({ msg }) => msg === "catalog reloaded").length, 2);
});

describe("a server that runs through changes of its catalog", () => {
  let folder: ShopFolder;
  let server: ServerProcess;
  beforeAll(async () => {
    folder = shopFolder(SHOP);
    server = await startServer(folder);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const refusals = () => server.lines.filter(({ msg }) => msg.startsWith("catalog refused"));

  test("a bad change is logged with its place and ignored; mending it is enough", async () => {
    const good = folder.read();
    expect(await priceOf(server)).toBe(349);

    folder.write(good.replace("bays: 2", "bays: lots"));
    await until(refusals, (refused) => refused.length === 1);
    expect(refusals()[0]?.level).toBeGreaterThanOrEqual(40);
    expect(JSON.stringify(refusals())).toMatch(/catalog\.yaml:\d+:\d+: scheduling\.bays/);
    expect(await priceOf(server)).toBe(349);
    expect((await server.fetch("/readyz")).status).toBe(200);

    // A truncated file is usually still valid YAML.
    folder.write(good.slice(0, good.indexOf("\nrate_limits:")));
    await until(refusals, (refused) => refused.length === 2);
    expect(await priceOf(server)).toBe(349);

    folder.edit({ "automotive.vehicle_types.suv.standard.full": 350.25 });
    await untilIs(() => priceOf(server), 350.25);
  });

  test("a catalog that disappears stays in force until it is back", async () => {
    unlinkSync(folder.catalog);
    await until(refusals, (refused) => refused.length === 3);
    expect(await priceOf(server)).toBe(350.25);
    folder.edit({ "automotive.vehicle_types.suv.standard.full": 351 });
    await untilIs(() => priceOf(server), 351);
  });

  test("a lowered limit holds without a restart, also for callers who are already beyond it", async () => {
    folder.edit({ "rate_limits.anonymous_per_minute": 2 });
    await untilIs(async () => (await server.fetch(`${API}/location`)).status, 429);
  });
});

// A database that is busy

test("a database locked by another process: 503 with Retry-After for bookings, and reads go on", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  const body = { ...bookingOn(dateIn(3)), booking_request_id: "held-1" };
  {
    await using _lock = await lockDatabase(folder.database);
    const attempts = Array.from({ length: 5 }, (_, i) =>
      server.post(`${API}/bookings`, i === 0 ? body : bookingOn(dateIn(4))),
    );
    const ready = server.fetch("/readyz");

    let slowest = 0;
    for (const path of ["/livez", `${API}/services`, `${API}/availability?date=${dateIn(3)}`, `${API}/estimates`]) {
      const started = performance.now();
      expect((await server.fetch(path)).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - started);
    }
    // Requests that need no lock must not wait for it.
    expect(slowest).toBeLessThan(1_000);

    for (const response of await Promise.all(attempts)) {
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(response.headers.get("x-ratelimit-limit")).not.toBeNull();
      const error = await jsonOf(response);
      expect(error).toMatchObject({ success: false, error_code: "BOOKING_FAILED", recoverable: true });
      expect(error.retry_after_seconds).toBe(Number(response.headers.get("retry-after")));
      expect(JSON.stringify(error)).not.toMatch(/sqlite|locked|busy/i);
    }
    expect((await ready).status).toBe(503);
  }
  expect(rows(folder.database, "SELECT count(*) AS bookings FROM bookings")).toEqual([{ bookings: 0 }]);
  // The failure left no record of the request, so the same one succeeds now.
  const retry = await server.post(`${API}/bookings`, body);
  expect(retry.status).toBe(201);
  expect(retry.headers.get("idempotent-replayed")).toBeNull();
  await untilIs(async () => (await server.fetch("/readyz")).status, 200);
});

test("a database deleted under the server: 503 for bookings and /readyz, and prices go on", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  rmSync(folder.data, { recursive: true });
  const response = await server.post(`${API}/bookings`, bookingOn(dateIn(3)));
  expect(response.status).toBe(503);
  expect(await jsonOf(response)).toMatchObject({ error_code: "BOOKING_FAILED" });
  expect((await server.fetch("/readyz")).status).toBe(503);
  expect((await server.fetch(`${API}/services`)).status).toBe(200);
});

function replaceFile(file: string): void {
  copyFileSync(file, `${file}.new`);
  renameSync(`${file}.new`, file);
}

test.each([
  ["replaced", replaceFile],
  ["without its -shm", (file: string) => rmSync(`${file}-shm`)],
  ["without its -wal", (file: string) => rmSync(`${file}-wal`)],
])("a database %s under the server takes no bookings, and /readyz says so", async (_, spoil) => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  spoil(folder.database);
  await untilIs(async () => (await server.fetch("/readyz")).status, 503);
  expect((await server.post(`${API}/bookings`, bookingOn(dateIn(3)))).status).toBe(503);
});

const withAnother = (file: string) => {
  using another = temporaryFolder();
  const other = openDatabase(another.path);
  closeDatabase(other);
  writeFileSync(file, readFileSync(databaseFile(another.path)));
};
const withItsBackup = (file: string, earlier: string) => writeFileSync(file, readFileSync(`${earlier}/backup.db`));
const withItsCopy = (file: string, earlier: string) => writeFileSync(file, readFileSync(`${earlier}/copy.db`));

test.each([
  ["another shop's", withAnother],
  ["a backup of it", withItsBackup],
  ["an earlier copy of it", withItsCopy],
  ["nothing", (file: string) => truncateSync(file, 0)],
  ["a part of it", (file: string) => truncateSync(file, 3 * 4096)],
  ["text", (file: string) => writeFileSync(file, "A".repeat(9_999))],
])("a database overwritten with %s under the server takes no bookings, and /readyz says so", async (_, spoil) => {
  using folder = shopFolder(SHOP);
  using earlier = temporaryFolder();
  await using server = await startServer(folder);
  const emptyLog = () => {
    using beside = new Database(folder.database);
    beside.run("PRAGMA wal_checkpoint(TRUNCATE)");
  };
  const ready = async () => (await server.fetch("/readyz")).status;
  expect((await tintToday(folder, ["backup", `${earlier.path}/backup.db`])).status).toBe(0);
  emptyLog();
  copyFileSync(folder.database, `${earlier.path}/copy.db`);
  const before = beatsOf(folder.database);
  const isLookedAt = async (after: number) => (await ready()) === 200 && beatsOf(folder.database) > after;
  await untilIs(() => isLookedAt(before), true);
  emptyLog();
  const moved = beatsOf(folder.database);
  await untilIs(() => isLookedAt(moved), true);
  spoil(folder.database, earlier.path);
  await untilIs(ready, 503);
  expect((await server.post(`${API}/bookings`, bookingOn(dateIn(3)))).status).toBe(503);
});

test("an earlier copy put over a database is noticed by the next booking, although nobody asks /readyz", async () => {
  using folder = shopFolder(SHOP);
  const copy = join(folder.path, "copy.db");
  const emptyLog = () => {
    using beside = new Database(folder.database);
    beside.run("PRAGMA wal_checkpoint(TRUNCATE)");
  };
  await using server = await startServer(folder);
  const book = async (day: number) => (await server.post(`${API}/bookings`, bookingOn(dateIn(day)))).status;
  expect(await book(3)).toBe(201);
  emptyLog();
  copyFileSync(folder.database, copy);
  expect(await book(4)).toBe(201);
  emptyLog();
  expect(await book(5)).toBe(201);
  writeFileSync(folder.database, readFileSync(copy));
  // SQLite's own moves of the log are given a second.
  utimesSync(folder.database, 1, 1);
  expect(await book(6)).toBe(503);
});

test("an earlier copy put over it as the server starts is noticed, too", async () => {
  using folder = shopFolder(SHOP);
  const copy = join(folder.path, "copy.db");
  const run = async (use: (server: ServerProcess) => Promise<void>) => {
    await using server = await startServer(folder);
    await use(server);
    server.signal("SIGTERM");
    await server.exited;
  };
  await run(async () => {});
  copyFileSync(folder.database, copy);
  const book = async (server: ServerProcess, day: number) =>
    (await server.post(`${API}/bookings`, bookingOn(dateIn(day)))).status;
  await run(async (server) => expect(await book(server, 3)).toBe(201));
  await run(async (server) => {
    writeFileSync(folder.database, readFileSync(copy));
    let day = 4;
    await untilIs(() => book(server, day++), 503);
  });
});

test("writes, checkpoints, backups, a VACUUM and commands beside the server are no alarm", async () => {
  using folder = shopFolder(SHOP);
  using earlier = temporaryFolder();
  await using server = await startServer(folder);
  for (const round of [0, 1, 2, 3]) {
    for (const time of ["10:00", "13:00"])
      expect((await server.post(`${API}/bookings`, bookingOn(dateIn(3 + round), time))).status).toBe(201);
    using beside = new Database(folder.database);
    beside.run("PRAGMA busy_timeout = 4000");
    beside.run(["PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(PASSIVE)", "VACUUM"][round] ?? "");
    beside.run("PRAGMA wal_checkpoint(RESTART)");
    expect((await tintToday(folder, ["backup", join(earlier.path, `${round}.db`)])).status).toBe(0);
    const issue = ["keys", "issue", "--name", "A", "--email", `a${round}@example.com`];
    expect((await tintToday(folder, issue)).status).toBe(0);
    const before = beatsOf(folder.database);
    await untilIs(async () => {
      expect((await server.fetch("/readyz")).status).toBe(200);
      return beatsOf(folder.database) > before;
    }, true);
  }
});

/** Counted up by each check of /readyz. */
function beatsOf(file: string): number {
  return rows<{ beats: number }>(file, "SELECT beats FROM heartbeat")[0]?.beats ?? 0;
}

test("a lock held for a moment only delays a booking", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  const lock = await lockDatabase(folder.database);
  const attempt = server.post(`${API}/bookings`, bookingOn(dateIn(3)));
  expect((await server.fetch(`${API}/location`)).status).toBe(200);
  await lock[Symbol.asyncDispose]();
  expect((await attempt).status).toBe(201);
});
