/** Connections to PostgreSQL that can be given up, because nothing in the driver bounds one whose packets vanish; and which errors pass. */
import { type ReservedSQL, SQL } from "bun";
import { withTimeout } from "../../lib/durations.ts";
import { codeOf } from "../../lib/files.ts";
import type { Statement, Steps } from "../queries/steps.ts";
import { StoreUnavailable } from "../store-errors.ts";

/** A pool, or a connection reserved from one. */
export type SqlConnection = Pick<SQL | ReservedSQL, "unsafe">;

/** Seconds. */
const CONNECT_TIMEOUT_S = 2;

/** @param url with `prepare=false` for a pooler that gives each transaction another connection */
export function createPool(url: string, max: number) {
  const address = new URL(url);
  const prepare = address.searchParams.get("prepare") !== "false";
  address.searchParams.delete("prepare");
  const open = () => new SQL(address.href, { max, prepare, connectionTimeout: CONNECT_TIMEOUT_S });
  let sql = open();
  return {
    current: () => sql,
    /** The next use opens new connections. Old ones may finish their statements within `graceSeconds`. */
    replace(old = sql, graceSeconds = 0) {
      if (old !== sql) return;
      void old.close({ timeout: graceSeconds }).catch(() => {});
      sql = open();
    },
    close: () => sql.close({ timeout: 0 }),
    /** Where its scope ends, with `await using`. */
    [Symbol.asyncDispose]: () => sql.close({ timeout: 0 }),
  };
}

export type Pool = ReturnType<typeof createPool>;

/** Performs a function's statements; those of one `yield` share a round trip. */
export async function runSteps<Result>(on: SqlConnection, steps: Steps<Result>): Promise<Result> {
  let turn = steps.next();
  while (!turn.done) turn = steps.next(await Promise.all(turn.value.map((statement) => resultOf(on, statement))));
  return turn.value;
}

async function resultOf(on: SqlConnection, { text, values, gives }: Statement): Promise<unknown> {
  const result = await on.unsafe(toPostgres(text), [...values]);
  if (gives === "changes") return result.count;
  const rows = withNumbers(result);
  return gives === "rows" ? rows : (rows[0] ?? null);
}

type Row = Record<string, unknown>;
/** The type of 64-bit integers, which the driver gives as texts. */
const INT8 = 20;

/** Safe for every number of Tintdesk: milliseconds, cents and counts are far below 2⁵³. */
export function withNumbers(result: Row[] & { columns?: { name: string; type: number }[] }): Row[] {
  const names = (result.columns ?? []).filter(({ type }) => type === INT8).map(({ name }) => name);
  return result.map((row) => {
    for (const name of names) if (row[name] !== null) row[name] = Number(row[name]);
    return row;
  });
}

const translated = new Map<string, string>();

function toPostgres(text: string): string {
  const known = translated.get(text);
  if (known !== undefined) return known;
  const made = translate(text);
  translated.set(text, made);
  return made;
}

function translate(text: string): string {
  let next = 0;
  return (
    text
      .replace(/\?(\d*)/g, (_, place: string) => `$${place === "" ? ++next : place}`)
      // The planner of PostgreSQL chooses the index.
      .replace(/ INDEXED BY \w+/g, "")
      // Through text, because the driver would encode a value for a JSON parameter again.
      .replace(/json_each\((\$\d+)\)/g, "json_array_elements_text(CAST(CAST($1 AS text) AS json))")
      .replaceAll("unixepoch('subsec')", "extract(epoch FROM clock_timestamp())")
      // Names without quotes lose their capitals.
      .replace(/ AS ([a-z]+[A-Z]\w*)/g, ' AS "$1"')
      // Patterns for customers are regular expressions between two asterisks.
      .replace(/ GLOB (\$\d+)/g, " ~ trim(both '*' from $1)")
  );
}

/** How long a read may take, with all its tries. */
export const READ_MS = 4_000;
/** How long a read may take while the database is away and another read already tries for the whole time. */
const AWAY_MS = 250;
/** A connection without an answer for this long may be lost. */
const PATIENCE_MS = 1_000;

export function createReader(pool: Pool) {
  async function askUntil(statements: readonly Statement[], deadline: number): Promise<unknown[]> {
    let tries: Promise<unknown[]>[] = [];
    for (;;) {
      const sql = pool.current();
      const left = deadline - performance.now();
      // A second try on new connections does not end the first: it may only be slow.
      const patience = tries.length === 0 ? PATIENCE_MS : left;
      tries.push(Promise.all(statements.map((statement) => resultOf(sql, statement))));
      try {
        return await answerWithin(Math.min(patience, left), Promise.any(tries));
      } catch (error) {
        const cause = error instanceof AggregateError ? error.errors.at(-1) : error;
        if (!isPassing(cause)) throw cause;
        const isOver = performance.now() + RETRY_PAUSE_MS > deadline;
        if (cause instanceof NoAnswer) pool.replace(sql, isOver ? 0 : (deadline - performance.now()) / 1000);
        else if (isOfConnection(cause)) pool.replace(sql);
        if (isOver) throw new StoreUnavailable("the database does not answer", { cause });
        if (cause instanceof NoAnswer) continue;
        tries = [];
        await Bun.sleep(RETRY_PAUSE_MS);
      }
    }
  }

  let isAway = false;
  let isTrying = false;

  /** While the database is away, callers hear so after `AWAY_MS`. One read at a time finds out when it is back. */
  async function bounded<Answer>(ms: number, work: (deadline: number) => Promise<Answer>): Promise<Answer> {
    const tries = isAway && !isTrying;
    if (tries) isTrying = true;
    try {
      const answer = await work(performance.now() + (isAway && !tries ? Math.min(AWAY_MS, ms) : ms));
      isAway = false;
      return answer;
    } catch (error) {
      if (error instanceof StoreUnavailable && ms === READ_MS) isAway = true;
      throw error;
    } finally {
      if (tries) isTrying = false;
    }
  }

  return {
    read: <Result>(steps: Steps<Result>): Promise<Result> =>
      bounded(READ_MS, async (deadline) => {
        let turn = steps.next();
        while (!turn.done) turn = steps.next(await askUntil(turn.value, deadline));
        return turn.value;
      }),
    /** Performs statements that do no harm twice. @param ms how long that may take @throws StoreUnavailable */
    ask: (statements: readonly Statement[], ms: number) => bounded(ms, (deadline) => askUntil(statements, deadline)),
  };
}

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
function isOfConnection(error: unknown): boolean {
  return ["25006", "0A000"].includes(sqlStateOf(error) ?? "");
}
