/** Short forms of `bun run torture shared-races` and `bun run torture shared-faults`: two servers on one PostgreSQL. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { measureSharedRaces } from "../../bench/torture/races.ts";
import { measureSharedFaults } from "../../bench/torture/shared-faults.ts";
import { hasPostgres, hasPostgresTimers } from "../services.ts";

setDefaultTimeout(120_000);

describe.skipIf(!hasPostgres())("two servers on one PostgreSQL", () => {
  test("races: exactly the bays, the quotas, one answer for one request; moves as well", async () => {
    expect(await measureSharedRaces(2, 32)).toMatchObject({ broken: [], booked: expect.any(Number) });
  });

  test("the control: without the statement that orders the writes of all machines, they oversell", async () => {
    // Either more cars than bays, or more bookings than a quota.
    const oversold = /cars in|times 201/;
    let said = "";
    // On a busy machine the requests of one round may come one after the other.
    for (let tries = 0; tries < 6 && !oversold.test(said); tries++)
      said = (await measureSharedRaces(2, 32, true)).broken.join("\n");
    expect(said).toMatch(oversold);
  });

  test.skipIf(!hasPostgresTimers())(
    "PostgreSQL ends its connections, is killed, leads nowhere: nothing doubled, lost, or denied",
    async () => {
      const { broken, booked, rows } = await measureSharedFaults([
        "every connection is ended five times",
        "SIGKILL of PostgreSQL",
        "four COMMITs, or their answers, are lost",
        "nothing arrives for 5 s",
      ]);
      expect(broken).toEqual([]);
      expect(rows).toBeGreaterThanOrEqual(booked);
    },
  );
});
