/** What leads set going, in SQLite. */
import type { Database } from "bun:sqlite";
import type { JobKind } from "../vocabulary.ts";
import type { RetryOutcome, WaitingJob } from "./store.ts";

interface JobRow {
  id: number;
  kind: JobKind;
  due_at: number;
  created_at: number;
  attempts: number;
  last_error: string | null;
  lead_id: string;
  reference: string;
  lead_kind: string;
  name: string;
}

export function jobsThat(db: Database, status: "waiting" | "failed", limit: number): WaitingJob[] {
  return db
    .query<JobRow, [number]>(
      // The status stands in the statement, so that the partial index of that status is used.
      `SELECT jobs.id, jobs.kind, due_at, jobs.created_at, attempts, last_error, lead_id, reference, leads.kind AS lead_kind, name
       FROM jobs JOIN leads ON leads.id = lead_id WHERE jobs.status = '${status}' ORDER BY due_at, jobs.id LIMIT ?`,
    )
    .all(limit)
    .map((row) => ({
      id: row.id,
      kind: row.kind,
      dueAt: row.due_at,
      createdAt: row.created_at,
      attempts: row.attempts,
      lastError: row.last_error,
      lead: { id: row.lead_id, reference: row.reference, kind: row.lead_kind, name: row.name },
    }));
}

export function countWaitingJobs(db: Database): { count: number; oldestDueAt: number | null } {
  return (
    db
      .query<{ count: number; oldestDueAt: number | null }, []>(
        "SELECT count(*) AS count, min(due_at) AS oldestDueAt FROM jobs WHERE status = 'waiting'",
      )
      .get() ?? { count: 0, oldestDueAt: null }
  );
}

/** The caller holds the transaction. */
export function retryJob(db: Database, id: number, at: number): RetryOutcome {
  const job = db
    .query<{ status: "waiting" | "failed" | "done" | "lapsed" }, [number]>("SELECT status FROM jobs WHERE id = ?")
    .get(id);
  if (!job) return { kind: "unknown" };
  if (job.status === "done" || job.status === "lapsed") return { kind: "refused", status: job.status };
  db.query("UPDATE jobs SET status = 'waiting', due_at = ? WHERE id = ?").run(at, id);
  return { kind: "due" };
}
