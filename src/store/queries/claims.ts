/** Claims of due jobs. `claimJobs` runs inside the transaction of its caller. */
import { JOB_KINDS, type JobKind } from "../../vocabulary.ts";
import { readDelivery } from "../payloads.ts";
import type { Claim, DueJob } from "../store.ts";
import { lapseOverdue, settleJob } from "./jobs.ts";
import { all, get, run, type Steps, together } from "./steps.ts";
import { limitTexts } from "./text-limits.ts";

/** The partial indices fit only these literal conditions. A fresh job is due when the next attempt is. */
const ROOMS = {
  fresh: { which: "attempts = 0", at: "due_at" },
  retries: { which: "attempts > 0", at: "next_at" },
};

/** Ids of the jobs that have been due longest, among fresh jobs or among retries. */
function* longestDue(room: keyof typeof ROOMS, claim: Claim, limit: number): Steps<number[]> {
  if (limit <= 0) return [];
  const { which, at } = ROOMS[room];
  // One query per kind follows the index in order; one query for all kinds would sort every due job.
  const due = (kind: JobKind) =>
    all<{ id: number; at: number }>(
      `SELECT id, ${at} AS at FROM jobs
       WHERE status = 'waiting' AND ${which} AND kind = ?1 AND ${at} <= ?2
         AND (claimed_until IS NULL OR claimed_until <= ?2) AND id NOT IN (SELECT CAST(value AS bigint) FROM json_each(?3))
       ORDER BY ${at}, id LIMIT ?4`,
      kind,
      claim.now,
      JSON.stringify(claim.running),
      limit,
    );
  return (yield* together(...claim.kinds.map(due)))
    .flat()
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .slice(0, limit)
    .map(({ id }) => id);
}

function* dueJobs(claim: Claim): Steps<number[]> {
  return (yield* together(longestDue("fresh", claim, claim.fresh), longestDue("retries", claim, claim.retries))).flat();
}

/** Whether a claim would find anything. Asked first, because a claim takes the write lock. */
export function* hasDueJobs(claim: Claim): Steps<boolean> {
  return (
    (yield* dueJobs({ ...claim, fresh: Math.min(1, claim.fresh), retries: Math.min(1, claim.retries) })).length > 0 ||
    (yield* get(`SELECT 1 FROM jobs WHERE ${TOUCHED_LATER} LIMIT 1`, ALL_KINDS, claim.now + CLOCK_SLACK_MS)) !== null
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
function* followClock(now: number): Steps<void> {
  yield* run(
    `UPDATE jobs SET next_at = next_at - (touched_at - ?3),
       due_at = CASE WHEN attempts = 0 THEN next_at - (touched_at - ?3) WHEN due_at > ?3 THEN ?3 ELSE due_at END,
       claimed_until = claimed_until - (touched_at - ?3), first_tried_at = first_tried_at - (touched_at - ?3),
       touched_at = ?3
     WHERE ${TOUCHED_LATER}`,
    ALL_KINDS,
    now + CLOCK_SLACK_MS,
    now,
  );
}

/** Bounds the time that one claim spends on messages that lapse or wait. The next claim goes on with the rest. */
const ROUNDS = 10;

export function* claimJobs(claim: Claim): Steps<DueJob[]> {
  yield* followClock(claim.now);
  let ids = yield* dueJobs(claim);
  for (let round = 0; round <= ROUNDS; round++) {
    if ((yield* lapseOverdue(ids, claim.now)) + (yield* limitTexts(ids, claim)) === 0) break;
    if (round < ROUNDS) ids = yield* dueJobs(claim);
  }
  if (ids.length === 0) return [];
  // A claim that was never settled shows that the process died during the attempt.
  const claimed = yield* all<
    Omit<DueJob, "kind" | "doubtful" | "payload"> & { kind: JobKind; doubtful: number; payload: string }
  >(
    `UPDATE jobs SET attempts = attempts + 1,
       doubtful = CASE WHEN doubtful = 1 OR claimed_until IS NOT NULL THEN 1 ELSE 0 END, claimed_until = ?2,
       touched_at = ?1, first_tried_at = coalesce(first_tried_at, ?1)
     WHERE id IN (SELECT CAST(value AS bigint) FROM json_each(?3)) AND status = 'waiting' AND next_at <= ?1
     RETURNING id, kind, payload, attempts, doubtful, first_tried_at AS firstTriedAt, tried_ms AS triedMs,
       due_at AS dueAt, created_at AS createdAt`,
    claim.now,
    claim.until,
    JSON.stringify(ids),
  );
  const readable: DueJob[] = [];
  for (const { kind, payload, doubtful, ...row } of claimed.toSorted((a, b) => a.id - b.id)) {
    const delivery = readDelivery(kind, payload);
    if (delivery) readable.push({ ...row, ...delivery, doubtful: doubtful === 1 });
    else yield* settleJob({ id: row.id, kind: "failed", reason: "the stored message cannot be read" });
  }
  return readable;
}
