/** Databases of other versions: of this program's next one, which is made up, and of those before the baseline. */
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { MINUTE_MS } from "../../src/lib/durations.ts";
import { temporaryName } from "../../src/lib/files.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { SCHEMA_VERSION, statementsUpTo } from "../../src/store/migrations.ts";
import { openPostgresCatalogs } from "../../src/store/postgres/catalogs.ts";
import { SHOP } from "../../src/store/postgres/migrate.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres.ts";
import { shareFolder } from "../../src/store/sqlite/file-lock.ts";
import { inspectDatabase } from "../../src/store/sqlite/inspect.ts";
import { tintToday } from "../cli/run.ts";
import { until } from "../jobs/outbox.ts";
import { type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { attemptOf, claimOf, correcting, newBooking, newJob, newLead, T0 } from "./conformance-values.ts";

setDefaultTimeout(30_000);

/** The made-up versions: see next-version.ts. */
const NEXT_VERSION = SCHEMA_VERSION + 2;
const ADD_COLUMN = "ALTER TABLE leads ADD COLUMN made_up TEXT";
const NEXT_PROGRAM = new URL("next-version.ts", import.meta.url).pathname;
const CODE = "A1B2C3D4";
const LIST = ["bookings", "--date", "2026-11-24"];

/** Runs a command of the next program. */
const next = (folder: ShopFolder, args: string[], env: Record<string, string> = {}) =>
  tintToday(folder, args, { env, preload: NEXT_PROGRAM });

/** Fills a place with what a shop of today has. */
async function fill(place: string): Promise<void> {
  const store = await openStore(locationOf(place));
  await store.book(newBooking({ confirmationCode: CODE, date: "2026-11-24", lead: { reference: "B-OLD001" } }), 1, []);
  await store.addLead(newLead({ reference: "Q-OLD002", name: "Robin" }));
  await store.close();
}

async function filledFolder(): Promise<ShopFolder> {
  const folder = shopFolder();
  await fill(folder.data);
  return folder;
}

/** A PostgreSQL with the same, and a folder without a database. */
async function filledDatabase() {
  const folder = shopFolder();
  const database = await temporaryDatabase();
  await fill(database.url);
  const sql = new SQL(database.url, { max: 1 });
  return {
    ...{ folder, sql, env: { TINT_DATA: database.url } },
    async [Symbol.asyncDispose]() {
      await sql.close();
      await database[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function change(file: string, statements: string): void {
  using db = new Database(file, { readwrite: true });
  db.run(statements);
}

function valuesIn(file: string, query: string): unknown[] {
  using db = new Database(file, { readonly: true });
  return db.query(query).values().flat();
}

const versionOf = (file: string) => valuesIn(file, "PRAGMA user_version")[0];
const columnsOf = (file: string) => valuesIn(file, "SELECT name FROM pragma_table_xinfo('leads')");
const copiesIn = (folder: ShopFolder) =>
  readdirSync(folder.data)
    .filter((name) => name.startsWith("tintdesk-version-"))
    .map((name) => join(folder.data, name));

async function makeEarlier(sql: SQL, version: number, rows = ""): Promise<void> {
  for (const statements of [SHOP, ...statementsUpTo(version, "postgres"), rows]) await sql.unsafe(statements);
  await sql`UPDATE shop SET version = ${version}`;
}

/** What becomes of the rows of an earlier version, in both engines. */
function testUpgrade(
  title: string,
  version: number,
  rows: string,
  check: (place: string, folder: ShopFolder) => Promise<void>,
): void {
  test(title, async () => {
    using folder = shopFolder();
    mkdirSync(folder.data, { recursive: true });
    using db = new Database(folder.database, { create: true });
    for (const statements of statementsUpTo(version, "sqlite")) db.run(statements);
    db.run(`${rows}; PRAGMA user_version = ${version}`);
    db.close();
    await check(folder.data, folder);
  });

  test.skipIf(!hasPostgres())(`PostgreSQL: ${title}`, async () => {
    using folder = shopFolder();
    await using database = await temporaryDatabase();
    await using sql = new SQL(database.url, { max: 1 });
    await makeEarlier(sql, version, rows);
    await check(database.url, folder);
  });
}

/** The tables of the last release, and the digest of what makes them in both engines. The next release raises both. */
const RELEASED = { version: 14, digest: "b32b05733c964555309d861b9a68f90508bf68d3c1606c9f576e1c21cbea390c" };

test("what makes the tables of a release is never edited: a change is appended to MIGRATIONS", () => {
  const made = (["sqlite", "postgres"] as const).flatMap((engine) => statementsUpTo(RELEASED.version, engine));
  expect(new Bun.CryptoHasher("sha256").update(made.join()).digest("hex")).toBe(RELEASED.digest);
});

describe("the next program", () => {
  test("brings a database of today to its version, with all that was in it, and keeps a copy", async () => {
    using folder = await filledFolder();
    using fresh = shopFolder();
    // Another program that reads it, like Litestream, does not stop it.
    using copying = new Database(folder.database);
    copying.query("SELECT count(*) FROM bookings").get();
    // What an update that was killed leaves.
    const half = temporaryName(folder.database);
    writeFileSync(half, "half a copy");
    const told = await next(folder, LIST);
    expect(existsSync(half)).toBe(false);
    expect(copying.query("PRAGMA user_version").values()).toEqual([[NEXT_VERSION]]);
    const [kept = ""] = copiesIn(folder);
    expect(told.stderr).toBe(
      `The database was brought from version ${SCHEMA_VERSION} to ${NEXT_VERSION}. As it was before, it is kept as ${kept}; to go back, install the earlier program and restore that file.\n`,
    );
    expect(told.stdout).toContain(CODE);
    expect(inspectDatabase(folder.database)).toMatchObject({ issues: [], version: NEXT_VERSION });
    expect(valuesIn(folder.database, "SELECT made_up FROM leads ORDER BY 1")).toEqual(["B-OLD001", "Q-OLD002"]);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(versionOf(kept)).toBe(SCHEMA_VERSION);
    expect(valuesIn(kept, "SELECT confirmation_code FROM bookings")).toEqual([CODE]);
    expect((await next(folder, LIST)).stderr).toBe("");

    await next(fresh, ["keys", "issue", "--name", "A", "--email", "a@example.com"]);
    expect(versionOf(fresh.database)).toBe(NEXT_VERSION);
    expect(columnsOf(fresh.database)).toEqual(columnsOf(folder.database));
  });

  test("makes only the changes that a database lacks, whatever another program keeps beside the tables", async () => {
    using folder = await filledFolder();
    change(folder.database, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); ANALYZE");
    change(folder.database, `${ADD_COLUMN}; PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    expect((await next(folder, LIST)).status).toBe(0);
    expect(versionOf(folder.database)).toBe(NEXT_VERSION);
    expect(valuesIn(folder.database, "SELECT made_up FROM leads ORDER BY 1")).toEqual(["B-OLD001", "Q-OLD002"]);
  });

  test("a change that fails leaves the database as it was", async () => {
    using folder = await filledFolder();
    const before = columnsOf(folder.database);
    change(folder.database, "CREATE TRIGGER stop BEFORE UPDATE ON leads BEGIN SELECT RAISE(ABORT, 'stopped'); END");
    expect((await next(folder, LIST)).status).not.toBe(0);
    expect([versionOf(folder.database), columnsOf(folder.database)]).toEqual([SCHEMA_VERSION, before]);
    expect(copiesIn(folder)).toEqual([]);
    expect((await tintToday(folder, LIST)).stdout).toContain(CODE);
  });

  test("several that start at once: one makes the changes, the others go on", async () => {
    using folder = await filledFolder();
    const ran = await Promise.all(Array.from({ length: 2 }, () => next(folder, LIST)));
    for (const { status, stdout } of ran) expect([status, stdout]).toEqual([0, expect.stringContaining(CODE)]);
    expect(ran.filter(({ stderr }) => stderr.includes("was brought from"))).toHaveLength(1);
    expect(copiesIn(folder)).toHaveLength(1);
  });

  test("waits for programs that run: an earlier one is to be stopped, one of its own version is joined", async () => {
    using ofEarlier = await filledFolder();
    using ofNext = await filledFolder();
    const leave = [ofEarlier, ofNext].map(({ data }) => shareFolder(data));
    const becomeNext = async () => {
      // Nothing shows that a program waits. Without the pause it would find the new version at once, and pass, too.
      await Bun.sleep(1_000);
      change(ofNext.database, `${ADD_COLUMN}; PRAGMA user_version = ${NEXT_VERSION}`);
    };
    const [refused, joined] = await Promise.all([next(ofEarlier, LIST), next(ofNext, LIST), becomeNext()]);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("Stop it, update its program") });
    expect(versionOf(ofEarlier.database)).toBe(SCHEMA_VERSION);
    expect(joined).toMatchObject({ status: 0, stdout: expect.stringContaining(CODE), stderr: "" });
    for (const end of leave) end();
    expect((await next(ofEarlier, LIST)).status).toBe(0);
  });

  test("this program on its database says what to do; the way back is a restore of the copy", async () => {
    using folder = await filledFolder();
    await next(folder, LIST);
    const [kept = ""] = copiesIn(folder);
    const refused = await tintToday(folder, LIST);
    const expected = { status: 1, stderr: expect.stringContaining("restore the copy that the update kept") };
    expect(refused).toMatchObject(expected);
    expect((await tintToday(folder, ["restore", kept])).status).toBe(0);
    expect((await tintToday(folder, LIST)).stdout).toContain(CODE);
  });

  test("restores a copy of today, and brings it to its version", async () => {
    using folder = await filledFolder();
    expect((await tintToday(folder, ["backup", "copy.db"])).status).toBe(0);
    const { status, stdout } = await next(folder, ["restore", "copy.db", "--json"]);
    expect({ status, version: JSON.parse(stdout).version }).toEqual({ status: 0, version: SCHEMA_VERSION });
    expect(versionOf(folder.database)).toBe(NEXT_VERSION);
    expect(valuesIn(folder.database, "SELECT confirmation_code FROM bookings")).toEqual([CODE]);
  });

  test("as a server says in its log where the copy is", async () => {
    using folder = await filledFolder();
    await using server = await startServer(folder, { preload: NEXT_PROGRAM });
    const line = await server.logged(({ kept }) => kept !== undefined);
    expect(line).toMatchObject({ from: SCHEMA_VERSION, to: NEXT_VERSION, kept: copiesIn(folder)[0], level: 40 });
  });

  test.skipIf(!hasPostgres())(
    "PostgreSQL: several that start at once; this program is refused then, and where it runs it stores no more",
    async () => {
      await using shop = await filledDatabase();
      const { folder, sql, env } = shop;
      const running = await openStore(locationOf(env.TINT_DATA));
      await running.checkWritable();
      for (const { status, stdout } of await Promise.all(Array.from({ length: 2 }, () => next(folder, LIST, env))))
        expect([status, stdout]).toEqual([0, expect.stringContaining(CODE)]);
      expect(await sql`SELECT made_up FROM leads ORDER BY 1`.values()).toEqual([["B-OLD001"], ["Q-OLD002"]]);
      expect(await sql`SELECT version FROM shop`.values()).toEqual([[NEXT_VERSION]]);
      for (const write of [() => running.addLead(newLead()), running.checkWritable])
        await expect(write()).rejects.toThrow(
          "its tables are of another version by now; update this program, or restart it",
        );
      await running.close();
      expect((await tintToday(folder, LIST, { env })).stderr).toContain(
        `of version ${NEXT_VERSION}, newer than this program`,
      );
    },
  );

  test.skipIf(!hasPostgres())("PostgreSQL: a large database takes longer than any answer", async () => {
    await using database = await temporaryDatabase();
    await using sql = new SQL(database.url, { max: 2 });
    await makeEarlier(sql, SCHEMA_VERSION - 1);
    /** The timers that run, by their length. */
    const limits = new Map<unknown, number>();
    const { setTimeout: start, clearTimeout: end } = globalThis;
    using _started = spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
      const timer = start(run, ms);
      limits.set(timer, ms);
      return timer;
    }) as typeof setTimeout);
    using _ended = spyOn(globalThis, "clearTimeout").mockImplementation(((timer: Timer) => {
      limits.delete(timer);
      end(timer);
    }) as typeof clearTimeout);
    const opening = await sql.begin(async (tx) => {
      await tx`SELECT FROM shop FOR UPDATE`;
      const both = Promise.all([openPostgresCatalogs(database.url), openPostgresStore(database.url)]);
      await until(
        () => sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ({ length }) => length === 2,
      );
      return { both, waits: [...limits.values()] };
    });
    const [catalogs, store] = await opening.both;
    await Promise.all([catalogs.close(), store.close()]);
    // Whoever waits for the tables gives up long after a start gives up an answer.
    expect(opening.waits.map((ms) => ms >= 10 * MINUTE_MS)).toEqual([true, true]);
    expect(await sql`SELECT version FROM shop`.values()).toEqual([[SCHEMA_VERSION]]);
  });
});

describe("doctor looks, and leaves the tables as they are", () => {
  const found = async (folder: ShopFolder, place: string) => {
    const { stdout } = await tintToday(folder, ["doctor", "--json"], { env: { PORT: "0", TINT_DATA: place } });
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "database");
  };
  const said = (level: string, message: string, fix: string) => ({
    ...{ level, message: expect.stringContaining(message), fix: expect.stringContaining(fix) },
  });

  testUpgrade("of an earlier version", SCHEMA_VERSION - 1, "SELECT 1", async (place, folder) => {
    const earlier = said("warning", `, version ${SCHEMA_VERSION - 1}`, `brings it to version ${SCHEMA_VERSION}`);
    for (const _ of [1, 2]) expect(await found(folder, place)).toMatchObject(earlier);
    await (await openStore(locationOf(place))).close();
    expect(await found(folder, place)).toMatchObject({ level: "ok" });
  });

  test.skipIf(!hasPostgres())("PostgreSQL: where there are none", async () => {
    using folder = shopFolder();
    await using database = await temporaryDatabase();
    for (const _ of [1, 2])
      expect(await found(folder, database.url)).toMatchObject(said("warning", "no tables yet", "makes its tables"));
  });
});

describe("numbers that a carrier's filter stopped", () => {
  const BEFORE = 15;
  const [FILTERED, BLOCKED, STOPPED] = ["+14045550101", "+14045550102", "+14045550103"];
  const STOPS = `INSERT INTO text_stops (phone, reason, at) VALUES
    ('${FILTERED}', 'it did not arrive (30007: the carrier filtered it as unwanted)', 1),
    ('${BLOCKED}', 'Twilio answered 400 (30004: the receiver or their carrier blocks these texts)', 1),
    ('${STOPPED}', 'Twilio answered 400 (21610: the receiver has replied STOP)', 1)`;

  async function isFreed(place: string, folder: ShopFolder): Promise<void> {
    const store = await openStore(locationOf(place));
    const stopped = await Promise.all([FILTERED, BLOCKED, STOPPED].map((phone) => store.optOutOf(phone)));
    expect(stopped.map((stop) => stop !== null)).toEqual([false, false, true]);
    expect(await store.allowTexts(FILTERED)).toBe(false);
    await store.close();
    const stops = async () => {
      const { stdout } = await tintToday(folder, ["doctor", "--json"], { env: { PORT: "0", TINT_DATA: place } });
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "stops")?.message;
    };
    expect(await stops()).toBe("2 numbers get texts again: a carrier's filter had been taken for a STOP");
    // A STOP of later counts.
    const again = await openStore(locationOf(place));
    const text = newJob("confirmation_sms", { payload: { to: FILTERED, text: "t" } });
    await again.addLead(newLead({ jobs: [text] }));
    const [job] = await again.claimJobs(claimOf(["confirmation_sms"], T0));
    await again.settleJobs([{ ...attemptOf(job), kind: "failed", reason: "replied STOP", isOptOut: true }]);
    expect(await again.optOutOf(FILTERED)).toMatchObject({ reason: "replied STOP" });
    await again.close();
    expect(await stops()).toBe("1 number gets texts again: a carrier's filter had been taken for a STOP");
  }

  testUpgrade("are freed once, and doctor says how many; a STOP stays", BEFORE, STOPS, isFreed);
});

/** As two programs in development called version 13 what was not the same. */
const OTHERS = [
  ["DROP INDEX bookings_by_age", 'it lacks the index "bookings_by_age"'],
  ["ALTER TABLE bookings DROP COLUMN first_answer", 'its table "bookings" is not as Tintdesk makes it'],
  ["ALTER TABLE leads ADD COLUMN more TEXT", 'its table "leads" is not as Tintdesk makes it'],
  ["DROP TABLE text_stops", 'it lacks the table "text_stops"; it lacks the index "text_stops_freed"'],
] as const;

describe("a database that is not as its version is", () => {
  test.each(OTHERS)("%s: nothing brings it up to date, and doctor says so", async (statement, said) => {
    using folder = await filledFolder();
    change(folder.database, statement);
    const before = readFileSync(folder.database);
    const reason = `calls itself version ${SCHEMA_VERSION}, but is not as that version is: ${said}`;
    const wayOut = "open it with the Tintdesk that made it, or restore a backup";
    const isFirst = statement === OTHERS[0][0];
    for (const args of isFirst ? [LIST, ["serve", "--port", "0"]] : [])
      expect(await next(folder, args)).toEqual({
        status: 1,
        stdout: "",
        stderr: `${folder.data}: the database ${reason}; ${wayOut}. Nothing was changed.\n`,
      });
    expect(readFileSync(folder.database).equals(before)).toBe(true);
    expect(copiesIn(folder)).toEqual([]);
    for (const doctor of [tintToday, ...(isFirst ? [next] : [])])
      expect(JSON.parse((await doctor(folder, ["doctor", "--json"])).stdout).checks).toContainEqual({
        name: "database",
        level: "fault",
        message: `${folder.database} ${reason}`,
        fix: wayOut,
      });
  });

  test.skipIf(!hasPostgres())("PostgreSQL: by commands, by a server and by doctor", async () => {
    const [statement, said] = OTHERS[0];
    await using shop = await filledDatabase();
    const { folder, sql, env } = shop;
    await sql.unsafe(`CREATE TABLE of_others (a INT); ${statement}`);
    const reason = `calls itself version ${SCHEMA_VERSION}, but is not as that version is: ${said};`;
    for (const args of [LIST, ["serve", "--port", "0"]])
      expect(await next(folder, args, env)).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) });
    expect((await tintToday(folder, ["doctor"], { env })).stdout).toContain(reason.slice(0, -1));
    expect(await sql`SELECT version FROM shop`.values()).toEqual([[SCHEMA_VERSION]]);
    expect(await sql`SELECT FROM information_schema.columns WHERE column_name = 'made_up'`.values()).toEqual([]);
  });
});

describe("a database from before the baseline", () => {
  const OLDER = "is of version 12, older than this program can bring up to date (from 13 on)";
  const WAY_OUT = "open it with the Tintdesk that made it";

  test.each([
    [["bookings"], "begin anew in a folder without a database.\n"],
    [["serve", "--port", "0"], "begin anew in a folder without a database.\n"],
    [["restore", "older.db"], "Nothing was changed.\n"],
    [["data", "copy", "older.db", "elsewhere"], "Nothing was copied.\n"],
  ])("%j: it is refused in words, and stays as it was", async (args, ending) => {
    using folder = await filledFolder();
    change(folder.database, "PRAGMA user_version = 12");
    const older = join(folder.path, "older.db");
    using db = new Database(folder.database);
    db.query("VACUUM INTO ?").run(older);
    db.close();
    const before = readFileSync(folder.database);
    const { status, stdout, stderr } = await tintToday(folder, args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`${OLDER}; ${WAY_OUT}`);
    expect(stderr).toEndWith(ending);
    expect(readFileSync(folder.database).equals(before)).toBe(true);
    expect(copiesIn(folder)).toEqual([]);
  });

  test("tint doctor says so", async () => {
    using folder = await filledFolder();
    change(folder.database, "PRAGMA user_version = 12");
    const { status, stdout } = await tintToday(folder, ["doctor", "--json"]);
    expect(status).toBe(1);
    const expected = { name: "database", level: "fault", message: `${folder.database} ${OLDER}`, fix: WAY_OUT };
    expect(JSON.parse(stdout).checks).toContainEqual(expected);
  });

  test.skipIf(!hasPostgres())("PostgreSQL: by commands and by tint doctor", async () => {
    await using shop = await filledDatabase();
    const { folder, sql, env } = shop;
    await sql`UPDATE shop SET version = 12`;
    const refused = await tintToday(folder, LIST, { env });
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${OLDER}; ${WAY_OUT}, or begin anew in an empty database.\n`),
    });
    expect((await tintToday(folder, ["doctor"], { env })).stdout).toContain(OLDER);
    expect((await tintToday(folder, ["data", "copy", env.TINT_DATA, "elsewhere"])).stderr).toContain(
      `${OLDER}; ${WAY_OUT}`,
    );
    expect(await sql`SELECT version FROM shop`.values()).toEqual([[12]]);
  });
});

describe("what a database had before payments and what won a lead were written down", () => {
  const BEFORE = 19;
  const [PAID, UNNAMED] = ["P1A2B3C4", "P2A2B3C4"];
  const END = Date.parse("2026-11-24T18:00:00Z");
  const INQUIRY = `INSERT INTO leads (id, reference, kind, status, name, phone, email, service_type, details, created_at)
      VALUES ('lead_asked', 'Q-ASKED1', 'quote_request', 'won', 'Pat', '', '', 'automotive', '{}', 1);
    INSERT INTO lead_events (lead_id, status, note, at) VALUES ('lead_asked', 'won', 'booked as ${UNNAMED}', 1),
      ('lead_asked', 'won', 'booked as ${PAID}', 2), ('lead_asked', 'won', 'a note', 3)`;
  const ROWS = [
    [PAID, 54900, "'card'", END + 60_000],
    [UNNAMED, 10000, "NULL", END - 3_600_000],
    [CODE, "NULL", "NULL", END],
  ]
    .map(
      ([code, paid, by, ended]) => `
    INSERT INTO leads (id, reference, kind, status, name, phone, email, service_type, details, created_at)
      VALUES ('lead_${code}', 'B-${code}', 'booking', 'won', 'Pat', '', '', 'automotive', '{}', 1);
    INSERT INTO bookings (id, confirmation_code, status, service, date, time, start_at, end_at, busy_until, lead_id, phone,
        network, created_at, ended_at, paid, paid_by, answer)
      VALUES ('bkg_${code}', '${code}', 'completed', 'automotive', '2026-11-24', '09:00', ${END - 9_000_000}, ${END}, ${END},
        'lead_${code}', '', 'owner', 1, ${ended}, ${paid}, ${by}, '{}')`,
    )
    .concat(INQUIRY)
    .join(";");

  async function isKnown(place: string): Promise<void> {
    const store = await openStore(locationOf(place));
    const paymentsOf = async (code = "") => (await store.findBooking(code))?.payments;
    const old = { kind: "payment", recordedAt: null, undoneAt: null, takenBy: null, note: null, reference: null };
    // The end of the work is the planned one, unless it was done before.
    expect(await paymentsOf(PAID)).toMatchObject([{ ...old, amount: 54900, by: "card", paidAt: END }]);
    expect(await paymentsOf(UNNAMED)).toMatchObject([{ ...old, amount: 10000, by: "other", paidAt: END - 3_600_000 }]);
    expect(await paymentsOf(CODE)).toEqual([]);
    // The price of the last booking that won the inquiry is its price.
    for (const [code, total] of Object.entries({ [UNNAMED ?? ""]: 100, [PAID ?? ""]: 549 }))
      await store.editBooking(correcting(code, { answer: { estimate: { total, currency: "USD" } } }));
    expect((await store.findLead("Q-ASKED1"))?.wonAmount).toEqual({ cents: 54_900, currency: "USD" });
    // As before, it goes with the completion.
    await store.reopenBookings([PAID ?? ""], 9, END + 120_000);
    expect(await paymentsOf(PAID)).toMatchObject([{ undoneAt: END + 120_000 }]);
    await store.close();
  }

  const title =
    "payments are records at the end of the work, those of which nobody said how are other; a lead has its booking";
  testUpgrade(title, BEFORE, ROWS, isKnown);
});
