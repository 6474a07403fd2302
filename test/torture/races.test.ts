/** Short forms of `bun run torture races` and `shared-races`: two servers on one database. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { measureRaces, measureSharedRaces } from "../../bench/torture/races.ts";
import { hasPostgres } from "../services.ts";

setDefaultTimeout(120_000);

test("races of two servers on one file: exactly the bays, the quotas, one answer for one request; moves as well", async () => {
  expect(await measureRaces(2, 48)).toMatchObject({ broken: [], booked: expect.any(Number) });
});

describe.skipIf(!hasPostgres())("two servers on one PostgreSQL", () => {
  test("races: exactly the bays, the quotas, one answer for one request; moves as well", async () => {
    expect(await measureSharedRaces(1, 32)).toMatchObject({ broken: [], booked: expect.any(Number) });
  });

  test("the control: without the statement that orders the writes of all machines, they oversell", async () => {
    // Either more cars than bays, or more bookings than a quota.
    const oversold = /cars in|times 201/;
    let said = "";
    // On a busy machine the requests of one round may come one after the other.
    for (let tries = 0; tries < 6 && !oversold.test(said); tries++)
      said = (await measureSharedRaces(1, 32, true)).broken.join("\n");
    expect(said).toMatch(oversold);
  });
});
