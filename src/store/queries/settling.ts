/** The results of attempts at jobs. These functions run inside the transaction of their caller. */
import type { Settled } from "../records/jobs.ts";
import { afterFailure } from "./delivery-status.ts";
import { insertJobs } from "./jobs.ts";
import { all, run, type Steps } from "./steps.ts";
import { storeClock } from "./store-clock.ts";

/** Twilio is asked for the first time so long after it took a text. */
const FIRST_ASKED_MS = 5_000;

/** An attempt that is not the latest one settles nothing: the job belongs to the attempt after it, or is done. */
const IS_LATEST = "id = ?1 AND attempts = ?2 AND due_at = ?3 AND status <> 'done'";

/**
 * Writes the result of an attempt. A delivered attempt ends its job even when its result comes late: nobody should send the
 * message again. Any other result counts only while the attempt is the job's latest: a process that slept past its claim must
 * not settle the attempt of another. When another job owns the same `messageSid`, the job stays claimed and later comes back
 * as doubtful.
 * @param isMailOn whether a confirmation or reminder that failed as a text goes by e-mail
 * @returns whether the result was written
 */
export function* settleJob(job: Settled, isMailOn = false): Steps<boolean> {
  switch (job.kind) {
    case "done":
      // Also for a job that lapsed during its attempt. Another job may own that message already.
      return (
        (yield* run(
          `UPDATE jobs SET status = 'done', payload = CASE WHEN ?1 IS NULL THEN '{}' ELSE payload END, message_sid = ?1,
             arrival = CASE WHEN ?1 IS NULL THEN NULL ELSE 'sent' END,
             ask_at = CASE WHEN ?1 IS NULL THEN NULL ELSE touched_at + ${FIRST_ASKED_MS} END, last_error = NULL, claimed_until = NULL
           WHERE id = ?2 AND status <> 'done' AND NOT EXISTS (SELECT 1 FROM jobs WHERE message_sid = ?1)`,
          job.messageSid,
          job.id,
        )) > 0
      );
    case "spread": {
      const [spread] = yield* all<{ leadId: string }>(
        `UPDATE jobs SET status = 'done', payload = '{}', last_error = NULL, claimed_until = NULL
         WHERE ${IS_LATEST} AND status = 'waiting' RETURNING lead_id AS leadId`,
        job.id,
        job.attempts,
        job.dueAt,
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
        job.id,
        job.attempts,
        job.dueAt,
        job.reason,
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
          job.id,
          job.attempts,
          job.dueAt,
          at + job.pauseMs,
          at,
          job.reason,
          job.doubtful ? 1 : 0,
          job.triedMs,
        )) > 0
      );
    }
  }
}
