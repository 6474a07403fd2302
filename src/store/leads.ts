import type { Database } from "bun:sqlite";
import type { NewLead } from "./store.ts";

/** Writes a lead and its jobs; the caller holds the transaction. */
export function insertLead(db: Database, lead: NewLead): void {
  db.query(
    `INSERT INTO leads (id, reference, kind, name, phone, email, service_type, details, consent, key_id, agent_class, user_agent, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
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
  const insertJob = db.query("INSERT INTO jobs (lead_id, kind, unless, due_at, created_at) VALUES (?, ?, ?, ?, ?)");
  for (const job of lead.jobs) insertJob.run(lead.id, job.kind, job.unless, job.dueAt, lead.createdAt);
}
