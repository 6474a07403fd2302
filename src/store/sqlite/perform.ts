import { Database } from "bun:sqlite";
import type { Statement, Steps } from "../queries/steps.ts";

// Bun keeps 20 statements by default, and prepares any further one anew each time, which takes ten times as long as running it.
Database.MAX_QUERY_CACHE_SIZE = 500;

/** Performs all statements of a function without a pause, so that nothing else uses the connection meanwhile. */
export function perform<Result>(db: Database, steps: Steps<Result>): Result {
  let turn = steps.next();
  while (!turn.done) turn = steps.next(turn.value.map((statement) => resultOf(db, statement)));
  return turn.value;
}

function resultOf(db: Database, { text, values, gives }: Statement): unknown {
  const statement = db.query(text);
  if (gives === "rows") return statement.all(...values);
  return gives === "row" ? statement.get(...values) : statement.run(...values).changes;
}
