/** Attempts at jobs: claims of those that are due, and results. Functions that write run inside the transaction of their caller. */

import { JOB_KINDS, type JobKind, jobsThatAre, MESSAGES_TO_COME } from "../../constants.ts";
import { afterFailure } from "./delivery-status.ts";
import { insertJobs, lapse, readContent } from "./jobs.ts";
import { withBody } from "./leads.ts";
import type { MessageRules } from "./message-limits.ts";
import { limitMessages, warnOfLate } from "./message-limits.ts";
import type { JobContent } from "./payloads.ts";
import { all, allFor, CLOCK_SLACK_MS, clockOr, each, get, run, type Steps, storeClock, together } from "./steps.ts";

export const claimQueries = {
  reads: { hasDueJobs },
  writes: {
    claimJobs,
    settleJobs: (settled: readonly Settled[], isMailOn = false) => each(settled, (job) => settleJob(job, isMailOn)),
  },
};

export type DueJob = JobContent & {
  id: number;
  /** Includes the attempt it was claimed for. */
  attempts: number;
  /** An earlier attempt may have arrived. */
  doubtful: boolean;
  /** When the first attempt was made. */
  firstTriedAt: number;
  /** Time spent on attempts and on the pauses after them, in milliseconds. */
  triedMs: number;
  dueAt: number;
  createdAt: number;
};

export type Settled =
  /** `messageSid`: Twilio's id of the message. */
  | { id: number; kind: "done"; messageSid: string | null }
  /** News for the owner: the copies to its receivers take its place. */
  | (AttemptName & { kind: "spread"; copies: JobContent[]; doubtfulSince?: number; at?: number })
  /** `isOptOut`: the customer wants no more texts. */
  | (AttemptName & { kind: "failed"; reason: string; isOptOut?: boolean })
  /** `at`: when the attempt ended; now by the clock of the store when left out. The next attempt is `pauseMs` later. */
  | (AttemptName & {
      kind: "postponed";
      reason: string;
      at?: number;
      pauseMs: number;
      doubtful: boolean;
      triedMs: number;
    });

/** Names one attempt at a job: a retry by hand counts attempts anew, but makes the job due at another time. */
export type AttemptName = Pick<DueJob, "id" | "attempts" | "dueAt">;

export interface Claim {
  kinds: readonly JobKind[];
  /** For tests; else the clock of the store, by which claims last as long as they were meant to on every machine. */
  now?: number;
  lastsMs: number;
  /** The most jobs to claim: `fresh` were never tried, `retries` were. */
  fresh: number;
  retries: number;
  /** Ids of jobs that run in this process. They are never claimed, even when a clock jump ends their claims early. */
  running: readonly number[];
  /** The limits of messages; no message is limited without them. */
  limits?: MessageRules;
}

/** A claim with the time that it goes by. */
type TimedClaim = Claim & { now: number };

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
  const running = JSON.stringify(claim.running);
  const due = yield* allFor<{ id: number; at: number }>(
    `SELECT id, ${at} AS at FROM jobs
     WHERE status = 'waiting' AND ${which} AND kind = ?1 AND ${at} <= ?2
       AND (claimed_until IS NULL OR claimed_until <= ?2) AND id NOT IN (SELECT CAST(value AS bigint) FROM json_each(?3))
     ORDER BY ${at}, id LIMIT ?4`,
    claim.kinds.map((kind) => [kind, claim.now, running, limit]),
  );
  return due
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .slice(0, limit)
    .map(({ id }) => id);
}

function* dueJobs(claim: TimedClaim): Steps<number[]> {
  return (yield* together(longestDue("fresh", claim, claim.fresh), longestDue("retries", claim, claim.retries))).flat();
}

/** Kinds are in the text of a statement, because both engines then look into the index once for each kind. */
const kindIn = (kinds: readonly JobKind[]) => `kind IN (${kinds.map((kind) => `'${kind}'`).join(", ")})`;
/** The kinds are named because the index begins with them. */
const TOUCHED_LATER = `${kindIn(JOB_KINDS)} AND status = 'waiting' AND touched_at >`;

