/** The store in PostgreSQL passes what the store in SQLite passes. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import type { Store } from "../../src/store/store.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { storeConformance } from "./conformance.ts";
import { locationsConformance } from "./conformance-locations.ts";
import type { OpenStore } from "./conformance-values.ts";
import { inTurn } from "./in-turn.ts";
import { type Index, tablesOfPostgres, tablesOfSqlite } from "./tables.ts";

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
  const open = (choose: () => Store) => async (): Promise<OpenStore> => {
    const tables = "deposits payments lead_events jobs bookings leads api_keys alerts text_stops".split(" ");
    await sql.unsafe(
      `${tables.map((table) => `DELETE FROM ${table};`).join(" ")} DELETE FROM secrets WHERE name = 'calendar'`,
    );
    return { store: { ...choose(), close: async () => {} } };
  };
  for (const [name, emptied] of [
    ["PostgreSQL", open(() => stores[0])],
    ["PostgreSQL with two programs, in turn", open(() => inTurn(stores))],
  ] as const) {
    storeConformance(name, emptied);
  }

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
