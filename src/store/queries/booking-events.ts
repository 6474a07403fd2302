/** The events of a booking for the CRM. Runs inside the transaction of the caller. */
import { newId } from "../../lib/ids.ts";
import type { Booking } from "../records/bookings.ts";
import type { LeadChange } from "../records/payloads.ts";
import { insertJob } from "./jobs.ts";
import { findLead, isPushed } from "./leads.ts";
import type { Steps } from "./steps.ts";

/** Only a CRM that knows of the booking is told of the change. */
export function* tellCrm(
  type: Exclude<LeadChange["type"], "lead.created" | "booking.created">,
  { confirmationCode, status, startAt, endAt, cancelReason, lead: { id } }: Booking,
  previousStartAt: number | null,
  at: number,
): Steps<void> {
  const lead = yield* findLead(id);
  if (!lead || !(yield* isPushed(id))) return;
  const booking = { confirmationCode, status, startAt, endAt, previousStartAt, reason: cancelReason };
  const payload = { id: newId("evt"), type, lead, note: null, at, booking };
  yield* insertJob(id, { kind: "push_to_crm", unless: null, payload, dueAt: at }, at);
}
