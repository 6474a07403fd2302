/** The database of a running server: busy, deleted, overwritten, and what is no alarm. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, databaseFile, openDatabase } from "../../src/store/sqlite/database.ts";
import { tintToday } from "../cli/run.ts";
import { API, bookingOn } from "../helpers.ts";
import { untilIs } from "../jobs/outbox.ts";
import {
  dateIn,
  jsonOf,
  NO_LIMITS,
  OPEN_DAILY,
  rowsIn,
  type ServerProcess,
  type ShopFolder,
  shopFolder,
  startServer,
  temporaryFolder,
} from "./server.ts";

setDefaultTimeout(30_000);

const SHOP = { ...OPEN_DAILY, ...NO_LIMITS };

const bookOn = async (server: ServerProcess, day: number) =>
  (await server.post(`${API}/bookings`, bookingOn(dateIn(day)))).status;

function emptyLog(folder: ShopFolder): void {
  using beside = new Database(folder.database);
  // A write of the server would keep it from being moved.
  beside.run("PRAGMA busy_timeout = 5000");
  expect(beside.query("PRAGMA wal_checkpoint(TRUNCATE)").get()).toMatchObject({ busy: 0 });
}

test("a database locked by another process: 503 with Retry-After for bookings, and reads go on", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  const body = { ...bookingOn(dateIn(3)), booking_request_id: "held-1" };
  {
    using lock = new Database(folder.database);
    lock.run("PRAGMA busy_timeout = 5000");
    lock.run("BEGIN IMMEDIATE");
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
  expect(rowsIn(folder.database, "SELECT count(*) AS bookings FROM bookings")).toEqual([{ bookings: 0 }]);
  // The failure left no record of the request, so the same one succeeds now.
  const retry = await server.post(`${API}/bookings`, body);
  expect(retry.status).toBe(201);
  expect(retry.headers.get("idempotent-replayed")).toBeNull();
  await untilIs(async () => (await server.fetch("/readyz")).status, 200);
});

const withAnother = (file: string) => {
  using another = temporaryFolder();
  const other = openDatabase(another.path);
  closeDatabase(other);
  writeFileSync(file, readFileSync(databaseFile(another.path)));
};
const withItsCopy = (file: string, earlier: string) => writeFileSync(file, readFileSync(`${earlier}/copy.db`));

test.each([
  ["another shop's", withAnother],
  ["an earlier copy of it", withItsCopy],
  ["nothing", (file: string) => truncateSync(file, 0)],
])("a database overwritten with %s under the server takes no bookings, and /readyz says so", async (_, spoil) => {
  using folder = shopFolder(SHOP);
  using earlier = temporaryFolder();
  await using server = await startServer(folder);
  const ready = async () => (await server.fetch("/readyz")).status;
  const isLookedAt = async (after: number) => (await ready()) === 200 && beatsOf(folder.database) > after;
  emptyLog(folder);
  copyFileSync(folder.database, `${earlier.path}/copy.db`);
  const before = beatsOf(folder.database);
  await untilIs(() => isLookedAt(before), true);
  emptyLog(folder);
  const moved = beatsOf(folder.database);
  // The write that ends first may have looked at the file before its log was emptied.
  await untilIs(() => isLookedAt(moved + 1), true);
  spoil(folder.database, earlier.path);
  // Clocks of file systems tick in milliseconds, and SQLite's own moves of the log are given a second.
  utimesSync(folder.database, 1, 1);
  await untilIs(ready, 503);
  expect(await bookOn(server, 3)).toBe(503);
});

test("an earlier copy put over a database is noticed by the next booking, although nobody asks /readyz", async () => {
  using folder = shopFolder(SHOP);
  const copy = join(folder.path, "copy.db");
  await using server = await startServer(folder);
  const book = (day: number) => bookOn(server, day);
  expect(await book(3)).toBe(201);
  emptyLog(folder);
  copyFileSync(folder.database, copy);
  expect(await book(4)).toBe(201);
  emptyLog(folder);
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
  await run(async (server) => expect(await bookOn(server, 3)).toBe(201));
  await run(async (server) => {
    writeFileSync(folder.database, readFileSync(copy));
    // SQLite's own moves of the log are given a second.
    utimesSync(folder.database, 1, 1);
    expect(await bookOn(server, 4)).toBe(503);
  });
});

test("writes, checkpoints, backups, a VACUUM and commands beside the server are no alarm", async () => {
  using folder = shopFolder(SHOP);
  using earlier = temporaryFolder();
  await using server = await startServer(folder);
  for (const [round, statement] of ["PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM"].entries()) {
    for (const time of ["10:00", "13:00"])
      expect((await server.post(`${API}/bookings`, bookingOn(dateIn(3 + round), time))).status).toBe(201);
    using beside = new Database(folder.database);
    beside.run("PRAGMA busy_timeout = 4000");
    beside.run(statement);
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
  return rowsIn<{ beats: number }>(file, "SELECT beats FROM heartbeat")[0]?.beats ?? 0;
}
