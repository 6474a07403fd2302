/** Claims of due jobs. `claimJobs` runs inside the transaction of its caller. */
import { JOB_KINDS, type JobKind } from "../../constants.ts";
import type { Claim, DueJob } from "../records/jobs.ts";
import { lapseOverdue, readContent } from "./jobs.ts";
import { warnOfLate } from "./late-warning.ts";
import { withBody } from "./leads.ts";
import { limitMessages } from "./message-limits.ts";
import { settleJob } from "./settling.ts";
import { all, get, run, type Steps, together } from "./steps.ts";
import { CLOCK_SLACK_MS, clockOr, storeClock, type TimedClaim } from "./store-clock.ts";

/** The partial indices fit only these literal conditions. A fresh job is due when the next attempt is. */
const ROOMS = {
  fresh: { which: "attempts = 0", at: "due_at" },
  retries: { which: "attempts > 0", at: "next_at" },
};

/** Ids of the jobs that have been due longest, among fresh jobs or among retries. */
function* longestDue(room: keyof typeof ROOMS, claim: TimedClaim, limit: number): Steps<number[]> {
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

function* dueJobs(claim: TimedClaim): Steps<number[]> {
  return (yield* together(longestDue("fresh", claim, claim.fresh), longestDue("retries", claim, claim.retries))).flat();
}

/** Kinds stand in the text of a statement, because both engines then look into the index once for each kind. */
const oneOf = (kinds: readonly JobKind[]) => `kind IN (${kinds.map((kind) => `'${kind}'`).join(", ")})`;
/** The kinds are named because the index begins with them. */
const TOUCHED_LATER = `${oneOf(JOB_KINDS)} AND status = 'waiting' AND touched_at >`;

/**
 * Whether a claim would find anything. Asked first, because a claim takes the write lock; in one statement, because every
 * worker asks five times a second.
 */
export function* hasDueJobs({ kinds, now, running, fresh, retries }: Claim): Steps<boolean> {
  if (kinds.length === 0) return false;
  const clock = clockOr("?1");
  const due = ({ which, at }: (typeof ROOMS)[keyof typeof ROOMS], room: string) =>
    `SELECT 1 AS due FROM jobs WHERE status = 'waiting' AND ${which} AND ${oneOf(kinds)} AND ${at} <= ${clock} AND ${room} > 0
       AND (claimed_until IS NULL OR claimed_until <= ${clock})
       AND id NOT IN (SELECT CAST(value AS bigint) FROM json_each(?2))`;
  const found = yield* get(
    `${due(ROOMS.fresh, "?3")} UNION ALL ${due(ROOMS.retries, "?4")}
     UNION ALL SELECT 1 FROM jobs WHERE ${TOUCHED_LATER} ${clock} + ${CLOCK_SLACK_MS} LIMIT 1`,
    now ?? null,
    JSON.stringify(running),
    fresh,
    retries,
  );
  return found !== null;
}

/**
 * A job touched in the future shows that the clock went back since. The stored times move back by as much, so that pauses
 * and claims last as long as they were meant to. A job that is being tried keeps `due_at`, which names the attempt.
 */
function* followClock(now: number): Steps<void> {
  yield* run(
    `UPDATE jobs SET next_at = next_at - (touched_at - ?2),
       due_at = CASE WHEN attempts = 0 THEN next_at - (touched_at - ?2)
         WHEN claimed_until IS NULL AND due_at > ?2 THEN ?2 ELSE due_at END,
       claimed_until = claimed_until - (touched_at - ?2), first_tried_at = first_tried_at - (touched_at - ?2),
       touched_at = ?2
     WHERE ${TOUCHED_LATER} ?1`,
    now + CLOCK_SLACK_MS,
    now,
  );
}

/** Bounds the time that one claim spends on messages that lapse or wait. The next claim goes on with the rest. */
const ROUNDS = 10;

/**
 * Claims due jobs for one attempt each. Messages over a limit of `limits` wait, or go out in one text. A claim that is not
 * settled within `lastsMs` expires, and the job is doubtful from then on. A message to a customer lapses instead when the
 * booking has begun or is no longer confirmed.
 */
export function* claimJobs(given: Claim): Steps<DueJob[]> {
  const claim: TimedClaim = { ...given, now: given.now ?? (yield* storeClock()) };
  yield* followClock(claim.now);
  let ids = yield* dueJobs(claim);
  for (let round = 0; round <= ROUNDS; round++) {
    if ((yield* lapseOverdue(ids, claim.now)) + (yield* limitMessages(ids, claim)) === 0) break;
    if (round < ROUNDS) ids = yield* dueJobs(claim);
  }
  if (ids.length === 0) return [];
  if (claim.limits) yield* warnOfLate(ids, claim.now, claim.limits);
  // A claim that was never settled shows that the process died during the attempt.
  const claimed = yield* all<
    Omit<DueJob, "kind" | "doubtful" | "payload"> & { kind: JobKind; doubtful: number; payload: string; leadId: string }
  >(
    `UPDATE jobs SET attempts = attempts + 1,
       doubtful = CASE WHEN doubtful = 1 OR claimed_until IS NOT NULL THEN 1 ELSE 0 END, claimed_until = ?2,
       touched_at = ?1, first_tried_at = coalesce(first_tried_at, ?1)
     WHERE id IN (SELECT CAST(value AS bigint) FROM json_each(?3)) AND status = 'waiting' AND next_at <= ?1
     RETURNING id, kind, payload, attempts, doubtful, first_tried_at AS firstTriedAt, tried_ms AS triedMs,
       due_at AS dueAt, created_at AS createdAt, lead_id AS leadId`,
    claim.now,
    claim.now + claim.lastsMs,
    JSON.stringify(ids),
  );
  const readable: DueJob[] = [];
  for (const { kind, payload, doubtful, leadId, ...row } of claimed.toSorted((a, b) => a.id - b.id)) {
    const content = readContent(kind, payload);
    if (content) readable.push({ ...row, ...(yield* withBody(content, leadId)), doubtful: doubtful === 1 });
    else yield* settleJob({ ...row, kind: "failed", reason: "the stored message cannot be read" });
  }
  return readable;
}
