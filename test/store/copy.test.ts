/** Copies between SQLite and PostgreSQL, with everything that a database holds. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { CopyRefused } from "../../src/store/copy-rows.ts";
import { copyData } from "../../src/store/location/copy.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { closeDatabase, openDatabase } from "../../src/store/sqlite/database.ts";
import { shopFolder, temporaryFolder } from "../process/server.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { newBooking, newJob, newKey, newLead } from "./conformance-values.ts";

/** Texts whose order differs between UTF-8 and UTF-16, or that an encoding could spoil. */
const ODD = ["Z", "a", "é", "😀", "\uFFFD", 'O\'Neil \\ "x"\n\t', "{1,2}", "NULL", ""];
/** More than a batch, and exactly two. */
const MANY = 4_000;

async function filledFolder(folder: string): Promise<void> {
  const store = await openStore(locationOf(folder));
  await store.addKey(newKey({ id: "key_A", ratePerMinute: 7, createdAt: 1 }));
  await store.book(newBooking({ keyId: "key_A" }), 1, []);
  for (const [i, name] of ODD.entries())
    await store.addLead(newLead({ id: `lead_odd_${name}${i}`, name: `Pat ${name}`, jobs: [newJob()] }));
  await store.setCalendarHash("digest", 9);
  await store.close();
  const db = new Database(join(folder, "tintdesk.db"));
  const [{ id } = { id: "" }] = db.query<{ id: string }, []>("SELECT id FROM leads LIMIT 1").all();
  db.query(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
     INSERT INTO lead_events (lead_id, status, note, at) SELECT ?, 'won', CASE i % 2 WHEN 0 THEN 'n' || i END, i FROM n`,
  ).run(id);
  db.close();
}

/** Every row of every table that belongs to the shop. */
function rowsIn(folder: string): Record<string, unknown[]> {
  const db = new Database(join(folder, "tintdesk.db"), { readonly: true });
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  const rowsOf = (table: string) => db.query(`SELECT * FROM ${table} ORDER BY 1`).all();
  const rows = tables.map(({ name }) => [name, rowsOf(name)] as const);
  db.close();
  return Object.fromEntries(rows.filter(([name]) => name !== "heartbeat"));
}

describe.skipIf(!hasPostgres())("from SQLite to PostgreSQL and back", () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let source: ReturnType<typeof temporaryFolder>;
  beforeAll(async () => {
    source = temporaryFolder();
    await filledFolder(source.path);
    database = await temporaryDatabase();
  });
  afterAll(async () => {
    source[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });

  test("the tables are equal, and the copy goes on like the original", async () => {
    const to = locationOf(database.url);
    const steps = new Set<string>();
    const copied = await copyData(locationOf(source.path), to, (step, table) => steps.add(`${table} ${step}`));
    expect(copied).toMatchObject({ api_keys: 1, bookings: 1, leads: ODD.length + 1, secrets: 2 });
    expect(copied.lead_events).toBeGreaterThanOrEqual(MANY);
    expect([...steps]).toContain("lead_events compared");

    using back = temporaryFolder();
    const folder = join(back.path, "data");
    expect(await copyData(to, locationOf(folder))).toEqual(copied);
    expect(rowsIn(folder)).toEqual(rowsIn(source.path));
    expect(readdirSync(folder).sort()).toEqual(["tintdesk.db", "tintdesk.lock"]);
    expect(statSync(join(folder, "tintdesk.db")).mode & 0o777).toBe(0o600);

    for (const place of [to, locationOf(folder)]) {
      const store = await openStore(place);
      const before = await store.waitingJobs(1_000);
      await store.addLead(newLead({ jobs: [newJob()] }));
      const ids = (await store.waitingJobs(1_000)).map(({ id }) => id);
      expect(Math.max(...ids)).toBeGreaterThan(Math.max(...before.map(({ id }) => id)));
      expect(await store.calendarHash()).toBe("digest");
      await store.close();
    }
  });

  test("a copy is of one moment, while others write", async () => {
    using folder = temporaryFolder();
    const [from, to] = [locationOf(database.url), locationOf(join(folder.path, "data"))];
    const writer = await openStore(from);
    let isCopying = true;
    const writes = (async () => {
      let written = 0;
      for (; isCopying; written++) await writer.book(newBooking(), 1_000_000, []);
      return written;
    })();
    const copied = await copyData(from, to);
    isCopying = false;
    expect(await writes).toBeGreaterThan(0);
    await writer.close();
    // Each booking has a lead, and so do the requests of the shop above.
    expect((copied.leads ?? 0) - (copied.bookings ?? 0)).toBe(ODD.length + 1);
  });

  test("a place that holds data is refused, and stays as it was", async () => {
    using other = temporaryFolder();
    await filledFolder(other.path);
    const refused = (from: string, to: string) =>
      copyData(locationOf(from), locationOf(to)).catch((error: unknown) =>
        error instanceof CopyRefused ? error.message : error,
      );
    expect(await refused(other.path, database.url)).toBe("it is not empty");
    expect(await refused(database.url, other.path)).toBe("there is a database already");
    expect(await refused(database.url, database.url.replace("tint:", "other:"))).toBe("the data are there already");
    expect(await refused(other.path, join(other.path, "."))).toBe("the data are there already");
  });

  test.each([
    ["CREATE VIEW everyone AS SELECT * FROM leads", 'it has the view "everyone", which Tintdesk does not make'],
    [
      `CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
       CREATE TRIGGER spies BEFORE INSERT ON leads FOR EACH ROW EXECUTE FUNCTION spy()`,
      'it has the trigger "spies", which Tintdesk does not make',
    ],
    ["DROP TABLE alerts", 'it lacks the table "alerts"'],
  ])("a database to copy from is refused by name: %s", async (statement, said) => {
    await using other = await temporaryDatabase();
    using to = temporaryFolder();
    await (await openStore(locationOf(other.url))).close();
    const sql = new SQL(other.url, { max: 1 });
    await sql.unsafe(statement);
    await sql.close();
    const place = join(to.path, "data");
    await expect(copyData(locationOf(other.url), locationOf(place))).rejects.toThrow(said);
    expect(existsSync(join(place, "tintdesk.db"))).toBe(false);
  });

  test("a row that the other side refuses leaves the other side empty", async () => {
    using folder = temporaryFolder();
    await filledFolder(folder.path);
    const db = new Database(join(folder.path, "tintdesk.db"));
    db.run("UPDATE leads SET name = 'a' || char(0) || 'b' WHERE rowid = 3");
    db.close();
    await using empty = await temporaryDatabase();
    await expect(copyData(locationOf(folder.path), locationOf(empty.url))).rejects.toThrow();
    const sql = new SQL(empty.url, { max: 1 });
    const [row] = await sql`SELECT (SELECT count(*) FROM leads) + (SELECT count(*) FROM api_keys) AS rows`;
    expect(Number(row.rows)).toBe(0);

    // SQLite refuses details that are no JSON.
    await copyData(locationOf(source.path), locationOf(empty.url));
    await sql`UPDATE leads SET details = '{' WHERE name = 'Pat a'`;
    await sql.close();
    const data = join(folder.path, "new");
    await expect(copyData(locationOf(empty.url), locationOf(data))).rejects.toThrow();
    expect(readdirSync(data)).toEqual(["tintdesk.lock"]);
  });
});

test("what is no sound database of this version is refused", async () => {
  using shop = shopFolder();
  using to = temporaryFolder();
  const place = locationOf(join(to.path, "data"));
  const refused = () =>
    copyData({ kind: "file", file: shop.database }, place).catch((error: unknown) =>
      error instanceof CopyRefused ? error.message : error,
    );
  closeDatabase(openDatabase(shop.data));
  const db = new Database(shop.database);
  db.run("PRAGMA user_version = 3");
  expect(await refused()).toContain("it is of version 3");
  db.run("DROP TABLE jobs");
  db.close();
  expect(await refused()).toBe("it is not a database of Tintdesk, or it is damaged");
  expect(existsSync(join(to.path, "data", "tintdesk.db"))).toBe(false);
});
