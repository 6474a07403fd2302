/** Ending and reopening bookings. These functions run inside the transaction of their caller. */
import { mostAtOnce } from "../../domain/bays.ts";
import {
  type BookingStatus,
  bookingMayBecome,
  isCancelled,
  isTooEarly,
  type LeadStatus,
  OPEN_LEADS,
  reachedBy,
  WITH_BOOKING,
} from "../../domain/lifecycle.ts";
import { type Booking, busyBetween, findBooking } from "./bookings.ts";
import { tellCrm } from "./crm-pushes.ts";
import { insertJobs, lapseOf, type NewJob } from "./jobs.ts";
import { findLead, setStatus } from "./leads.ts";
import { addPayments, type NewPayment, paymentsOf, undoPaymentsOfEnd } from "./payments.ts";
import { lapseOldChanges, lapseShopTexts } from "./rewording.ts";
import { get, run, type Steps } from "./steps.ts";

/** The messages to send when a booking ends, and what is paid then. */
export interface Ending {
  jobs?: readonly NewJob[];
  payments?: readonly NewPayment[];
}

export type BookingMove =
  | { kind: "moved"; booking: Booking }
  | { kind: "refused"; booking: Booking }
  /** The appointment has not begun, so it can be neither completed nor missed. */
  | { kind: "too_early"; booking: Booking }
  | { kind: "unknown" };

export type BookingReopening =
  | { kind: "reopened"; booking: Booking }
  /** The booking is confirmed, so there is nothing to reopen. */
  | { kind: "refused"; booking: Booking }
  /** Other bookings took its time. */
  | { kind: "taken"; booking: Booking }
  | { kind: "unknown" };

/**
 * Ends a confirmed booking. Its bay is free from then on. Before the appointment begins, a booking can only be cancelled. The
 * lead follows: won when completed, otherwise lost. A CRM that knows of the booking is told.
 */
