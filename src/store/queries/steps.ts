/**
 * How the queries are written once for both engines: a function yields its statements and gets their results back. SQLite
 * performs all statements of a function without a pause, so that nothing else runs inside its transaction. PostgreSQL
 * awaits them; the statements of one `yield` share a round trip. The texts are SQLite's, and
 * `src/store/postgres/pool.ts` translates what PostgreSQL says otherwise.
 */

export interface Statement {
  text: string;
  values: readonly Value[];
  /** All rows, the first row or null, or how many rows were changed. */
  gives: "rows" | "row" | "changes";
}

export type Value = string | number | null;

/** A function that yields statements and ends with a result. */
export type Steps<Result> = Generator<readonly Statement[], Result, readonly unknown[]>;

export function* all<Row>(text: string, values: readonly Value[] = []): Steps<Row[]> {
  const [rows] = yield [{ text, values, gives: "rows" }];
  // Safe, because the engine gives what `gives` names, and the text names the columns of the row. The same holds for the functions below.
  return rows as Row[];
}

/** Every row that a statement returns for any of several lists of values, in one round trip. */
export function* allFor<Row>(text: string, lists: readonly (readonly Value[])[]): Steps<Row[]> {
  return (yield* allRows<Row>(lists.map((values) => ({ text, values, gives: "rows" })))).flat();
}

/** Every row that each of the statements returns, in one round trip. */
export function* allRows<Row>(statements: readonly Statement[]): Steps<Row[][]> {
  return (yield statements) as Row[][];
}

/** The first row that a statement returns; null without one. */
export function* get<Row>(text: string, values: readonly Value[] = []): Steps<Row | null> {
  const [row] = yield [{ text, values, gives: "row" }];
  return row as Row | null;
}

/** @returns how many rows the statement changed */
export function* run(text: string, values: readonly Value[] = []): Steps<number> {
  const [changes] = yield [{ text, values, gives: "changes" }];
  return changes as number;
}

/** The results of one step for each value, one after the other. */
export function* each<Item, Result>(items: readonly Item[], step: (item: Item) => Steps<Result>): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(yield* step(item));
  return results;
}

/** The results of steps that do not need each other's results: their first statements share a round trip, then their second. */
export function* together<const Results extends unknown[]>(
  ...steps: { [Index in keyof Results]: Steps<Results[Index]> }
): Steps<Results> {
  const turns = steps.map((step) => step.next());
  for (;;) {
    const asked: Statement[] = [];
    let isOver = true;
    for (const turn of turns) {
      if (turn.done) continue;
      isOver = false;
      asked.push(...turn.value);
    }
    // Safe, because every generator has ended with its result.
    if (isOver) return turns.map(({ value }) => value) as Results;
    const given = yield asked;
    let from = 0;
    for (const [i, step] of steps.entries()) {
      const turn = turns[i];
      if (!turn || turn.done) continue;
      const until = from + turn.value.length;
      turns[i] = step.next(given.slice(from, until));
      from = until;
    }
  }
}

/** Epoch milliseconds, as an expression. */
const CLOCK = "CAST(round(unixepoch('subsec') * 1000) AS bigint)";

/** How far, in milliseconds, the time of a job may lie ahead. Later times show that the clock went back since. */
export const CLOCK_SLACK_MS = 1_000;

/** The time to go by: one that a test gives, else the clock. A subquery, because PostgreSQL reads its clock anew for each row. */
export const clockOr = (given: `?${number}`) => `(SELECT coalesce(${given}, ${CLOCK}))`;

export function* storeClock(): Steps<number> {
  const row = yield* get<{ now: number }>(`SELECT ${CLOCK} AS now`);
  if (!row) throw new Error("the database gave no time");
  return row.now;
}
