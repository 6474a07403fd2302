/** `retention_days`: a running server erases people from old records, a batch at a time. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { pino } from "pino";
import { DAY_MS } from "../../src/lib/durations.ts";
import { startRetention } from "../../src/programs/background.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { catalogWith } from "../helpers.ts";
import { shopFolder, startServer } from "../process/server.ts";
import { newLead } from "../store/conformance-values.ts";
import { until, untilIs } from "./outbox.ts";

setDefaultTimeout(30_000);

const NOW = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;
const MONTH = catalogWith({ retention_days: 30 });
const FOREVER = catalogWith({ retention_days: null });

/** Runs the retention on a store that counts down what is old. @returns the arguments of each call */
function retention(old: number, { catalog = MONTH, now = () => NOW, everyMs = DAY_MS } = {}) {
  const calls: { before: number; limit: number; at: number }[] = [];
  const logs: { msg: string; leads?: number }[] = [];
  let cleaned = 0;
  const store = {
    async cleanFile() {
      cleaned += 1;
      return true;
    },
    async forgetOld(before: number, limit: number, at: number) {
      calls.push({ before, limit, at });
      const batch = Math.min(limit, old);
      old -= batch;
      return batch;
    },
  };
  const log = pino({}, { write: (line: string) => logs.push(JSON.parse(line)) });
  return {
    calls,
    logs,
    store,
    cleaned: () => cleaned,
    ...startRetention({ store, catalog: () => catalog, log, now, everyMs }),
  };
}

test("erases in batches until one is not full, up to retention_days of the catalog", async () => {
  const { calls, logs, cleaned, stop } = retention(120);
  await untilIs(() => logs.length, 1);
  await stop();
  expect(calls.map(({ before }) => before)).toEqual(Array(3).fill(NOW - 30 * DAY_MS));
  expect(logs).toMatchObject([{ msg: "old personal data erased", leads: 120, isClean: true }]);
  expect(cleaned()).toBe(1);
});

test("nothing is erased while the catalog says null, nor after the end", async () => {
  const never = retention(9, { catalog: FOREVER, everyMs: 1 });
  await never.stop();
  expect(never.calls).toEqual([]);
  const stopped = retention(10_000);
  await stopped.stop();
  expect(stopped.calls.length).toBeLessThan(3);
});

test("a clock that jumps forward while the server runs erases nothing more", async () => {
  let now = NOW;
  const { calls, stop } = retention(0, { now: () => now, everyMs: 5 });
  now += 3_650 * DAY_MS;
  await until(
    () => calls.length,
    (count) => count > 2,
  );
  await stop();
  expect(Math.max(...calls.map(({ at }) => at))).toBeLessThan(NOW + DAY_MS);
});

test("a fault is logged, and the next round tries again", async () => {
  const { logs, store, calls, stop } = retention(0, { everyMs: 5 });
  const { forgetOld } = store;
  store.forgetOld = async () => {
    throw new Error("the disk is full");
  };
  await until(
    () => logs.length,
    (lines) => lines > 0,
  );
  store.forgetOld = forgetOld;
  const before = calls.length;
  await until(
    () => calls.length,
    (count) => count > before,
  );
  await stop();
  expect(logs[0]?.msg).toBe("old personal data could not be erased");
});

test("a server erases when it starts", async () => {
  using folder = shopFolder({ retention_days: 30 });
  const store = openSqliteStore(folder.data);
  const lead = newLead({ createdAt: Date.now() - 31 * DAY_MS });
  const recent = newLead({ createdAt: Date.now() - 29 * DAY_MS });
  for (const one of [lead, recent]) await store.addLead(one);
  await using server = await startServer(folder);
  await until(
    () => store.findLead(lead.id),
    (found) => found?.name === "(forgotten)",
  );
  expect(await store.findLead(recent.id)).toMatchObject({ name: "Pat Example" });
  server.signal("SIGTERM");
  expect((await server.exited).code).toBe(0);
  await store.close();
});
