import { Database, type Statement as Prepared } from "bun:sqlite";
import type { Statement, Steps } from "../queries/steps.ts";

// Bun keeps 20 statements by default, and prepares any further one anew each time, which takes ten times as long as running it.
Database.MAX_QUERY_CACHE_SIZE = 500;

/** The prepared statements of each database by their texts: `db.query` searches a list. */
const prepared = new WeakMap<Database, Map<string, Prepared>>();

/** Performs all statements of a function without a pause, so that nothing else uses the connection meanwhile. */
export function runSteps<Result>(db: Database, steps: Steps<Result>): Result {
  const known = prepared.get(db) ?? new Map<string, Prepared>();
  prepared.set(db, known);
  const resultOf = ({ text, values, gives }: Statement): unknown => {
    const statement = known.get(text) ?? db.query(text);
    known.set(text, statement);
    if (gives === "rows") return statement.all(...values);
    return gives === "row" ? statement.get(...values) : statement.run(...values).changes;
  };
  let turn = steps.next();
  while (!turn.done) turn = steps.next(turn.value.map(resultOf));
  return turn.value;
}
