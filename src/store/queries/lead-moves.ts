/** Moving a lead forward. This function runs inside the transaction of its caller. */
import { type LeadStatus, leadMayBecome, reachedBy } from "../../domain/lifecycle.ts";
import { newId } from "../../lib/ids.ts";
import type { LeadMove } from "../store.ts";
import { refreshUnsent } from "./crm-pushes.ts";
import { insertJob, lapse } from "./jobs.ts";
import { findLead, isPushed } from "./leads.ts";
import { run, type Steps } from "./steps.ts";

export function* moveLead(id: string, to: LeadStatus, note: string | null, at: number): Steps<LeadMove> {
  const lead = yield* findLead(id);
  if (!lead) return { kind: "unknown" };
  const addsNote = lead.status === to && note !== null;
  if (!leadMayBecome(lead.status, to) && !addsNote) return { kind: "refused", lead };
  yield* run("UPDATE leads SET status = ? WHERE id = ?", to, lead.id);
  yield* run("INSERT INTO lead_events (lead_id, status, note, at) VALUES (?, ?, ?, ?)", lead.id, to, note, at);
  const lapsed = yield* run(
    `UPDATE jobs SET ${lapse("its lead was contacted")}
       WHERE lead_id = ? AND status IN ('waiting', 'failed')
         AND coalesce(unless, CASE WHEN kind = 'remind_owner' THEN 'contacted' END) IN (SELECT value FROM json_each(?))`,
    lead.id,
    JSON.stringify(reachedBy(to)),
  );
  const moved = (yield* findLead(lead.id)) ?? lead;
  yield* refreshUnsent(moved);
  if (yield* isPushed(lead.id)) {
    const payload = { id: newId("evt"), type: "lead.updated" as const, lead: moved, note, at };
    yield* insertJob(lead.id, { kind: "push_to_crm", unless: null, payload, dueAt: at }, at);
  }
  return { kind: "moved", lead: moved, lapsed };
}