/** Marks the texts that are due in a copy: the database it replaces may have sent them since, so Twilio is asked first. */
export function* doubtDueJobs(now: number): Steps<void> {
  const which = `status = 'waiting' AND ${kindIn(jobsThatAre({ by: "twilio" }))} AND next_at <= ?`;
  yield* run(`UPDATE jobs SET doubtful = 1, first_tried_at = coalesce(first_tried_at, created_at) WHERE ${which}`, [
    now,
  ]);
}

/** Asked first, because a claim takes the write lock; in one statement, because every worker asks five times a second. */
function* hasDueJobs({ kinds, now, running, fresh, retries }: Claim): Steps<boolean> {
  if (kinds.length === 0) return false;
  const clock = clockOr("?1");
  const due = ({ which, at }: (typeof ROOMS)[keyof typeof ROOMS], room: string) =>
    `SELECT 1 AS due FROM jobs WHERE status = 'waiting' AND ${which} AND ${kindIn(kinds)} AND ${at} <= ${clock} AND ${room} > 0
       AND (claimed_until IS NULL OR claimed_until <= ${clock})
       AND id NOT IN (SELECT CAST(value AS bigint) FROM json_each(?2))`;
  const found = yield* get(
    `${due(ROOMS.fresh, "?3")} UNION ALL ${due(ROOMS.retries, "?4")}
     UNION ALL SELECT 1 FROM jobs WHERE ${TOUCHED_LATER} ${clock} + ${CLOCK_SLACK_MS} LIMIT 1`,
    [now ?? null, JSON.stringify(running), fresh, retries],
  );
  return found !== null;
}

/** A job touched in the future shows that the clock went back: stored times follow, but `due_at` of one that is being tried. */
function* followClock(now: number): Steps<void> {
  yield* run(
    `UPDATE jobs SET next_at = next_at - (touched_at - ?2),
       due_at = CASE WHEN attempts = 0 THEN next_at - (touched_at - ?2)
         WHEN claimed_until IS NULL AND due_at > ?2 THEN ?2 ELSE due_at END,
       claimed_until = claimed_until - (touched_at - ?2), first_tried_at = first_tried_at - (touched_at - ?2),
       touched_at = ?2
     WHERE ${TOUCHED_LATER} ?1`,
    [now + CLOCK_SLACK_MS, now],
  );
}

/** Bounds the time that one claim spends on messages that lapse or wait. The next claim goes on with the rest. */
const ROUNDS = 10;

/**
 * Claims due jobs for one attempt each. Messages over a limit of `limits` wait, or go out in one text. A claim that is not
 * settled within `lastsMs` expires, and the job is doubtful from then on. A message to a customer lapses instead when the
 * booking has begun or is no longer confirmed.
 */
function* claimJobs(given: Claim): Steps<DueJob[]> {
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
    [claim.now, claim.now + claim.lastsMs, JSON.stringify(ids)],
  );
  const readable: DueJob[] = [];
  for (const { kind, payload, doubtful, leadId, ...row } of claimed.toSorted((a, b) => a.id - b.id)) {
    const content = readContent(kind, payload);
    if (content) readable.push({ ...row, ...(yield* withBody(content, leadId)), doubtful: doubtful === 1 });
    else yield* settleJob({ ...row, kind: "failed", reason: "the stored message cannot be read" });
  }
  return readable;
}

/** Twilio is asked for the first time so long after it took a text. */
const FIRST_ASKED_MS = 5_000;

/** An attempt that is not the latest one settles nothing: the job belongs to the attempt after it, or is done. */
const IS_LATEST = "id = ?1 AND attempts = ?2 AND due_at = ?3 AND status <> 'done'";
const latest = ({ id, attempts, dueAt }: AttemptName) => [id, attempts, dueAt];

/**
 * Writes the result of an attempt. A delivered attempt ends its job even when its result comes late: nobody should send the
 * message again. Any other result counts only while the attempt is the job's latest: a process that slept past its claim must
 * not settle the attempt of another. When another job owns the same `messageSid`, the job stays claimed and later comes back
 * as doubtful.
 * @param isMailOn whether a confirmation or reminder that failed as a text goes by e-mail
 * @returns whether the result was written
 */
