/** The events of a booking for the CRM, in SQLite. Runs inside the transaction of the caller. */
import type { Database } from "bun:sqlite";
import { newId } from "../../lib/ids.ts";
import type { LeadChange } from "../payloads.ts";
import type { Booking } from "../records.ts";
import { insertJob } from "./jobs.ts";
import { findLead, isPushed } from "./leads.ts";

/** Only a CRM that knows of the booking is told of the change. */
export function tellCrm(
  db: Database,
  type: Exclude<LeadChange["type"], "lead.created" | "booking.created">,
  { confirmationCode, status, startAt, endAt, cancelReason, lead: { id } }: Booking,
  previousStartAt: number | null,
  at: number,
): void {
  const lead = findLead(db, id);
  if (!lead || !isPushed(db, id)) return;
  const booking = { confirmationCode, status, startAt, endAt, previousStartAt, reason: cancelReason };
  const payload = { id: newId("evt"), type, lead, note: null, at, booking };
  insertJob(db, id, { kind: "push_to_crm", unless: null, payload, dueAt: at }, at);
}
