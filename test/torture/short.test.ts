/**
 * Short forms of `bun run torture`, whose seed repeats a failure: `bun run torture PART --seed N`.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { measureClock } from "../../bench/torture/clock.ts";
import { measureHostile } from "../../bench/torture/hostile.ts";
import { measureKills } from "../../bench/torture/kills.ts";
import { measurePayments } from "../../bench/torture/payments.ts";
import { measurePowerCuts } from "../../bench/torture/power.ts";

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

// Most of their time is waiting.
test.concurrent(`kills, seed ${seed}: nothing is lost, doubled or stored by halves, and the shop is told of each booking`, async () => {
  const { broken, acknowledged, toldTwice } = await measureKills({ kills: 2, seed });
  expect({ broken, acknowledged }).toEqual({ broken: [], acknowledged: expect.any(Number) });
  expect(toldTwice).toBeLessThanOrEqual(1);
});

test.concurrent(`kills of a server that takes deposits, seed ${seed}: none is paid twice, lost or stuck`, async () => {
  expect(await measurePayments({ kills: 2, seed })).toMatchObject({ broken: [] });
});
