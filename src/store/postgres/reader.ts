/** Reads from PostgreSQL: a read can be repeated, so a transient error is waited for. */
import type { Statement, Steps } from "../queries/steps.ts";
import { StoreUnavailable } from "../store-errors.ts";
import { answerWithin, isOfConnection, isPassing, NoAnswer, RETRY_PAUSE_MS } from "./errors.ts";
import { type Pool, resultOf } from "./pool.ts";

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
    /** Performs a function that reads. @throws StoreUnavailable */
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
