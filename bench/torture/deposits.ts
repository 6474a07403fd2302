/** Ten thousand holds, bookings, payments, cancellations and turns of the server in random order, on each engine. */
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { runOracle } from "../../test/payments/oracle.ts";
import { temporaryDatabase } from "../../test/services.ts";

export async function measureDeposits({ steps, seed }: { steps: number; seed: number }) {
  const sqlite = await runOracle({ steps, seed, store: openSqliteStore(":memory:") });
  await using database = await temporaryDatabase();
  const store = await openStore(locationOf(database.url));
  const postgres = await runOracle({ steps, seed: seed + 1, store });
  await store.close();
  return { sqlite, postgres, broken: [...sqlite.broken, ...postgres.broken] };
}
