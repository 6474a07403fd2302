/** What leads set going, in SQLite. */
import type { Database } from "bun:sqlite";
import { CUSTOMER_MESSAGES, JOB_KINDS, type JobKind } from "../vocabulary.ts";
import type { DueJob, RetryOutcome, WaitingJob } from "./store.ts";

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
  lead_kind: string;
  name: string;
}

export function jobsThat(
  db: Database,
  status: "waiting" | "failed",
  limit: number,
  kinds: readonly JobKind[] = JOB_KINDS,
): WaitingJob[] {
  return db
    .query<JobRow, [string, number]>(
      // The status stands in the statement, so that the partial index of that status is used.
      `SELECT jobs.id, jobs.kind, due_at, jobs.created_at, attempts, last_error, payload, lead_id, reference, leads.kind AS lead_kind, name
       FROM jobs JOIN leads ON leads.id = lead_id WHERE jobs.status = '${status}' AND jobs.kind IN (SELECT value FROM json_each(?))
       ORDER BY due_at, jobs.id LIMIT ?`,
    )
    .all(JSON.stringify(kinds), limit)
    .map((row) => ({
      id: row.id,
      kind: row.kind,
      dueAt: row.due_at,
      createdAt: row.created_at,
      attempts: row.attempts,
      lastError: row.last_error,
      payload: JSON.parse(row.payload) as unknown,
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

/** The caller holds the transaction. */
export function retryJob(db: Database, id: number, at: number): RetryOutcome {
  const job = db
    .query<{ status: "waiting" | "failed" | "done" | "lapsed" }, [number]>("SELECT status FROM jobs WHERE id = ?")
    .get(id);
  if (!job) return { kind: "unknown" };
  if (job.status === "done" || job.status === "lapsed") return { kind: "refused", status: job.status };
  // Its days of trying begin anew. What was tried may have arrived: a look is cheaper than a second message.
  db.query(
    "UPDATE jobs SET status = 'waiting', due_at = ?2, next_at = ?2, doubtful = (doubtful OR attempts > 0), attempts = 0 WHERE id = ?1",
  ).run(id, at);
  return { kind: "due" };
}

const IS_DUE = `status = 'waiting' AND next_at <= ?1 AND (claimed_until IS NULL OR claimed_until <= ?1)
  AND kind IN (SELECT value FROM json_each(?2))`;

/** Whether a claim would find anything; it spares the others a write lock. */
export function hasDueJobs(db: Database, kinds: readonly JobKind[], now: number): boolean {
  return db.query(`SELECT 1 FROM jobs WHERE ${IS_DUE} LIMIT 1`).get(now, JSON.stringify(kinds)) !== null;
}

/** The caller holds the transaction. */
export function claimJobs(
  db: Database,
  { kinds, now, until, limit }: { kinds: readonly JobKind[]; now: number; until: number; limit: number },
): DueJob[] {
  db.query(
    `UPDATE jobs SET status = 'lapsed' WHERE ${IS_DUE}
     AND kind IN (SELECT value FROM json_each(?3))
     AND lead_id IN (SELECT lead_id FROM bookings WHERE status <> 'confirmed' OR start_at <= ?1)`,
  ).run(now, JSON.stringify(kinds), JSON.stringify(CUSTOMER_MESSAGES));
  return db
    .query<
      Omit<DueJob, "doubtful" | "payload"> & { doubtful: number; payload: string },
      [number, string, number, number]
    >(
      // A claim that was never settled means that the process died in the attempt.
      `UPDATE jobs SET attempts = attempts + 1, doubtful = (doubtful OR claimed_until IS NOT NULL), claimed_until = ?3
       WHERE id IN (SELECT id FROM jobs WHERE ${IS_DUE} ORDER BY next_at, id LIMIT ?4)
       RETURNING id, kind, payload, attempts, doubtful, due_at AS dueAt, created_at AS createdAt`,
    )
    .all(now, JSON.stringify(kinds), until, limit)
    .map((row) => ({ ...row, doubtful: row.doubtful === 1, payload: JSON.parse(row.payload) as unknown }));
}

export function finishJob(db: Database, id: number, status: "done" | "failed", reason: string | null): void {
  db.query("UPDATE jobs SET status = ?, last_error = ?, claimed_until = NULL WHERE id = ?").run(status, reason, id);
}

export function postponeJob(db: Database, id: number, nextAt: number, reason: string, doubtful: boolean): void {
  db.query("UPDATE jobs SET next_at = ?, last_error = ?, doubtful = ?, claimed_until = NULL WHERE id = ?").run(
    nextAt,
    reason,
    doubtful ? 1 : 0,
    id,
  );
}
