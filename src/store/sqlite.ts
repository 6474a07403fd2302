import type { Database } from "bun:sqlite";
import type { JobKind } from "../vocabulary.ts";
import { book, busyBetween, findEarlier, quotaUse } from "./bookings.ts";
import { inTransaction, openDatabase } from "./database.ts";
import { insertLead } from "./leads.ts";
import type { ApiKey, Store, WaitingJob } from "./store.ts";

/** The store in one SQLite file. @param folder where `tintdesk.db` lives, or `:memory:` */
export function openSqliteStore(folder: string): Store {
  const db = openDatabase(folder);
  return {
    findEarlier: async (scope, id) => findEarlier(db, scope, id),
    quotaUse: async (quotas) => quotaUse(db, quotas),
    busyBetween: async (from, until) => busyBetween(db, from, until),
    book: (booking, bays, quotas) => inTransaction(db, () => book(db, booking, bays, quotas)),
    addLead: (lead) => inTransaction(db, () => insertLead(db, lead)),
    addKey: (key) =>
      inTransaction(db, () => {
        const { changes } = db
          .query(
            `INSERT INTO api_keys (id, hash, prefix, name, email, email_key, use_case, rate_per_minute, created_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
          )
          .run(
            key.id,
            key.hash,
            key.prefix,
            key.name,
            key.email,
            key.email.toLowerCase(),
            key.useCase,
            key.ratePerMinute,
            key.createdAt,
          );
        return changes === 1;
      }),
    findKey: async (hash) => findKey(db, hash),
    waitingJobs: async (limit) => waitingJobs(db, limit),
    countWaitingJobs: async () =>
      db
        .query<{ count: number; oldestDueAt: number | null }, []>(
          "SELECT count(*) AS count, min(due_at) AS oldestDueAt FROM jobs WHERE status = 'waiting'",
        )
        .get() ?? { count: 0, oldestDueAt: null },
    checkWritable: () => inTransaction(db, () => void db.run("UPDATE heartbeat SET beats = beats + 1")),
    close: async () => db.close(),
  };
}

function findKey(db: Database, hash: string): ApiKey | null {
  const row = db
    .query<{ id: string; rate_per_minute: number | null; revoked_at: number | null }, [string]>(
      "SELECT id, rate_per_minute, revoked_at FROM api_keys WHERE hash = ?",
    )
    .get(hash);
  return row && { id: row.id, ratePerMinute: row.rate_per_minute, revoked: row.revoked_at !== null };
}

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

function waitingJobs(db: Database, limit: number): WaitingJob[] {
  return db
    .query<JobRow, [number]>(
      `SELECT jobs.id, jobs.kind, due_at, jobs.created_at, attempts, last_error, lead_id, reference, leads.kind AS lead_kind, name
       FROM jobs JOIN leads ON leads.id = lead_id WHERE jobs.status = 'waiting' ORDER BY due_at, jobs.id LIMIT ?`,
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
