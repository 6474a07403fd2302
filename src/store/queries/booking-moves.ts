/** Ending and reopening bookings in SQLite. These functions run inside the transaction of their caller. */
import type { Database } from "bun:sqlite";
import { mostAtOnce } from "../../domain/bays.ts";
import {
  type BookingStatus,
  bookingMayBecome,
  isCancelled,
  isTooEarly,
  type LeadStatus,
  leadMayBecome,
  reachedBy,
} from "../../domain/lifecycle.ts";
import type { BookingMove, BookingReopening, Ending } from "../store.ts";
import { tellCrm } from "./booking-events.ts";
import { busyBetween, findBooking } from "./bookings.ts";
import { insertJob, lapse } from "./jobs.ts";
import { findLead } from "./leads.ts";
import { lapseShopTexts } from "./rewording.ts";

export function moveBooking(
  db: Database,
  confirmationCode: string,
  to: BookingStatus,
  at: number,
  { jobs = [], paid = null }: Ending = {},
): BookingMove {
  const outcome = endBooking(db, confirmationCode, to, at);
  if (outcome.kind !== "moved") return outcome;
  const { id, lead, changes } = outcome.booking;
  // The calendar entry that a cancellation corrects needs a higher number.
  const changed = isCancelled(to) ? changes + 1 : changes;
  db.query("UPDATE bookings SET changes = ?, paid = ?, paid_by = ? WHERE id = ?").run(
    changed,
    paid?.amount ?? null,
    paid?.by ?? null,
    id,
  );
  for (const job of jobs) insertJob(db, lead.id, job, at);
  const booking = { ...outcome.booking, changes: changed, paid };
  if (to !== "confirmed") tellCrm(db, EVENTS[to], booking, null, at);
  return { kind: "moved", booking };
}

const EVENTS = {
  completed: "booking.completed",
  no_show: "booking.no_show",
  cancelled_by_shop: "booking.cancelled",
  cancelled_by_customer: "booking.cancelled",
} as const;

type BookingEnd =
  | Exclude<BookingMove, { kind: "moved" }>
  /** `neverTold`: the shop's text about the new booking was still waiting, and lapsed. */
  | (Extract<BookingMove, { kind: "moved" }> & { neverTold: boolean });

/** Ends a booking without telling anybody. The lead follows. */
export function endBooking(db: Database, confirmationCode: string, to: BookingStatus, at: number): BookingEnd {
  const booking = findBooking(db, confirmationCode);
  if (!booking) return { kind: "unknown" };
  if (!bookingMayBecome(booking.status, to)) return { kind: "refused", booking };
  if (isTooEarly(booking, to, at)) return { kind: "too_early", booking };
  db.query("UPDATE bookings SET status = ?, ended_at = ? WHERE id = ?").run(to, at, booking.id);
  // The owner needs no reminder of work that is over. INDEXED BY: SQLite would read all waiting reminders.
  db.query(
    `UPDATE jobs INDEXED BY jobs_by_lead SET ${lapse("its booking ended")}
     WHERE lead_id = ? AND kind = 'remind_owner' AND status = 'waiting'`,
  ).run(booking.lead.id);
  followBooking(db, booking.lead.id, to === "completed" ? "won" : "lost", at);
  const neverTold = lapseShopTexts(db, booking.lead.id);
  return { kind: "moved", booking: { ...booking, status: to, endedAt: at }, neverTold };
}

/** The note of a lead that ended with its booking, so that both can be reopened together. */
const WITH_BOOKING = "with its booking";

function followBooking(db: Database, leadId: string, to: LeadStatus, at: number): void {
  const from = findLead(db, leadId)?.status;
  if (from === undefined || !leadMayBecome(from, to)) return;
  setLead(db, leadId, to, at);
}

/** Takes back `followBooking`; a lead that the owner ended stays. */
function unfollowBooking(db: Database, leadId: string, at: number): void {
  const [last, before] = findLead(db, leadId)?.history.toReversed() ?? [];
  if (last?.note === WITH_BOOKING && !leadMayBecome(last.status, "won"))
    setLead(db, leadId, before?.status ?? "new", at);
}

function setLead(db: Database, id: string, status: LeadStatus, at: number): void {
  db.query("UPDATE leads SET status = ? WHERE id = ?").run(status, id);
  db.query("INSERT INTO lead_events (lead_id, status, note, at) VALUES (?, ?, ?, ?)").run(id, status, WITH_BOOKING, at);
}

export function reopenBooking(db: Database, confirmationCode: string, bays: number, at: number): BookingReopening {
  const booking = findBooking(db, confirmationCode);
  if (!booking) return { kind: "unknown" };
  const { id, status, startAt, busyUntil, lead } = booking;
  if (status === "confirmed") return { kind: "refused", booking };
  // Completed and missed bookings never gave their bay away.
  const busy = isCancelled(status) ? busyBetween(db, startAt, busyUntil) : [];
  if (mostAtOnce(busy, startAt, busyUntil) >= bays) return { kind: "taken", booking };
  // The calendar entry that the cancellation corrected comes back with a higher number.
  const changes = isCancelled(status) ? booking.changes + 1 : booking.changes;
  db.query(
    "UPDATE bookings SET changes = ?, status = 'confirmed', ended_at = NULL, cancel_reason = NULL, paid = NULL, paid_by = NULL WHERE id = ?",
  ).run(changes, id);
  unfollowBooking(db, lead.id, at);
  // Nobody needs to hear now that it was cancelled or done.
  db.query(
    `UPDATE jobs INDEXED BY jobs_by_lead SET ${lapse("its booking was reopened")}
     WHERE lead_id = ? AND status = 'waiting' AND kind IN ('cancelled_sms', 'cancelled_email', 'aftercare_sms', 'review_sms')`,
  ).run(lead.id);
  // Restore the reminders that lapsed with the booking, unless the lead has moved on meanwhile.
  db.query(
    `UPDATE jobs SET status = 'waiting', last_error = NULL WHERE lead_id = ? AND kind = 'remind_owner' AND status = 'lapsed'
       AND coalesce(unless, 'contacted') NOT IN (SELECT value FROM json_each(?))`,
  ).run(lead.id, JSON.stringify(reachedBy(findLead(db, lead.id)?.status ?? "lost")));
  const reopened = { ...booking, changes, status: "confirmed" as const, endedAt: null, cancelReason: null, paid: null };
  tellCrm(db, "lead.updated", reopened, null, at);
  return { kind: "reopened", booking: reopened };
}
