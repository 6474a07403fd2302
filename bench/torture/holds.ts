/** Holds, bookings, confirmations, cancellations and sweeps in random order, by machines whose clocks differ, against an oracle. */
import { openPostgresStore } from "../../src/store/postgres/postgres.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { temporaryFolder } from "../../test/process/server.ts";
import { hasPostgres, temporaryDatabase } from "../../test/services.ts";
import { againstOracle } from "../../test/store/conformance-holds.ts";

export async function measureHolds({ steps, seed }: { steps: number; seed: number }) {
  using folder = temporaryFolder();
  const sqlite = openSqliteStore(folder.path);
  const broken = (await againstOracle(sqlite, steps, seed)).map((fault) => `SQLite: ${fault}`);
  await sqlite.close();
  if (hasPostgres()) {
    await using database = await temporaryDatabase();
    const postgres = await openPostgresStore(database.url);
    broken.push(...(await againstOracle(postgres, steps, seed)).map((fault) => `PostgreSQL: ${fault}`));
    await postgres.close();
  }
  return { steps, postgres: hasPostgres(), broken };
}
