/**
 * How the queries are written once for both engines: a function yields its statements and gets their results back. SQLite
 * performs all statements of a function without a pause, so that nothing else runs inside its transaction. PostgreSQL
 * awaits them; the statements of one `yield` share a round trip. The texts are SQLite's, and
 * `src/store/postgres/dialect.ts` translates what PostgreSQL says otherwise.
 */

/** One statement for the engine. */
export interface Statement {
  text: string;
  values: readonly Value[];
  /** All rows, the first row or null, or how many rows were changed. */
  gives: "rows" | "row" | "changes";
}

export type Value = string | number | null;

/** A function that yields statements and ends with a result. */
export type Steps<Result> = Generator<readonly Statement[], Result, readonly unknown[]>;

/** Every row that a statement returns. */
export function* all<Row>(text: string, ...values: Value[]): Steps<Row[]> {
  const [rows] = yield [{ text, values, gives: "rows" }];
  // Safe, because the engine gives what `gives` names, and the text names the columns of the row. So below.
  return rows as Row[];
}

/** The first row that a statement returns; null without one. */
export function* get<Row>(text: string, ...values: Value[]): Steps<Row | null> {
  const [row] = yield [{ text, values, gives: "row" }];
  return row as Row | null;
}

/** @returns how many rows the statement changed */
export function* run(text: string, ...values: Value[]): Steps<number> {
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
    const statements = turns.map(({ done, value }) => (done ? [] : value));
    const asked = statements.flat();
    // Safe, because every generator has ended with its result.
    if (asked.length === 0) return turns.map(({ value }) => value) as Results;
    const given = yield asked;
    let at = 0;
    for (const [i, step] of steps.entries()) {
      const length = statements[i]?.length ?? 0;
      if (length > 0) turns[i] = step.next(given.slice(at, at + length));
      at += length;
    }
  }
}
