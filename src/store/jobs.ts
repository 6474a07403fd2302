/** Jobs (the outbox) in SQLite. Functions that write run inside the transaction of their caller. */
import type { Database } from "bun:sqlite";
import { CUSTOMER_MESSAGES, JOB_KINDS, type JobKind } from "../vocabulary.ts";
import { readDelivery } from "./payloads.ts";
import type { Claim, DueJob, JobFilter, NewLead, RetryOutcome, Settled, WaitingJob } from "./store.ts";

interface JobRow {
  id: number;
  kind: JobKind;
  due_at: number;
  created_at: number;
  attempts: number;
  last_error: string | null;
  payload: string;
  lead_id: string;
  reference: string;
  lead_kind: NewLead["kind"];
  name: string;
}

export function jobsThat(
  db: Database,
  status: "waiting" | "failed",
  limit: number,
  { kinds = JOB_KINDS, dueBefore = Number.MAX_SAFE_INTEGER, tried = false }: JobFilter = {},
): WaitingJob[] {
  return db
    .query<JobRow, [string, number, number, number]>(
      // A literal status, not a parameter: the partial index of that status is used only then.
      `SELECT jobs.id, jobs.kind, due_at, jobs.created_at, attempts, last_error, payload, lead_id, reference, leads.kind AS lead_kind, name
       FROM jobs JOIN leads ON leads.id = lead_id WHERE jobs.status = '${status}' AND jobs.kind IN (SELECT value FROM json_each(?))
         AND due_at < ? AND attempts >= ? ORDER BY due_at, jobs.id LIMIT ?`,
    )
    .all(JSON.stringify(kinds), dueBefore, tried ? 1 : 0, limit)
    .map((row) => ({
      id: row.id,
      kind: row.kind,
      dueAt: row.due_at,
      createdAt: row.created_at,
      attempts: row.attempts,
      lastError: row.last_error,
      delivery: readDelivery(row.kind, row.payload),
      lead: { id: row.lead_id, reference: row.reference, kind: row.lead_kind, name: row.name },
    }));
}

export function countDueJobs(
  db: Database,
  kinds: readonly JobKind[],
  now: number,
): { count: number; oldestDueAt: number | null } {
  return (
    db
      .query<{ count: number; oldestDueAt: number | null }, [number, string]>(
        `SELECT count(*) AS count, min(due_at) AS oldestDueAt FROM jobs
         WHERE status = 'waiting' AND due_at <= ? AND kind IN (SELECT value FROM json_each(?))`,
      )
      .get(now, JSON.stringify(kinds)) ?? { count: 0, oldestDueAt: null }
  );
}

export function retryJob(db: Database, id: number, at: number): RetryOutcome {
  const job = db
    .query<{ kind: JobKind; status: "waiting" | "failed" | "done" | "lapsed" }, [number]>(
      "SELECT kind, status FROM jobs WHERE id = ?",
    )
    .get(id);
  if (!job) return { kind: "unknown" };
  if (job.status === "done" || job.status === "lapsed") return { kind: "refused", status: job.status };
  // The days of trying start again. An earlier attempt may have arrived, and a look-up is cheaper than a second message.
  db.query(
    `UPDATE jobs SET status = 'waiting', due_at = ?2, next_at = ?2, doubtful = (doubtful OR attempts > 0), attempts = 0,
       tried_ms = 0
     WHERE id = ?1`,
  ).run(id, at);
  return { kind: job.kind === "remind_owner" ? "reminder" : "due" };
}

const IS_DUE = `status = 'waiting' AND next_at <= ?1 AND (claimed_until IS NULL OR claimed_until <= ?1)
  AND kind IN (SELECT value FROM json_each(?2))`;

/** Whether a claim would find anything. Asked first, because a claim takes the write lock. */
export function hasDueJobs(db: Database, { kinds, now, fresh, retries }: Claim): boolean {
  const found = db
    .query(`SELECT 1 FROM jobs WHERE ${IS_DUE} AND iif(attempts = 0, ?3, ?4) > 0 LIMIT 1`)
    .get(now, JSON.stringify(kinds), fresh, retries);
  return found !== null;
}

export function claimJobs(db: Database, { kinds, now, until, fresh, retries }: Claim): DueJob[] {
  db.query(
    `UPDATE jobs SET status = 'lapsed' WHERE ${IS_DUE}
     AND kind IN (SELECT value FROM json_each(?3))
     AND lead_id IN (SELECT lead_id FROM bookings WHERE status <> 'confirmed' OR start_at <= ?1)`,
  ).run(now, JSON.stringify(kinds), JSON.stringify(CUSTOMER_MESSAGES));
  const longestDue = (which: string, limit: string) =>
    `SELECT id FROM (SELECT id FROM jobs WHERE ${IS_DUE} AND ${which} ORDER BY next_at, id LIMIT ${limit})`;
  return db
    .query<
      Omit<DueJob, "kind" | "doubtful" | "payload"> & { kind: JobKind; doubtful: number; payload: string },
      [number, string, number, number, number]
    >(
      // A claim that was never settled shows that the process died during the attempt.
      `UPDATE jobs SET attempts = attempts + 1, doubtful = (doubtful OR claimed_until IS NOT NULL), claimed_until = ?3,
         first_tried_at = coalesce(first_tried_at, ?1)
       WHERE id IN (${longestDue("attempts = 0", "?4")} UNION ALL ${longestDue("attempts > 0", "?5")})
       RETURNING id, kind, payload, attempts, doubtful, first_tried_at AS firstTriedAt, tried_ms AS triedMs,
         due_at AS dueAt, created_at AS createdAt`,
    )
    .all(now, JSON.stringify(kinds), until, fresh, retries)
    .flatMap(({ kind, payload, doubtful, ...row }) => {
      const delivery = readDelivery(kind, payload);
      if (delivery) return [{ ...row, ...delivery, doubtful: doubtful === 1 }];
      settleJob(db, { id: row.id, kind: "failed", reason: "the stored message cannot be read" });
      return [];
    });
}

export function settleJob(db: Database, job: Settled): void {
  switch (job.kind) {
    case "done":
      // A job that lapsed during the attempt was sent all the same. OR IGNORE: another job may own that message already.
      db.query(
        `UPDATE OR IGNORE jobs SET status = 'done', message_sid = ?, last_error = NULL, claimed_until = NULL WHERE id = ?`,
      ).run(job.messageSid, job.id);
      break;
    case "failed":
      db.query(
        `UPDATE jobs SET status = iif(status = 'waiting', 'failed', status), last_error = ?, claimed_until = NULL
         WHERE id = ?`,
      ).run(job.reason, job.id);
      break;
    case "postponed":
      db.query(
        "UPDATE jobs SET next_at = ?, last_error = ?, doubtful = ?, tried_ms = ?, claimed_until = NULL WHERE id = ?",
      ).run(job.nextAt, job.reason, job.doubtful ? 1 : 0, job.triedMs, job.id);
  }
}

export function settledMessages(db: Database, sids: readonly string[]): string[] {
  return db
    .query<{ sid: string }, [string]>(
      "SELECT message_sid AS sid FROM jobs WHERE message_sid IN (SELECT value FROM json_each(?))",
    )
    .all(JSON.stringify(sids))
    .map(({ sid }) => sid);
}
