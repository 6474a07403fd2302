/** Errors of the connection to PostgreSQL, and which of them pass by themselves. */

import { withTimeout } from "../../lib/durations.ts";
import { codeOf } from "../../lib/files.ts";

/** The pause between two tries after a transient error. */
export const RETRY_PAUSE_MS = 50;

/** The database did not answer in time. It may still perform the statement. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The SQLSTATE of an error; undefined for an error of the connection. */
export function sqlStateOf(error: unknown): string | undefined {
  const { errno } = Object(error) as { errno?: unknown };
  return typeof errno === "string" && /^[0-9A-Z]{5}$/.test(errno) ? errno : undefined;
}

/**
 * SQLSTATEs that a failover can bring about: connection, read-only, password, no such database, serialization, resources,
 * locks, shutdown, input and output, bugs of the server. 0A000: a statement was prepared before another process changed the
 * tables.
 */
const PASSING = /^(08|25|28|3D|40|53|57|58|XX)|^55P03$|^0A000$/;

export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  const state = sqlStateOf(error);
  if (state !== undefined) return PASSING.test(state);
  return /^(ERR_POSTGRES_|E[A-Z]+$|Failed)/.test(codeOf(error) ?? "");
}

/** Says what to do about a pooler that mixes up the statements that were prepared. Other errors stay as they are. */
export function withAdvice(error: unknown): unknown {
  if (!["42P05", "26000"].includes(sqlStateOf(error) ?? "")) return error;
  return new Error(
    "a pooler in front of the database gives each transaction another connection: add ?prepare=false to the URL",
    { cause: error },
  );
}

/** How long a machine that vanished inside a transaction holds the others up. */
export const IDLE_MS = 2_500;
/** Stands in every transaction that takes the row of the shop. */
export const ENDS_WITH_ITS_MACHINE = `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`;

/** @throws NoAnswer when the answer takes longer */
export function answerWithin<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  return withTimeout(answer, ms, () => new NoAnswer("the database does not answer"));
}

/** It leads to a server that became a standby, or holds statements of earlier tables. The driver replaces closed ones. */
export function isOfConnection(error: unknown): boolean {
  return ["25006", "0A000"].includes(sqlStateOf(error) ?? "");
}

/** Whether the server is there but takes no connection yet: it starts up, or has too many. */
export function isNotReadyYet(error: unknown): boolean {
  return ["57P03", "53300"].includes(sqlStateOf(error) ?? "");
}
