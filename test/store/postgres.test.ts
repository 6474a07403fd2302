/** The store in PostgreSQL passes what the store in SQLite passes; a machine whose clock is wrong does not use it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { pino } from "pino";
import { watchClock } from "../../src/programs/background.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import type { Store } from "../../src/store/store.ts";
import { untilIs } from "../jobs/outbox.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { storeConformance } from "./conformance.ts";
import { locationsConformance } from "./conformance-locations.ts";
import { inTurn, issueOf, type OpenStore } from "./conformance-values.ts";
import { type Index, tablesOfPostgres, tablesOfSqlite } from "./tables.ts";

setDefaultTimeout(30_000);

describe.skipIf(!hasPostgres())("in PostgreSQL", () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let sql: SQL;
  let stores: [Store, Store];
  beforeAll(async () => {
    database = await temporaryDatabase();
    const place = locationOf(database.url);
    stores = [await openStore(place), await openStore(place)];
    sql = new SQL(database.url, { max: 1 });
  }, 60_000);
  afterAll(async () => {
    for (const store of stores) await store.close();
    await sql.close();
    await database[Symbol.asyncDispose]();
  });

  /** Empties one database for each test and keeps its connections: making new ones takes a hundred times as long. */
  storeConformance("PostgreSQL with two programs, in turn", async (): Promise<OpenStore> => {
    const tables = "deposits payments lead_events jobs bookings leads api_keys alerts text_stops".split(" ");
    await sql.unsafe(
      `${tables.map((table) => `DELETE FROM ${table};`).join(" ")} DELETE FROM secrets WHERE name = 'calendar'`,
    );
    return { store: { ...inTurn(stores), close: async () => {} } };
  });

  locationsConformance("PostgreSQL", async () => {
    const { url, [Symbol.asyncDispose]: drop } = await temporaryDatabase();
    const sql = new SQL(url, { max: 1 });
    return {
      place: locationOf(url),
      setVersion: (version) => sql`UPDATE shop SET version = ${version}`,
      version: async () => (await sql`SELECT version FROM shop`)[0]?.version,
      state: () => sql`SELECT xmin::text, writes FROM shop`.values(),
      async [Symbol.asyncDispose]() {
        await sql.close();
        await drop();
      },
    };
  });

  test("tables, columns and indices are those of SQLite; the differences are named", async () => {
    using db = openDatabase(":memory:");
    const [here, there] = [tablesOfSqlite(db), await tablesOfPostgres(sql)];
    const { shop, writers, catalogs, ...shared } = there.columns;
    for (const own of [shop, writers, catalogs]) expect(own).toBeDefined();
    expect(shared).toEqual(here.columns);
    const ofShared = there.indices.filter(({ table }) => table in shared);
    // PostgreSQL has no room for long texts in an index.
    const without = (indices: Index[]) => indices.filter(({ name }) => name !== "leads_by_text");
    expect(without(ofShared)).toEqual(without(here.indices));
  });
});

describe.skipIf(!hasPostgres())("the clock of a machine", () => {
  test("may be 2 s off the database's; beyond that nothing opens, and the message says which way", async () => {
    await using database = await temporaryDatabase();
    const open = (ahead: number) => openPostgresStore(database.url, { now: () => Date.now() + ahead });
    for (const [ahead, words] of [
      // A slow answer hides a part of the difference.
      [3_500, /[23]\.\d s ahead of the database's/],
      [-86_400_000, /86\d{3}\.\d s behind the database's/],
    ] as const) {
      const error = await issueOf(open(ahead));
      expect(error).toMatchObject({ name: "ClockSkewed" });
      expect(String(error)).toMatch(words);
      expect(String(error)).toContain("timedatectl set-ntp true");
    }
    for (const ahead of [1_500, -1_500]) {
      const store = await open(ahead);
      expect(Math.abs(await store.clockAhead())).toBeLessThan(2_000);
      await store.close();
    }
  });

  test("is not blamed for a database that takes long to answer", async () => {
    await using database = await temporaryDatabase();
    // Between question and answer pass 9 seconds, of which the database's time is the first.
    let asked = 0;
    const store = await openPostgresStore(database.url, { now: () => Date.now() + 9_000 * (asked++ % 2) });
    expect(await store.clockAhead()).toBe(0);
    await store.close();
  });
});

test("a server tells once that its clock went wrong, and once that it is right again", async () => {
  const lines: { level: number; msg: string; aheadMs?: number }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const looks = [0, 3_000, 4_000, new Error("the database does not answer"), 5_000, 0, 0, -2_100];
  let look = 0;
  const stop = watchClock({
    store: {
      clockAhead: async () => {
        const ahead = looks[look++] ?? -2_100;
        if (ahead instanceof Error) throw ahead;
        return ahead;
      },
    },
    log,
    everyMs: 1,
  });
  await untilIs(() => look > looks.length, true);
  stop();
  expect(lines.map(({ level, aheadMs }) => [level, aheadMs])).toEqual([
    [50, 3_000],
    [30, undefined],
    [50, -2_100],
  ]);
});
