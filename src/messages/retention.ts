/** Erases people from old bookings and leads while the server runs: `retention_days` of the catalog. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Shop } from "../catalog/shop.ts";
import { DAY_MS } from "../lib/durations.ts";
import type { Store } from "../store/store.ts";
import { takeTurns } from "./attempts.ts";

/** Leads erased in one transaction, which bookings wait for. */
const BATCH = 50;
/** A larger file is not rewritten, because requests wait for that: about a second per 100 MB. */
const MOST_REWRITTEN = 32 * 1024 ** 2;
/** Requests run between two batches. */
const PAUSE_MS = 200;

interface RetentionDeps {
  store: Pick<Store, "forgetOld" | "cleanFile">;
  catalog: () => Shop;
  log: Logger;
  now?: () => number;
  /** Time between rounds. The first is at once. */
  everyMs?: number;
}

/** Starts the rounds, the first one at once. Its `stop` resolves once the running batch has ended. */
export function startRetention({ store, catalog, log, now = Date.now, everyMs = DAY_MS }: RetentionDeps) {
  // Time by the monotonic clock since the start: a clock that jumps forward must not erase the whole diary.
  const started = { at: now(), on: performance.now() };
  const steadyNow = () => Math.min(now(), started.at + performance.now() - started.on);

  const round = async (days: number, signal: AbortSignal) => {
    const at = Math.round(steadyNow());
    let forgotten = 0;
    let batch: number;
    do {
      batch = await store.forgetOld(at - days * DAY_MS, BATCH, at);
      forgotten += batch;
    } while (batch === BATCH && (await sleep(PAUSE_MS, true, { signal }).catch(() => false)));
    if (forgotten === 0) return;
    const isClean = await store.cleanFile(MOST_REWRITTEN);
    log.info({ leads: forgotten, days, isClean }, "old personal data erased");
  };

  return takeTurns(async (signal) => {
    const days = catalog().retention_days;
    if (days === null) return;
    await round(days, signal).catch((err: unknown) => log.error({ err }, "old personal data could not be erased"));
  }, everyMs);
}
