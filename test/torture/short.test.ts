/**
 * Short forms of `bun run torture`, whose seed repeats a failure: `bun run torture PART --seed N`. The short forms of its kills
 * and races are test/jobs/process.test.ts and test/process/concurrency.test.ts.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { measureClock } from "../../bench/torture/clock.ts";
import { measureHostile } from "../../bench/torture/hostile.ts";
import { measurePowerCuts } from "../../bench/torture/power.ts";
import { measureSharedRaces } from "../../bench/torture/races.ts";
import { measureSharedFaults } from "../../bench/torture/shared-faults.ts";
import { hasPostgres, hasPostgresTimers } from "../services.ts";

setDefaultTimeout(120_000);

/** A new seed each time, so that every run of the suite looks elsewhere. */
const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

test(`power cuts, seed ${seed}: FULL loses nothing, and the control with NORMAL does`, async () => {
  const cuts = { cuts: 20, bookings: 40, seed };
  const full = await measurePowerCuts("FULL", cuts);
  // Without a C compiler nothing can be recorded.
  if (full === null) return;
  expect(full).toMatchObject({ acknowledged: 40, cutsWithLosses: 0, faults: [] });
  const control = await measurePowerCuts("NORMAL", cuts);
  expect(control?.cutsWithLosses).toBeGreaterThan(0);
});

test(`hostile requests, seed ${seed}: no 500, no hang, one shape of errors`, async () => {
  const { broken, statuses } = await measureHostile({ requests: 300, from: 0, seed });
  expect(broken).toEqual([]);
  expect(statuses["400"]).toBeGreaterThan(50);
});

test(`a clock that jumps, seed ${seed}: nothing is sent twice, nothing is put off`, async () => {
  expect(await measureClock({ jumps: 4, seed })).toMatchObject({ jobs: 32, sentTwice: 0, waiting: 0 });
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

  test.skipIf(!hasPostgresTimers())(
    "PostgreSQL is killed: nothing doubled, lost, or denied; its other faults are in test/store/postgres-faults.test.ts",
    async () => {
      const { broken, booked, rows } = await measureSharedFaults(["SIGKILL of PostgreSQL"]);
      expect(broken).toEqual([]);
      expect(rows).toBeGreaterThanOrEqual(booked);
    },
  );
});
