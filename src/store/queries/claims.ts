/** Claims of due jobs in SQLite. `claimJobs` runs inside the transaction of its caller. */
import type { Database } from "bun:sqlite";
import { JOB_KINDS, type JobKind } from "../../vocabulary.ts";
import { readDelivery } from "../payloads.ts";
import type { Claim, DueJob } from "../store.ts";
import { lapseOverdue, settleJob } from "./jobs.ts";
import { limitTexts } from "./text-limits.ts";

/** The partial indices fit only these literal conditions. A fresh job is due when the next attempt is. */
const ROOMS = {
  fresh: { which: "attempts = 0", at: "due_at" },
  retries: { which: "attempts > 0", at: "next_at" },
};

/** Ids of the jobs that have been due longest, among fresh jobs or among retries. */
function longestDue(db: Database, room: keyof typeof ROOMS, claim: Claim, limit: number): number[] {
  if (limit <= 0) return [];
  const { which, at } = ROOMS[room];
  // One query per kind follows the index in order; one query for all kinds would sort every due job.
  const due = db.query<{ id: number; at: number }, [JobKind, number, string, number]>(
    `SELECT id, ${at} AS at FROM jobs
     WHERE status = 'waiting' AND ${which} AND kind = ?1 AND ${at} <= ?2
       AND (claimed_until IS NULL OR claimed_until <= ?2) AND id NOT IN (SELECT value FROM json_each(?3))
     ORDER BY ${at}, id LIMIT ?4`,
  );
  return claim.kinds
    .flatMap((kind) => due.all(kind, claim.now, JSON.stringify(claim.running), limit))
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .slice(0, limit)
    .map(({ id }) => id);
}

function dueJobs(db: Database, claim: Claim): number[] {
  return [...longestDue(db, "fresh", claim, claim.fresh), ...longestDue(db, "retries", claim, claim.retries)];
}

/** Whether a claim would find anything. Asked first, because a claim takes the write lock. */
export function hasDueJobs(db: Database, claim: Claim): boolean {
  return (
    dueJobs(db, { ...claim, fresh: Math.min(1, claim.fresh), retries: Math.min(1, claim.retries) }).length > 0 ||
    db.query(`SELECT 1 FROM jobs WHERE ${TOUCHED_LATER} LIMIT 1`).get(ALL_KINDS, claim.now + CLOCK_SLACK_MS) !== null
  );
}

/** A clock that goes back by less than this is ignored. */
const CLOCK_SLACK_MS = 1_000;
/** Names the kinds, because the index begins with them. */
const TOUCHED_LATER = "kind IN (SELECT value FROM json_each(?1)) AND touched_at > ?2 AND status = 'waiting'";
const ALL_KINDS = JSON.stringify(JOB_KINDS);

/**
 * A job touched in the future shows that the clock went back since. The stored times move back by as much, so that pauses
 * and claims last as long as they were meant to.
 */
function followClock(db: Database, now: number): void {
  db.query(
    `UPDATE jobs SET next_at = next_at - (touched_at - ?3),
       due_at = iif(attempts = 0, next_at - (touched_at - ?3), min(due_at, ?3)),
       claimed_until = claimed_until - (touched_at - ?3), first_tried_at = first_tried_at - (touched_at - ?3),
       touched_at = ?3
     WHERE ${TOUCHED_LATER}`,
  ).run(ALL_KINDS, now + CLOCK_SLACK_MS, now);
}

/** Bounds the time that one claim spends on messages that lapse or wait. The next claim goes on with the rest. */
const ROUNDS = 10;

export function claimJobs(db: Database, claim: Claim): DueJob[] {
  followClock(db, claim.now);
  let ids = dueJobs(db, claim);
  const thinOut = () => lapseOverdue(db, ids, claim.now) + limitTexts(db, ids, claim);
  for (let round = 0; thinOut() > 0 && round < ROUNDS; round++) ids = dueJobs(db, claim);
  return db
    .query<
      Omit<DueJob, "kind" | "doubtful" | "payload"> & { kind: JobKind; doubtful: number; payload: string },
      [number, number, string]
    >(
      // A claim that was never settled shows that the process died during the attempt.
      `UPDATE jobs SET attempts = attempts + 1, doubtful = (doubtful OR claimed_until IS NOT NULL), claimed_until = ?2,
         touched_at = ?1, first_tried_at = coalesce(first_tried_at, ?1)
       WHERE id IN (SELECT value FROM json_each(?3)) AND status = 'waiting' AND next_at <= ?1
       RETURNING id, kind, payload, attempts, doubtful, first_tried_at AS firstTriedAt, tried_ms AS triedMs,
         due_at AS dueAt, created_at AS createdAt`,
    )
    .all(claim.now, claim.until, JSON.stringify(ids))
    .flatMap(({ kind, payload, doubtful, ...row }) => {
      const delivery = readDelivery(kind, payload);
      if (delivery) return [{ ...row, ...delivery, doubtful: doubtful === 1 }];
      settleJob(db, { id: row.id, kind: "failed", reason: "the stored message cannot be read" });
      return [];
    });
}
