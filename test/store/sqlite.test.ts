import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { JOB_KINDS } from "../../src/constants.ts";
import { explainCode } from "../../src/lib/files.ts";
import { SCHEMA_VERSION } from "../../src/store/migrations.ts";
import { bookingQueries, busyBetween } from "../../src/store/queries/bookings.ts";
import {
  closeDatabase,
  commitTogether,
  knownOf,
  LONGEST_LOG_BYTES,
  openDatabase,
} from "../../src/store/sqlite/database.ts";
import { inspectDatabase, refuseDamaged } from "../../src/store/sqlite/inspect.ts";
import { runSteps } from "../../src/store/sqlite/migrate.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { OutcomeUnknown, StoreDamaged, StoreUnavailable } from "../../src/store/store-errors.ts";
import { WRITE_DEADLINE_MS } from "../../src/store/write-queue.ts";
import { until, untilIs } from "../jobs/outbox.ts";
import { storeConformance } from "./conformance.ts";
import { locationsConformance } from "./conformance-locations.ts";
import { claimOf, inTurn, issueOf, newBooking, newJob, newLead } from "./conformance-values.ts";

const ROOT = mkdtempSync(join(tmpdir(), "tintdesk-store-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(ROOT, String(++folders));
const fileIn = (folder: string) => join(folder, "tintdesk.db");

/** Runs `work` on the file through a second connection. */
function beside<T>(folder: string, work: (db: Database) => T): T {
  const db = new Database(fileIn(folder), { readwrite: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
const pragma = (db: Database, name: string) => db.query(`PRAGMA ${name}`).values()[0]?.[0];

/** A store whose writes are made by its thread; until that has started, they are made here. */
function withThread(folder: string, threadAfter?: Promise<void>) {
  const store = openSqliteStore(folder, { writer: "thread", ...(threadAfter && { threadAfter }) });
  const ready = async () => {
    // Only writes of other connections change the version. The thread writes once by itself before it says that it is
    // ready, so the second change is the first write that it made for the store.
    const version = async () => store.checkWritable().then(store.dataVersion);
    for (let change = 0; change < 2; change++) {
      const before = await store.dataVersion();
      await until(version, (now) => now !== before);
    }
  };
  return { store, ready };
}

// Writes by a thread, and by the program itself, with another program beside it. A store in memory is that of most tests of the API.
// One database in each of these is emptied for each test: to make one, or to start a thread, takes many times as long.
for (const [name, open] of [
  ["with a thread that writes", withThread],
  [
    "in a folder that two programs share, in turn",
    (folder: string) => ({ store: inTurn([openSqliteStore(folder), openSqliteStore(folder)]), ready: async () => {} }),
  ],
] as const) {
  describe("one database for all tests", () => {
    const folder = newFolder();
    const { store, ready } = open(folder);
    beforeAll(ready);
    afterAll(store.close);
    storeConformance(name, () => {
      beside(folder, (db) => {
        db.run("PRAGMA synchronous = OFF");
        const tables = "deposits payments jobs lead_events bookings leads api_keys alerts text_stops".split(" ");
        db.run(`BEGIN; ${tables.map((table) => `DELETE FROM ${table};`).join(" ")}
          DELETE FROM secrets WHERE name = 'calendar'; COMMIT`);
      });
      return { store: { ...store, close: async () => {} } };
    });
  });
}

locationsConformance("a folder", async () => {
  const folder = newFolder();
  return {
    place: { kind: "folder", folder },
    setVersion: async (version) => beside(folder, (db) => db.run(`PRAGMA user_version = ${version}`)),
    version: async () => beside(folder, (db) => pragma(db, "user_version")),
    state: async () => readFileSync(fileIn(folder)),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  };
});

test("each new database has a secret and a mark of its own", () => {
  const folders = Array.from({ length: 2 }, () => mkdtempSync(join(tmpdir(), "tintdesk-")));
  const own = [":memory:", ":memory:", ...folders].map((place) => {
    const db = openDatabase(place);
    const [mark] = db.query("PRAGMA application_id").values();
    const [secret] = db.query("SELECT value FROM secrets WHERE name = 'price_lock'").values();
    closeDatabase(db);
    return [String(mark), String(secret)];
  });
  for (const at of [0, 1]) expect(new Set(own.map((one) => one[at])).size).toBe(4);
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test("a thread starts when it may; without a start, writes are made here and the store closes", async () => {
  const folder = newFolder();
  const start = Promise.withResolvers<void>();
  const { store, ready } = withThread(folder, start.promise);
  const before = await store.dataVersion();
  await store.checkWritable();
  expect(await store.dataVersion()).toBe(before);
  start.resolve();
  await ready();
  await store.close();
  const idle = openSqliteStore(folder, { writer: "thread", threadAfter: Promise.withResolvers<void>().promise });
  await idle.close();
  rmSync(folder, { recursive: true });
});

test("a thread that opens another file does not write", async () => {
  const folder = newFolder();
  const start = Promise.withResolvers<void>();
  const { store } = withThread(folder, start.promise);
  renameSync(folder, `${folder}-before`);
  closeDatabase(openDatabase(folder));
  start.resolve();
  await expect(store.checkWritable()).rejects.toBeInstanceOf(StoreUnavailable);
  await store.close();
  const beats = beside(folder, (db) => db.query("SELECT beats FROM heartbeat").values());
  expect(beats).toEqual([[0]]);
  for (const one of [folder, `${folder}-before`]) rmSync(one, { recursive: true });
});

test("a thread knows what the others of its program have seen: an earlier copy is noticed at its first look", () => {
  const folder = newFolder();
  const here = openDatabase(folder);
  const thread = openDatabase(folder, { known: knownOf(here) });
  const moveLog = () => beside(folder, (db) => db.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  // A process of its own: to close a file ends the locks that SQLite has on it in this one.
  const copy = (from: string, to: string) => expect(Bun.spawnSync(["cp", from, to]).exitCode).toBe(0);
  const count = () => 1;
  commitTogether(here, [count]);
  moveLog();
  copy(fileIn(folder), `${folder}-copy`);
  commitTogether(here, [count]);
  moveLog();
  commitTogether(here, [count]);
  copy(`${folder}-copy`, fileIn(folder));
  // SQLite's own moves of the log are given a second.
  utimesSync(fileIn(folder), 1, 1);
  expect(() => commitTogether(thread, [count])).toThrow(StoreUnavailable);
  closeDatabase(thread);
  closeDatabase(here);
});

describe("SQLite", () => {
  type Work = (store: Store, folder: string) => void | Promise<void>;
  const withOpen = async ({ store, ready }: ReturnType<typeof withThread>, folder: string, work: Work) => {
    try {
      await ready();
      await work(store, folder);
    } finally {
      await store.close();
    }
  };
  const withStore = (work: Work, folder = newFolder()) =>
    withOpen({ store: openSqliteStore(folder), ready: async () => {} }, folder, work);
  const whenReady = (work: Work, folder = newFolder()) => withOpen(withThread(folder), folder, work);

  test("opens with write-ahead log, FULL synchronous, foreign keys and a short busy timeout; every table is STRICT", () => {
    const folder = newFolder();
    const db = openDatabase(folder);
    expect(pragma(db, "synchronous")).toBe(2);
    expect(pragma(db, "foreign_keys")).toBe(1);
    expect(pragma(db, "busy_timeout")).toBeWithin(1, 251);
    db.close();
    beside(folder, (db) => {
      expect(pragma(db, "journal_mode")).toBe("wal");
      expect(pragma(db, "user_version")).toBe(SCHEMA_VERSION);
      expect(pragma(db, "integrity_check")).toBe("ok");
      const tables = db.query<{ name: string; strict: number }, []>("PRAGMA table_list").all();
      const strict = tables.filter(({ name }) => !name.startsWith("sqlite_")).map((table) => table.strict);
      expect([strict.length > 5, new Set(strict)]).toEqual([true, new Set([1])]);
    });
  });

  test("only the owner can read the files", async () => {
    await withStore(async (store, folder) => {
      await store.checkWritable();
      const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
      expect(mode(folder)).toBe("700");
      const files = readdirSync(folder);
      expect(files).toContain("tintdesk.db-wal");
      for (const file of files) expect([file, mode(join(folder, file))]).toEqual([file, "600"]);
    });
    // A folder that others may read makes no difference.
    const open = newFolder();
    mkdirSync(open, { mode: 0o755 });
    chmodSync(open, 0o755);
    const store = openSqliteStore(open);
    await store.checkWritable();
    for (const file of readdirSync(open))
      expect([file, statSync(join(open, file)).mode & 0o777]).toEqual([file, 0o600]);
    await store.close();
  });

  test("a job whose payload cannot be read fails by itself and does not hold up the others", () =>
    withStore(async (store, folder) => {
      await store.addLead(newLead({ jobs: [newJob(), newJob(), newJob("push_to_crm")] }));
      const now = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;
      const [broken, whole, push] = await store.waitingJobs(9);
      beside(folder, (db) =>
        db.run("UPDATE jobs SET payload = '{}' WHERE id IN (?, ?)", [broken?.id ?? 0, push?.id ?? 0]),
      );
      expect((await store.claimJobs(claimOf(JOB_KINDS, now))).map(({ id }) => id)).toEqual([whole?.id ?? 0]);
      const reason = "the stored message cannot be read";
      expect(await store.failedJobs(9)).toMatchObject([
        { id: broken?.id, content: null, lastError: reason },
        { id: push?.id, content: null, lastError: reason },
      ]);
    }));

  test("the log is emptied after a long reader leaves, without another write", () =>
    withStore(async (store, folder) => {
      const reader = new Database(fileIn(folder), { readonly: true });
      reader.run("BEGIN");
      reader.query("SELECT count(*) FROM bookings").get();
      const logBytes = () => statSync(`${fileIn(folder)}-wal`).size;
      const answer = { text: "x".repeat(1024 ** 2) };
      const query = spyOn(Database.prototype, "query");
      while (logBytes() <= LONGEST_LOG_BYTES) await store.book(newBooking({ answer }), 99, []);
      // The first try meets the reader.
      await untilIs(() => query.mock.calls.some(([sql]) => sql.includes("wal_checkpoint")), true);
      query.mockRestore();
      expect(logBytes()).toBeGreaterThan(LONGEST_LOG_BYTES);
      reader.run("COMMIT");
      reader.close();
      await until(logBytes, (bytes) => bytes === 0);
    }));

  test("a large database is not checked for damage, but the newest lead is found", () =>
    withStore(async (store, folder) => {
      await store.addLead(newLead({ createdAt: 5 }));
      await store.addLead(newLead({ createdAt: 3 }));
      const facts = inspectDatabase(fileIn(folder));
      expect(facts).toMatchObject({ isChecked: true, issues: [], newestAt: 5 });
      expect(inspectDatabase(fileIn(folder), facts.bytes - 1)).toEqual({ ...facts, isChecked: false });
    }));

  test("a damaged database is refused before a server uses it, unless it is too large to read", async () => {
    const folder = newFolder();
    await openSqliteStore(folder).close();
    const { bytes } = inspectDatabase(fileIn(folder));
    expect(() => refuseDamaged(fileIn(folder))).not.toThrow();
    // An index that no request may read for days.
    using db = new Database(fileIn(folder), { readonly: true });
    const [page = 0] = db.query("SELECT rootpage FROM sqlite_schema WHERE name = 'jobs_lapsed'").values().flat();
    const content = readFileSync(fileIn(folder));
    writeFileSync(fileIn(folder), content.fill(0, (Number(page) - 1) * 4096, Number(page) * 4096));
    expect(() => refuseDamaged(fileIn(folder))).toThrow(StoreDamaged);
    expect(() => refuseDamaged(fileIn(folder), bytes - 1)).not.toThrow();
  });

  test("a full disk is called full, even when SQLite reports shared memory", () => {
    for (const code of ["ENOSPC", "SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"])
      expect(explainCode(code)).toBe("the disk is full");
  });

  const openFiles = () => readdirSync("/proc/self/fd").length;
  test("a file that is not a database is refused, left unchanged and closed", async () => {
    const before = openFiles();
    const folder = newFolder();
    mkdirSync(folder);
    const rubbish = "no database at all, only text, and quite a lot of it ".repeat(50);
    await Bun.write(fileIn(folder), rubbish);
    for (let i = 0; i < 10; i++) expect(() => openSqliteStore(folder)).toThrow();
    expect(await Bun.file(fileIn(folder)).text()).toBe(rubbish);
    expect(openFiles() - before).toBeLessThan(10);
  });

  test.each([
    ["deleted", (folder: string) => rmSync(folder, { recursive: true })],
    [
      "replaced",
      (folder: string) => {
        renameSync(fileIn(folder), `${fileIn(folder)}.old`);
        writeFileSync(fileIn(folder), "");
      },
    ],
    ["left without its -wal", (folder: string) => rmSync(`${fileIn(folder)}-wal`)],
    ["left without its -shm", (folder: string) => rmSync(`${fileIn(folder)}-shm`)],
  ])("a file that was %s while open is not written any more", (_, remove) =>
    withStore(async (store, folder) => {
      await store.book(newBooking(), 1, []);
      remove(folder);
      const writes = [store.book(newBooking(), 9, []), store.addLead(newLead()), store.checkWritable()];
      for (const write of await Promise.allSettled(writes))
        expect(write).toEqual({ status: "rejected", reason: expect.any(StoreUnavailable) });
      // The old contents can still be read.
      expect(await store.busyBetween(0, Number.MAX_SAFE_INTEGER)).toHaveLength(1);
    }),
  );

  test("the schema refuses a lead with an unknown key and a booking of no length", () =>
    withStore(async (store) => {
      await expect(store.addLead(newLead({ keyId: "key_of_nobody" }))).rejects.toThrow(/FOREIGN KEY/);
      await expect(store.book(newBooking({ startAt: 10, endAt: 10 }), 1, [])).rejects.toThrow(/CHECK/);
      expect(await store.busyBetween(0, 100)).toEqual([]);
    }));

  describe("writes that come together share a commit", () => {
    const bookings = (given: Parameters<typeof newBooking>[0]) => Array.from({ length: 9 }, () => newBooking(given));

    test("one transaction for all of them, without savepoints", () =>
      withStore(async (store, folder) => {
        const began = spyOn(Database.prototype, "transaction");
        await Promise.all(bookings({}).map((booking) => store.book(booking, 99, [])));
        expect(began).toHaveBeenCalledTimes(1);
        began.mockRestore();
        beside(folder, (db) => expect(db.query("SELECT count(*) AS n FROM bookings").get()).toEqual({ n: 9 }));
      }));

    // Each index is a page that every booking writes and flushes.
    test("a booking alone writes at most 22 pages of the log of a small database", () =>
      withStore(async (store, folder) => {
        const jobs = [newJob("notify_shop_sms"), newJob("push_to_crm"), newJob("remind_owner", { dueAt: 9 ** 15 })];
        await store.book(newBooking({ lead: { jobs } }), 99, []);
        const before = statSync(`${fileIn(folder)}-wal`).size;
        await store.book(newBooking({ lead: { jobs } }), 99, []);
        const frame = 24 + beside(folder, (db) => Number(pragma(db, "page_size")));
        expect((statSync(`${fileIn(folder)}-wal`).size - before) / frame).toBeWithin(1, 23);
      }));

    test("a commit that fails acknowledges none, and stores none", () =>
      withStore(async (store, folder) => {
        // A constraint that is checked at the commit.
        beside(folder, (db) => {
          db.run("CREATE TABLE late (code TEXT REFERENCES bookings (confirmation_code) DEFERRABLE INITIALLY DEFERRED)");
          db.run(
            "CREATE TRIGGER too_late AFTER INSERT ON bookings WHEN new.service = 'home' BEGIN INSERT INTO late VALUES ('nobody'); END",
          );
        });
        const writes = [...bookings({}), newBooking({ service: "home" })].map((booking) => store.book(booking, 99, []));
        for (const write of await Promise.allSettled(writes)) expect(write.status).toBe("rejected");
        expect(await store.busyBetween(0, Number.MAX_SAFE_INTEGER)).toEqual([]);
        expect((await store.book(newBooking(), 1, [])).kind).toBe("booked");
      }));

    test("a full disk refuses all of them, and stores none", async () => {
      const db = openDatabase(newFolder());
      db.run(`PRAGMA max_page_count = ${Number(pragma(db, "page_count")) + 5}`);
      const works = [1, 1, 9_999, 1].map((size) => () => {
        const booking = newBooking({ answer: { text: "x".repeat(size * 100) } });
        return runSteps(db, bookingQueries.writes.book(booking, 99, [])).kind;
      });
      expect(() => commitTogether(db, works)).toThrow(StoreUnavailable);
      expect(db.inTransaction).toBe(false);
      expect(runSteps(db, busyBetween(0, Number.MAX_SAFE_INTEGER))).toEqual([]);
      expect(commitTogether(db, works.slice(0, 1))).toEqual([{ value: "booked" }]);
      closeDatabase(db);
    });
  });

  test("a copy holds everything, keeps the permissions of an empty file, and never overwrites", () =>
    withStore(async (store, folder) => {
      const booking = newBooking();
      await store.book(booking, 1, []);
      const copy = newFolder();
      mkdirSync(copy);
      writeFileSync(fileIn(copy), "", { mode: 0o600 });
      await store.copyTo(fileIn(copy));
      expect(statSync(fileIn(copy)).mode & 0o777).toBe(0o600);
      await expect(store.copyTo(fileIn(folder))).rejects.toThrow();
      const restored = openSqliteStore(copy);
      expect((await restored.findBooking(booking.confirmationCode))?.answer).toEqual(booking.answer);
      await restored.close();
    }));

  describe("with a thread that writes", () => {
    const bookings = (count: number) => Array.from({ length: count }, () => newBooking());

    test("the data version has changed when a write is acknowledged", () =>
      whenReady(async (store) => {
        for (const booking of bookings(5)) {
          const before = await store.dataVersion();
          await store.book(booking, 99, []);
          expect(await store.dataVersion()).not.toBe(before);
        }
      }));

    test("closing waits for the writes that were asked for", async () => {
      const folder = newFolder();
      const { store, ready } = withThread(folder);
      await ready();
      const writes = bookings(9).map((booking) => store.book(booking, 99, []));
      await store.close();
      for (const { kind } of await Promise.all(writes)) expect(kind).toBe("booked");
      expect(readdirSync(folder).sort()).toEqual(["tintdesk.db", "tintdesk.lock"]);
    });

    test.each([
      ["here", withStore],
      ["by the thread", whenReady],
    ])("a lock of another process delays a write that is made %s, and a deleted file refuses it", (_, open) =>
      open(async (store, folder) => {
        const other = new Database(fileIn(folder), { readwrite: true });
        other.run("BEGIN IMMEDIATE");
        const booking = store.book(newBooking(), 1, []);
        expect(await store.busyBetween(0, Number.MAX_SAFE_INTEGER)).toEqual([]);
        other.run("COMMIT");
        other.close();
        expect((await booking).kind).toBe("booked");
        rmSync(folder, { recursive: true });
        expect(await issueOf(store.checkWritable())).toBeInstanceOf(StoreUnavailable);
        expect(existsSync(folder)).toBe(false);
      }),
    );

    test("a write that waited past its deadline for the thread is given up", () =>
      whenReady(async (store) => {
        using _post = spyOn(Worker.prototype, "postMessage").mockImplementationOnce(function (this: Worker, asked) {
          this.postMessage({ ...asked, askedAt: asked.askedAt - WRITE_DEADLINE_MS });
        });
        expect(await issueOf(store.book(newBooking(), 1, []))).toBeInstanceOf(StoreUnavailable);
        expect((await store.book(newBooking(), 1, [])).kind).toBe("booked");
      }));

    test("a thread that ends leaves the outcome unknown, and the next write starts another", () =>
      whenReady(async (store) => {
        using _post = spyOn(Worker.prototype, "postMessage").mockImplementationOnce(function (this: Worker) {
          // Not a write: the thread throws.
          this.postMessage(null);
        });
        expect(await issueOf(store.book(newBooking(), 1, []))).toBeInstanceOf(OutcomeUnknown);
        expect((await store.book(newBooking(), 1, [])).kind).toBe("booked");
      }));
  });

  test("the data version changes only when another process writes", () =>
    withStore(async (store, folder) => {
      const before = await store.dataVersion();
      await store.checkWritable();
      expect(await store.dataVersion()).toBe(before);
      const other = openSqliteStore(folder);
      await other.checkWritable();
      await other.close();
      expect(await store.dataVersion()).not.toBe(before);
    }));

  test("writes only into the given folder", async () => {
    const folder = join(newFolder(), "a", "b");
    const store = openSqliteStore(folder);
    expect(existsSync(fileIn(folder))).toBe(true);
    await store.close();
    expect(readdirSync(folder).sort()).toEqual(["tintdesk.db", "tintdesk.lock"]);
  });
});
