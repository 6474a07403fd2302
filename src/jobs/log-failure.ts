/** The log lines of a loop that fails again and again, which would fill a disk. */
import type { Logger } from "pino";
import { MINUTE_MS } from "../lib/durations.ts";

interface Line {
  at: number;
  /** Failures since then. */
  unsaid: number;
}

const lines = new WeakMap<Logger, Map<string, Line>>();

/**
 * Logs a failure: the first at once, then at most one line a minute for each message, with their number.
 * @param now milliseconds of any clock
 */
export function logFailure(log: Logger, message: string, facts: object, now: number): void {
  const said = lines.get(log) ?? new Map<string, Line>();
  lines.set(log, said);
  const last = said.get(message);
  const times = (last?.unsaid ?? 0) + 1;
  // Either way, because a clock may go back.
  if (last && Math.abs(now - last.at) < MINUTE_MS) last.unsaid = times;
  else {
    log.error({ ...facts, ...(times > 1 && { times }) }, message);
    said.set(message, { at: now, unsaid: 0 });
  }
}
