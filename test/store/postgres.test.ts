/** The store in PostgreSQL passes what the store in SQLite passes. */
import { afterAll, beforeAll, describe } from "bun:test";
import { SQL } from "bun";
import { openStore } from "../../src/store/place/open.ts";
import { placeOf } from "../../src/store/place/place.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { type OpenStore, storeConformance } from "./conformance.ts";
import { changesConformance } from "./conformance-changes.ts";
import { customersConformance } from "./conformance-customers.ts";

describe.skipIf(!hasPostgres())("in PostgreSQL", () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let sql: SQL;
  beforeAll(async () => {
    database = await temporaryDatabase();
    await (await openStore(placeOf(database.url))).close();
    sql = new SQL(database.url, { max: 1 });
  });
  afterAll(async () => {
    await sql.close();
    await database[Symbol.asyncDispose]();
  });

  /** Empties one database for each test: making a new one takes a hundred times as long. */
  const open = async (): Promise<OpenStore> => {
    await sql.unsafe(`TRUNCATE leads, lead_events, bookings, jobs, api_keys, alerts RESTART IDENTITY;
      DELETE FROM secrets WHERE name = 'calendar'`);
    return { store: await openStore(placeOf(database.url)) };
  };
  storeConformance("PostgreSQL", open);
  changesConformance("PostgreSQL", open);
  customersConformance("PostgreSQL", open);
});
