/** How often a function asks the database: on PostgreSQL each time is a round trip. */

import type { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { book } from "../../src/store/queries/bookings.ts";
import { all, allRows, each, get, run, type Steps, together } from "../../src/store/queries/steps.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { runSteps } from "../../src/store/sqlite/migrate.ts";
import { newBooking, newJob } from "./conformance-values.ts";

let db: Database;
beforeAll(() => {
  db = openDatabase(":memory:");
});
afterAll(() => db.close());

/** Performs the steps, and notes how many statements each turn has. */
function asked<Result>(steps: Steps<Result>) {
  const turns: number[] = [];
  function* noting(): Steps<Result> {
    let turn = steps.next();
    while (!turn.done) {
      turns.push(turn.value.length);
      turn = steps.next(yield turn.value);
    }
    return turn.value;
  }
  const result = runSteps(db, noting());
  return { result, turns };
}

test("together merges the first statements, then the second; each function gets its own results", () => {
  function* twice(): Steps<number> {
    const first = yield* get<{ n: number }>("SELECT 2 AS n");
    const second = yield* get<{ n: number }>("SELECT ? + 3 AS n", first?.n ?? 0);
    return second?.n ?? 0;
  }
  const nothing = each([], (n: number) => run("SELECT ?", n));
  const rows = (n: number) => ({ text: "SELECT ?1 AS n", values: [n], gives: "rows" as const });
  expect(asked(together(nothing, all("SELECT 1 AS n"), allRows([]), twice(), allRows([rows(7), rows(8)])))).toEqual({
    result: [[], [{ n: 1 }], [], 5, [[{ n: 7 }], [{ n: 8 }]]],
    turns: [4, 1],
  });
  expect(asked(together())).toEqual({ result: [], turns: [] });
});

test("a booking asks twice, also when it passes the rate of the alert", () => {
  const quota = { by: "network", value: "192.0.2.1", since: 0, until: Number.MAX_SAFE_INTEGER, limit: 5 } as const;
  const alert = { above: 1, windowMs: 3_600_000, job: newJob() };
  const booking = () => newBooking({ alert, lead: { jobs: [newJob(), newJob("remind_owner")] } });
  // First: the quota, the bays, holds that are over, the codes, the rate. Then lead, two jobs and booking.
  expect(asked(book(booking(), 9, [quota]))).toMatchObject({ result: { kind: "booked" }, turns: [5, 4] });
  // The job of the alert and how long the alert lasts.
  expect(asked(book(booking(), 9, [quota]))).toMatchObject({ result: { used: [2] }, turns: [5, 6] });
  expect(asked(book(booking(), 9, [{ ...quota, limit: 2 }]))).toMatchObject({ result: { kind: "quota" }, turns: [5] });
});
