/** Leads in SQLite. Functions that write run inside the transaction of their caller. */
import type { Database } from "bun:sqlite";
import { type LeadStatus, leadMayBecome, reachedBy } from "../../domain/lifecycle.ts";
import { newId } from "../../lib/ids.ts";
import { LEAD_KINDS } from "../../vocabulary.ts";
import type { AddOutcome, Lead, LeadCursor, LeadInFull, LeadMove, NewLead, StoredAnswer } from "../store.ts";
import { insertJob, lapse } from "./jobs.ts";

/** Writes a lead with the jobs it triggers. @returns false when the reference is in use */
export function insertLead(db: Database, lead: NewLead): boolean {
  const { changes } = db
    .query(
      `INSERT INTO leads (id, reference, kind, name, phone, email, service_type, details, consent, key_id, agent_class, user_agent, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING`,
    )
    .run(
      lead.id,
      lead.reference,
      lead.kind,
      lead.name,
      lead.phone,
      lead.email,
      lead.serviceType,
      JSON.stringify(lead.details),
      lead.consent && JSON.stringify(lead.consent),
      lead.keyId,
      lead.agentClass,
      lead.userAgent,
      lead.createdAt,
    );
  if (changes === 0) return false;
  for (const job of lead.jobs) insertJob(db, lead.id, job, lead.createdAt);
  return true;
}

/** Writes a lead of its own, unless its request was answered before. */
export function addLead(db: Database, lead: NewLead): AddOutcome {
  const { request } = lead;
  const earlier = request && findEarlierLead(db, request.scope, request.id);
  if (earlier) return { kind: "earlier", earlier };
  if (!insertLead(db, lead)) return { kind: "code_in_use" };
  if (request) {
    db.query(
      "UPDATE leads SET request_scope = ?, request_id = ?, request_hash = ?, request_answer = ? WHERE id = ?",
    ).run(request.scope, request.id, request.bodyHash, JSON.stringify(request.answer), lead.id);
  }
  return { kind: "added" };
}

export function findEarlierLead(db: Database, scope: string, id: string): StoredAnswer | null {
  const row = db
    .query<{ request_hash: string; request_answer: string }, [string, string]>(
      "SELECT request_hash, request_answer FROM leads WHERE request_scope = ? AND request_id = ?",
    )
    .get(scope, id);
  return row && { bodyHash: row.request_hash, answer: JSON.parse(row.request_answer) as unknown };
}

/** Which of these references are in use. */
export function referencesInUse(db: Database, references: readonly string[]): string[] {
  return db
    .query<{ reference: string }, [string]>(
      "SELECT reference FROM leads WHERE reference IN (SELECT value FROM json_each(?))",
    )
    .all(JSON.stringify(references))
    .map(({ reference }) => reference);
}

// INDEXED BY: SQLite would read all waiting reminders for each lead.
const LEAD = `leads.id, reference, kind, leads.status, name, leads.phone, email, service_type AS serviceType, leads.created_at AS createdAt,
  (SELECT min(due_at) FROM jobs INDEXED BY jobs_by_lead
     WHERE lead_id = leads.id AND jobs.status = 'waiting' AND jobs.kind = 'remind_owner') AS nextFollowUpAt,
  confirmation_code AS confirmationCode, agent_class AS agentClass`;
const LEADS = "leads LEFT JOIN bookings ON lead_id = leads.id";

export function listLeads(
  db: Database,
  statuses: readonly LeadStatus[],
  limit: number,
  after: LeadCursor = { createdAt: Number.MAX_SAFE_INTEGER, id: "" },
  kinds: readonly NewLead["kind"][] = LEAD_KINDS,
): Lead[] {
  // One query per state and kind follows the index in order; one query for all would sort every lead.
  const page = db.query<Lead, [LeadStatus, NewLead["kind"], number, number, string, number]>(
    `SELECT ${LEAD} FROM ${LEADS}
     WHERE leads.status = ? AND kind = ? AND leads.created_at <= ? AND (leads.created_at < ? OR leads.id > ?)
     ORDER BY leads.created_at DESC, leads.id LIMIT ?`,
  );
  return statuses
    .flatMap((status) =>
      kinds.flatMap((kind) => page.all(status, kind, after.createdAt, after.createdAt, after.id, limit)),
    )
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

type LeadRow = Omit<LeadInFull, "details" | "consent" | "history"> & { details: string; consent: string | null };

export function findLead(db: Database, name: string): LeadInFull | null {
  const row = db
    .query<LeadRow, [string, string]>(
      `SELECT ${LEAD}, details, consent, leads.key_id AS keyId, user_agent AS userAgent
       FROM ${LEADS} WHERE leads.id = ? OR reference = ?`,
    )
    .get(name, name);
  if (!row) return null;
  const history = db
    .query<LeadInFull["history"][number], [string]>(
      "SELECT status, note, at FROM lead_events WHERE lead_id = ? ORDER BY id",
    )
    .all(row.id);
  return {
    ...row,
    details: JSON.parse(row.details) as unknown,
    consent: row.consent === null ? null : (JSON.parse(row.consent) as unknown),
    history,
  };
}

/** Whether the CRM was told of this lead. Only then is it told of changes. */
export function isPushed(db: Database, leadId: string): boolean {
  return db.query("SELECT 1 FROM jobs WHERE lead_id = ? AND kind = 'push_to_crm' LIMIT 1").get(leadId) !== null;
}

export function moveLead(db: Database, id: string, to: LeadStatus, note: string | null, at: number): LeadMove {
  const lead = findLead(db, id);
  if (!lead) return { kind: "unknown" };
  const addsNote = lead.status === to && note !== null;
  if (!leadMayBecome(lead.status, to) && !addsNote) return { kind: "refused", lead };
  db.query("UPDATE leads SET status = ? WHERE id = ?").run(to, lead.id);
  db.query("INSERT INTO lead_events (lead_id, status, note, at) VALUES (?, ?, ?, ?)").run(lead.id, to, note, at);
  const { changes: lapsed } = db
    .query(
      `UPDATE jobs SET ${lapse("its lead was contacted")}
       WHERE lead_id = ? AND status IN ('waiting', 'failed')
         AND coalesce(unless, iif(kind = 'remind_owner', 'contacted', NULL)) IN (SELECT value FROM json_each(?))`,
    )
    .run(lead.id, JSON.stringify(reachedBy(to)));
  const moved = findLead(db, lead.id) ?? lead;
  if (isPushed(db, lead.id)) {
    const payload = { id: newId("evt"), type: "lead.updated" as const, lead: moved, note, at };
    insertJob(db, lead.id, { kind: "push_to_crm", unless: null, payload, dueAt: at }, at);
  }
  return { kind: "moved", lead: moved, lapsed };
}