function* settleJob(job: Settled, isMailOn = false): Steps<boolean> {
  switch (job.kind) {
    case "done":
      // Also for a job that lapsed during its attempt. Another job may own that message already.
      return (
        (yield* run(
          `UPDATE jobs SET status = 'done', payload = CASE WHEN ?1 IS NULL THEN '{}' ELSE payload END, message_sid = ?1,
             arrival = CASE WHEN ?1 IS NULL THEN NULL ELSE 'sent' END,
             ask_at = CASE WHEN ?1 IS NULL THEN NULL ELSE touched_at + ${FIRST_ASKED_MS} END, last_error = NULL, claimed_until = NULL
           WHERE id = ?2 AND status <> 'done' AND NOT EXISTS (SELECT 1 FROM jobs WHERE message_sid = ?1)`,
          [job.messageSid, job.id],
        )) > 0
      );
    case "spread": {
      const [spread] = yield* all<{ leadId: string }>(
        `UPDATE jobs SET status = 'done', payload = '{}', last_error = NULL, claimed_until = NULL
         WHERE ${IS_LATEST} AND status = 'waiting' RETURNING lead_id AS leadId`,
        latest(job),
      );
      if (!spread) return false;
      const { doubtfulSince } = job;
      const at = job.at ?? (yield* storeClock());
      const copies = job.copies.map((copy) => ({
        ...{ ...copy, dueAt: at, unless: null },
        ...(doubtfulSince !== undefined && { doubtfulSince }),
      }));
      yield* insertJobs(spread.leadId, copies, at);
      return true;
    }
    case "failed": {
      const changed = yield* run(
        `UPDATE jobs SET status = CASE WHEN status = 'waiting' THEN 'failed' ELSE status END, last_error = ?4, claimed_until = NULL
         WHERE ${IS_LATEST}`,
        [...latest(job), job.reason],
      );
      if (changed > 0) yield* afterFailure(job.id, job, yield* storeClock(), isMailOn);
      return changed > 0;
    }
    case "postponed": {
      const at = job.at ?? (yield* storeClock());
      // The clock may have gone back during the attempt, and no job is due after its attempt.
      return (
        (yield* run(
          `UPDATE jobs SET next_at = ?4, touched_at = ?5, due_at = CASE WHEN due_at > ?5 THEN ?5 ELSE due_at END, last_error = ?6,
             doubtful = ?7, tried_ms = ?8, claimed_until = NULL
           WHERE ${IS_LATEST}`,
          [...latest(job), at + job.pauseMs, at, job.reason, job.doubtful ? 1 : 0, job.triedMs],
        )) > 0
      );
    }
  }
}

/**
 * Ends the messages among these jobs that the state of their booking makes wrong: messages about an appointment to come lapse
 * once it begins or ends; messages after the work lapse unless it is completed; those about a quote request lapse once its
 * customer has booked. @returns how many lapsed
 */
function* lapseOverdue(ids: readonly number[], now: number): Steps<number> {
  const booked = yield* run(
    `UPDATE jobs SET ${lapse("the customer booked meanwhile")} WHERE id IN (SELECT CAST(value AS bigint) FROM json_each(?1))
       AND kind IN (SELECT value FROM json_each(?2)) AND EXISTS (SELECT 1 FROM leads JOIN bookings ON bookings.phone = leads.phone
         WHERE leads.id = jobs.lead_id AND bookings.created_at >= leads.created_at AND bookings.status NOT IN ('held', 'expired'))`,
    [JSON.stringify(ids), JSON.stringify(jobsThatAre({ event: "quoted" }))],
  );
  const overdue = yield* run(
    `UPDATE jobs SET ${lapse("its booking began, ended or was cancelled")} WHERE id IN (SELECT CAST(value AS bigint) FROM json_each(?1))
       AND EXISTS (SELECT 1 FROM bookings WHERE bookings.lead_id = jobs.lead_id AND (
         kind IN (SELECT value FROM json_each(?2)) AND (bookings.status <> 'confirmed' OR start_at <= ?3)
         OR kind IN (SELECT value FROM json_each(?4)) AND bookings.status <> 'completed'
         OR kind = 'ready_sms' AND bookings.status NOT IN ('confirmed', 'completed')))`,
    [JSON.stringify(ids), JSON.stringify(MESSAGES_TO_COME), now, JSON.stringify(jobsThatAre({ event: "completed" }))],
  );
  return booked + overdue;
}
