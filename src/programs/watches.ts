/** What a server looks at every now and then, besides its work: the nightly backups, and the clock of this machine. */
import type { Logger } from "pino";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/durations.ts";
import { MOST_SKEW_MS } from "../store/postgres/clock.ts";
import type { Store } from "../store/store.ts";

/** One night may fail, as when the machine is off. */
const OLDEST_MS = 2 * DAY_MS;

interface BackupWatchOptions {
  /** Null where none was made yet. */
  lastAt: () => number | null;
  log: Logger;
  now?: () => number;
  everyMs?: number;
}

/**
 * Tells the owner when the nightly backup fails to come, whatever the reason: a full disk, a timer that is off.
 * @returns the warning of now, if any, and what ends the watch, which logs it as an error every hour
 */
export function watchBackups({ lastAt, log, now = Date.now, everyMs = HOUR_MS }: BackupWatchOptions) {
  const warnings = (): string[] => {
    const at = lastAt();
    if (at === null || now() - at <= OLDEST_MS) return [];
    return [`the last nightly backup is ${Math.floor((now() - at) / DAY_MS)} days old`];
  };
  const timer = setInterval(() => {
    for (const warning of warnings()) log.error(`${warning}; see tint doctor`);
  }, everyMs);
  return { warnings, stop: () => clearInterval(timer) };
}

interface ClockWatchOptions {
  store: Pick<Store, "clockAhead">;
  log: Logger;
  everyMs?: number;
}

/**
 * Watches this machine's clock: it was right at the start, and may drift or be set since. Logs an error once it is too far off the database's, and tells when it is
 * right again.
 * @returns ends it
 */
export function watchClock({ store, log, everyMs = MINUTE_MS }: ClockWatchOptions): () => void {
  let isSkewed = false;
  const look = async () => {
    try {
      const aheadMs = await store.clockAhead();
      const wasSkewed = isSkewed;
      isSkewed = Math.abs(aheadMs) > MOST_SKEW_MS;
      if (isSkewed && !wasSkewed)
        log.error({ aheadMs }, "this machine's clock is off the database's; set both by a time server");
      if (wasSkewed && !isSkewed) log.info("this machine's clock agrees with the database's again");
    } catch {
      // A database that does not answer is reported elsewhere.
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => clearInterval(timer);
}
