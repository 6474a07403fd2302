/**
 * The clock of the store. With PostgreSQL every process reads the database's clock, so that machines whose clocks
 * differ agree on when a claim ends. With SQLite the clock is this machine's.
 */
import { get, type Steps } from "./steps.ts";

/** Epoch milliseconds, as an expression. */
const CLOCK = "CAST(round(unixepoch('subsec') * 1000) AS bigint)";

/**
 * How far the time of a job may lie ahead of the clock, in milliseconds. Later times show that the clock went back
 * since.
 */
export const CLOCK_SLACK_MS = 1_000;

/**
 * The time to go by, as an expression. A subquery, because PostgreSQL reads its clock anew for each row.
 * @param given the place of a parameter: a time that a test gives, or null for the clock
 */
export const clockOr = (given: `?${number}`) => `(SELECT coalesce(${given}, ${CLOCK}))`;

/** The time by the clock, in epoch milliseconds. */
export function* storeClock(): Steps<number> {
  const row = yield* get<{ now: number }>(`SELECT ${CLOCK} AS now`);
  if (!row) throw new Error("the database gave no time");
  return row.now;
}
