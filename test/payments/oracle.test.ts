/** A few hundred random steps; `bun run torture deposits` takes ten thousand. */
import { describe, expect, test } from "bun:test";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { runOracle } from "./oracle.ts";

/** Something of each kind happened, so that the rules were tried. */
function expectTried({ broken, bookings, charged, refunds }: Awaited<ReturnType<typeof runOracle>>): void {
  expect(broken).toEqual([]);
  for (const status of ["confirmed", "expired", "cancelled_by_customer"])
    expect([status, bookings[status] ?? 0]).not.toEqual([status, 0]);
  expect([charged > refunds, refunds > 0]).toEqual([true, true]);
}

describe("no bay is sold twice, no money is lost or doubled, nothing is stuck", () => {
  test("SQLite", async () => {
    expectTried(await runOracle({ steps: 600, seed: 51, store: openSqliteStore(":memory:") }));
  }, 60_000);

  test.skipIf(!hasPostgres())(
    "PostgreSQL",
    async () => {
      await using database = await temporaryDatabase();
      const store = await openStore(locationOf(database.url));
      expectTried(await runOracle({ steps: 400, seed: 52, store }));
      await store.close();
    },
    60_000,
  );
});