export function* changeBookingStatus(
  confirmationCode: string,
  to: BookingStatus,
  at: number,
  { jobs = [], payments = [] }: Ending = {},
): Steps<BookingMove> {
  const outcome = yield* endBooking(confirmationCode, to, at);
  if (outcome.kind !== "moved") return outcome;
  const { id, lead, changes } = outcome.booking;
  // The calendar entry that a cancellation corrects needs a higher number.
  const changed = isCancelled(to) ? changes + 1 : changes;
  yield* run("UPDATE bookings SET changes = ? WHERE id = ?", changed, id);
  yield* insertJobs(lead.id, jobs, at);
  const all = payments.length > 0 ? yield* addPayments(lead.id, payments, at) : outcome.booking.payments;
  const booking = { ...outcome.booking, changes: changed, payments: all };
  if (to !== "confirmed") yield* tellCrm(EVENTS[to], booking, null, at);
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
  /** `neverSent`: the shop's text about the new booking was still waiting, and lapsed. */
  | (Extract<BookingMove, { kind: "moved" }> & { neverSent: boolean });

/** Ends a booking without telling anybody. The lead follows. */
export function* endBooking(confirmationCode: string, to: BookingStatus, at: number): Steps<BookingEnd> {
  const booking = yield* findBooking(confirmationCode);
  if (!booking) return { kind: "unknown" };
  if (!bookingMayBecome(booking.status, to)) return { kind: "refused", booking };
  if (isTooEarly(booking, to, at)) return { kind: "too_early", booking };
  yield* run("UPDATE bookings SET status = ?, ended_at = ? WHERE id = ?", to, at, booking.id);
  // The owner needs no reminder of work that is over.
  const reminders = "kind IN ('remind_owner', 'remind_owner_notice') AND status = 'waiting'";
  yield* lapseOf(booking.lead.id, "its booking ended", reminders);
  yield* followBooking(booking.lead.id, to === "completed" ? "won" : "lost", at);
  const neverSent = yield* lapseShopTexts(booking.lead.id);
  return { kind: "moved", booking: { ...booking, status: to, endedAt: at }, neverSent };
}

/** Whether a message that the booking was cancelled may have reached its customer. */
function* wasEndAnnounced({ lead, endedAt }: Booking): Steps<boolean> {
  const found = yield* get(
    `SELECT 1 FROM jobs INDEXED BY jobs_by_lead
     WHERE lead_id = ? AND kind IN ('cancelled_sms', 'cancelled_email') AND created_at >= ?
       AND (status = 'done' OR attempts > 0) LIMIT 1`,
    lead.id,
    endedAt ?? 0,
  );
  return found !== null;
}

function* followBooking(leadId: string, to: LeadStatus, at: number): Steps<void> {
  const from = (yield* findLead(leadId))?.status;
  // A lead that the owner ended stays.
  if (from === undefined || !OPEN_LEADS.includes(from)) return;
  yield* setStatus(leadId, to, WITH_BOOKING, at);
}

/** Takes back `followBooking`; a lead that the owner ended stays. */
function* unfollowBooking(leadId: string, at: number): Steps<void> {
  const [last, before] = (yield* findLead(leadId))?.history.toReversed() ?? [];
  if (last?.note === WITH_BOOKING && !OPEN_LEADS.includes(last.status))
    yield* setStatus(leadId, before?.status ?? "new", WITH_BOOKING, at);
}

/**
 * Makes an ended booking confirmed again; a cancelled one only while a bay is free for its whole time, another one for what is
 * left of it, and what was paid as it was completed is taken back. Reminders to the owner that lapsed with the booking wait again, and its lead is open again.
 * @param jobs for a customer who was told that the booking was cancelled
 */
export function* reopenBooking(
  confirmationCode: string,
  bays: number,
  at: number,
  jobs: readonly NewJob[] = [],
): Steps<BookingReopening> {
  const booking = yield* findBooking(confirmationCode);
  if (!booking) return { kind: "unknown" };
  const { id, status, startAt, busyUntil, lead } = booking;
  if (status === "confirmed") return { kind: "refused", booking };
  // One that was completed or missed kept its bay until then. What others did in it before now is over.
  const from = isCancelled(status) ? startAt : Math.max(booking.endedAt ?? startAt, at);
  const busy = from < busyUntil ? yield* busyBetween(from, busyUntil) : [];
  if (mostAtOnce(busy, from, busyUntil) >= bays) return { kind: "taken", booking };
  // The calendar entry that the cancellation corrected comes back with a higher number.
  const changes = isCancelled(status) ? booking.changes + 1 : booking.changes;
  yield* run(
    "UPDATE bookings SET changes = ?, status = 'confirmed', ended_at = NULL, cancel_reason = NULL WHERE id = ?",
    changes,
    id,
  );
  yield* undoPaymentsOfEnd(lead.id, booking.endedAt ?? at, at);
  yield* unfollowBooking(lead.id, at);
  if (yield* wasEndAnnounced(booking)) yield* insertJobs(lead.id, jobs, at);
  yield* lapseOldChanges(lead.id);
  // Nobody needs to hear now that it was cancelled or done.
  const ofTheEnd = "status = 'waiting' AND kind IN ('cancelled_sms', 'cancelled_email', 'aftercare_sms', 'review_sms')";
  yield* lapseOf(lead.id, "its booking was reopened", ofTheEnd);
  // Restore the reminders that lapsed with the booking, unless the lead has moved on meanwhile.
  const leadStatus = (yield* findLead(lead.id))?.status ?? "lost";
  yield* run(
    `UPDATE jobs SET status = 'waiting', last_error = NULL WHERE lead_id = ? AND kind = 'remind_owner' AND status = 'lapsed'
       AND coalesce(unless, 'contacted') NOT IN (SELECT value FROM json_each(?))`,
    lead.id,
    JSON.stringify(reachedBy(leadStatus)),
  );
  const payments = (yield* paymentsOf([lead.id]))(lead.id);
  const reopened = { ...booking, changes, status: "confirmed" as const, endedAt: null, cancelReason: null, payments };
  yield* tellCrm("lead.updated", reopened, null, at);
  return { kind: "reopened", booking: reopened };
}
