/** Tells the owner when the nightly backup fails to come, whatever the reason: a full disk, a timer that is off. */
import type { Logger } from "pino";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";

/** One night may fail, as when the machine is off. */
const OLDEST_MS = 2 * DAY_MS;

interface BackupWatchOptions {
  /** Null where none was made yet. */
  lastAt: () => number | null;
  log: Logger;
  now?: () => number;
  everyMs?: number;
}

/** @returns the warning of now, if any, and what ends the watch, which logs it as an error every hour */
export function watchBackups({ lastAt, log, now = Date.now, everyMs = HOUR_MS }: BackupWatchOptions): {
  warnings: () => string[];
  stop: () => void;
} {
  const warnings = () => {
    const at = lastAt();
    if (at === null || now() - at <= OLDEST_MS) return [];
    return [`the last nightly backup is ${Math.floor((now() - at) / DAY_MS)} days old`];
  };
  const timer = setInterval(() => {
    for (const warning of warnings()) log.error(`${warning}; see tint doctor`);
  }, everyMs);
  return { warnings, stop: () => clearInterval(timer) };
}
