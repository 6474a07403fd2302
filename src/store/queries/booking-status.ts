/** Confirming, ending and reopening bookings. These functions run inside the transaction of their caller. */

import { CUSTOMER_MESSAGES, JOBS } from "../../constants.ts";
import { mostAtOnce } from "../../domain/bays.ts";
import {
  type BookingStatus,
  bookingMayBecome,
  heldAsOf,
  isCancelled,
  isOff,
  isOnlyHeld,
  isTooEarly,
  OPEN_LEADS,
  reachedBy,
  WITH_BOOKING,
} from "../../domain/lifecycle.ts";
import { isGivenBack } from "../../domain/payments.ts";
import { fieldsOf } from "../../lib/fields.ts";
import { type Booking, busyBetween, expireHolds, findBooking } from "./bookings.ts";
import { tellCrm } from "./crm-pushes.ts";
import { insertJobs, lapseOf, type NewJob } from "./jobs.ts";
import { followWinner } from "./lead-status.ts";
import { findLead, followBooking, setStatus } from "./leads.ts";
import type { NewDeposit } from "./payments.ts";
import { addPayments, type NewPayment, paymentsOf } from "./payments.ts";
import { lapseOldChanges, lapseShopTexts } from "./rewording.ts";
import { each, get, run, type Steps } from "./steps.ts";

/** The messages of each booking, by its confirmation code. */
type JobsByCode = Readonly<Record<string, readonly NewJob[]>>;

export const statusQueries = {
  writes: {
    confirmHeld,
    changeBookingStatus,
    /** One after the other; outcomes in the same order. */
    reopenBookings: (codes: readonly string[], bays: number, at: number, jobs: JobsByCode = {}) =>
      each(codes, (code) => reopenBooking(code, bays, at, jobs[code])),
  },
};

/** The messages to send when a booking ends, and what is paid then. */
interface Ending {
  jobs?: readonly NewJob[];
  payments?: readonly NewPayment[];
  /** Of the booking for which they were planned: it ends only as long as nobody changed it. */
  changes?: number | undefined;
}

type BookingMove =
  | { kind: "moved"; booking: Booking }
  | { kind: "refused"; booking: Booking }
  /** The appointment has not begun, so it can be neither completed nor missed. */
  | { kind: "too_early"; booking: Booking }
  /** Somebody changed it since its end was planned. */
  | { kind: "outdated"; booking: Booking }
  | { kind: "unknown" };

type BookingReopening =
  /** `neverTold`: the message that it was cancelled still waited, and lapsed. */
  | { kind: "reopened"; booking: Booking; neverTold: boolean }
  /** The booking is confirmed, so there is nothing to reopen; or it was only held, and is to be confirmed. */
  | { kind: "refused"; booking: Booking }
  /** Other bookings took its time. */
  | { kind: "taken"; booking: Booking }
  | { kind: "unknown" };

/** A hold becomes a booking. */
export interface Confirming {
  confirmationCode: string;
  at: number;
  jobs: readonly NewJob[];
  /** What changes of its answer. A repeated request gets the booking as it stands. */
  answer: object;
  /** With it a hold that is over, or was cancelled, is confirmed too, while one of so many bays is free. */
  bays?: number | undefined;
  /** Those of the booking when its messages were planned: a later change makes them outdated. */
  changes: number;
}

export type ConfirmOutcome =
  /** `isNew`: it was not confirmed before. */
  | { kind: "confirmed"; booking: Booking; isNew: boolean }
  /** The hold is over, or the booking was cancelled. */
  | { kind: "over"; booking: Booking }
  /** The hold is over, and other bookings took its time. */
  | { kind: "taken"; booking: Booking }
  /** Somebody changed it since its messages were planned. */
  | { kind: "outdated"; booking: Booking }
  | { kind: "unknown" };

/** Writes the answer for the booking as it is now; the first one stays for repeats. Changes that were planned before are outdated. */
export function* rewriteAnswer(
  { id, changes }: Pick<Booking, "id" | "changes">,
  answer: object,
): Steps<Pick<Booking, "answer" | "changes">> {
  yield* run(
    "UPDATE bookings SET first_answer = coalesce(first_answer, answer), answer = ?, changes = ? WHERE id = ?",
    [JSON.stringify(answer), changes + 1, id],
  );
  return { answer, changes: changes + 1 };
}

/** Confirms a held booking, with the messages of a new one; one that is confirmed stays as it is. */
export function* confirmHeld({ confirmationCode, at, jobs, answer, bays, changes }: Confirming): Steps<ConfirmOutcome> {
  const found = yield* findBooking(confirmationCode);
  if (!found) return { kind: "unknown" };
  const booking = heldAsOf(found, at);
  const { id, lead, status } = booking;
  if (status === "confirmed") return { kind: "confirmed", booking, isNew: false };
  if (isOff(status) && isOnlyHeld(booking) && bays !== undefined) {
    if (!(yield* hasFreeBay(booking, booking.startAt, bays, at))) return { kind: "taken", booking };
  } else if (status !== "held") return { kind: "over", booking };
  if (booking.changes !== changes) return { kind: "outdated", booking };
  yield* run("UPDATE bookings SET status = 'confirmed', ended_at = NULL, cancel_reason = NULL WHERE id = ?", [id]);
  if (isCancelled(status)) yield* lapseNewsOfEnd(lead.id);
  const { held_until: _, payment: __, ...held } = fieldsOf(booking.answer);
  const written = yield* rewriteAnswer(booking, { ...held, status: "confirmed", ...answer });
  yield* unfollowBooking(lead.id, at);
  yield* insertJobs(lead.id, jobs, at);
  return { kind: "confirmed", booking: { ...booking, ...written, status: "confirmed", endedAt: null }, isNew: true };
}

/** Whether one of the bays is free from a moment to the end of a booking that has none; what was over there ends. */
function* hasFreeBay({ busyUntil }: Booking, from: number, bays: number, at: number): Steps<boolean> {
  if (from >= busyUntil) return mostAtOnce([], from, busyUntil) < bays;
  yield* expireHolds(at, { startAt: from, busyUntil });
  return mostAtOnce(yield* busyBetween(from, busyUntil, at), from, busyUntil) < bays;
}

/** Ends a booking: its bay is free, its lead won or lost, its CRM told. Before it begins, it can only be cancelled. */
function* changeBookingStatus(
  confirmationCode: string,
  to: BookingStatus,
  at: number,
  { jobs = [], payments = [], changes: planned }: Ending = {},
): Steps<BookingMove> {
  const outcome = yield* endBooking(confirmationCode, to, at, planned);
  if (outcome.kind !== "moved") return outcome;
  const { id, lead, changes } = outcome.booking;
  // The calendar entry that a cancellation corrects needs a higher number.
  const changed = isCancelled(to) ? changes + 1 : changes;
  yield* run("UPDATE bookings SET changes = ? WHERE id = ?", [changed, id]);
  yield* insertJobs(lead.id, jobs, at);
  const all = payments.length > 0 ? yield* addPayments(lead.id, payments, at) : outcome.booking.payments;
  const booking = { ...outcome.booking, changes: changed, payments: all };
  const event = EVENTS[to];
  if (event) yield* tellCrm(event, booking, null, at);
  return { kind: "moved", booking };
}

const EVENTS: Partial<Record<BookingStatus, Parameters<typeof tellCrm>[0]>> = {
  completed: "booking.completed",
  no_show: "booking.no_show",
  cancelled_by_shop: "booking.cancelled",
  cancelled_by_customer: "booking.cancelled",
};

type BookingEnd =
  | Exclude<BookingMove, { kind: "moved" }>
  /** `neverSent`: the shop's text about the new booking was still waiting, and lapsed. */
  | (Extract<BookingMove, { kind: "moved" }> & { neverSent: boolean });

/** Ends a booking without telling anybody. The lead follows. @param planned its changes when the end was planned */
export function* endBooking(
  confirmationCode: string,
  to: BookingStatus,
  at: number,
  planned?: number,
): Steps<BookingEnd> {
  const found = yield* findBooking(confirmationCode);
  if (!found) return { kind: "unknown" };
  if (found.changes !== (planned ?? found.changes)) return { kind: "outdated", booking: found };
  const booking = heldAsOf(found, at);
  if (!bookingMayBecome(booking.status, to)) return { kind: "refused", booking };
  if (isTooEarly(booking, to, at)) return { kind: "too_early", booking };
  yield* run("UPDATE bookings SET status = ?, ended_at = ? WHERE id = ?", [to, at, booking.id]);
  yield* endDeposit(booking, to, at);
  // The owner needs no reminder of work that is over, nor the customer the page to pay on.
  const kinds = "'remind_owner', 'remind_owner_notice', 'deposit_link_sms', 'deposit_link_email'";
  yield* lapseOf(booking.lead.id, "its booking ended", `kind IN (${kinds}) AND status = 'waiting'`);
  const leadStatus = to === "completed" ? "won" : "lost";
  yield* followBooking(booking.lead.id, leadStatus, at);
  yield* followWinner(booking, leadStatus, at);
  const neverSent = yield* lapseShopTexts(booking.lead.id);
  return { kind: "moved", booking: { ...booking, status: to, endedAt: at }, neverSent };
}

/** Whether a message that the booking was cancelled may have reached its customer. */
function* wasEndAnnounced({ lead, endedAt }: Booking): Steps<boolean> {
  const found = yield* get(
    `SELECT 1 FROM jobs INDEXED BY jobs_by_lead
     WHERE lead_id = ? AND kind IN ('cancelled_sms', 'cancelled_email') AND created_at >= ?
       AND (status = 'done' OR attempts > 0) LIMIT 1`,
    [lead.id, endedAt ?? 0],
  );
  return found !== null;
}

/**
 * Makes an ended booking confirmed again; one that is off only while a bay is free for its whole time, another one for what is
 * left of it, and what was paid as it was completed is taken back. Reminders to the owner that lapsed with the booking wait again, and its lead is open again.
 * @param jobs for a customer who was told that the booking was cancelled
 */
function* reopenBooking(
  confirmationCode: string,
  bays: number,
  at: number,
  jobs: readonly NewJob[] = [],
): Steps<BookingReopening> {
  const found = yield* findBooking(confirmationCode);
  if (!found) return { kind: "unknown" };
  const booking = heldAsOf(found, at);
  const { id, status, startAt, lead } = booking;
  // Nobody was told of a hold: it is confirmed, with the messages of a new booking.
  if (status === "confirmed" || isOnlyHeld(booking)) return { kind: "refused", booking };
  // One that was completed or missed kept its bay until then. What others did in it before now is over.
  const from = isCancelled(status) ? startAt : Math.max(booking.endedAt ?? startAt, at);
  if (!(yield* hasFreeBay(booking, from, bays, at))) return { kind: "taken", booking };
  // The calendar entry that the cancellation corrected comes back with a higher number.
  const changes = isCancelled(status) ? booking.changes + 1 : booking.changes;
  yield* run(
    "UPDATE bookings SET changes = ?, status = 'confirmed', ended_at = NULL, cancel_reason = NULL WHERE id = ?",
    [changes, id],
  );
  if (status === "completed") yield* undoPaymentsOfEnd(lead.id, booking.endedAt ?? at, at);
  yield* restoreDeposit(id);
  yield* unfollowBooking(lead.id, at);
  yield* followWinner(booking, "won", at);
  const wasAnnounced = yield* wasEndAnnounced(booking);
  if (wasAnnounced) yield* insertJobs(lead.id, jobs, at);
  yield* lapseOldChanges(lead.id);
  const lapsed = yield* lapseNewsOfEnd(lead.id);
  // Restore the reminders that lapsed with the booking, unless the lead has moved on meanwhile.
  const leadStatus = (yield* findLead(lead.id))?.status ?? "lost";
  yield* run(
    `UPDATE jobs SET status = 'waiting', last_error = NULL WHERE lead_id = ? AND kind = 'remind_owner' AND status = 'lapsed'
       AND coalesce(unless, 'contacted') NOT IN (SELECT value FROM json_each(?))`,
    [lead.id, JSON.stringify(reachedBy(leadStatus))],
  );
  const payments = (yield* paymentsOf([lead.id]))(lead.id);
  const reopened = { ...booking, changes, status: "confirmed" as const, endedAt: null, cancelReason: null, payments };
  yield* tellCrm("lead.updated", reopened, null, at);
  return { kind: "reopened", booking: reopened, neverTold: !wasAnnounced && lapsed > 0 };
}

/** Nobody needs to hear now that it was cancelled or done. */
function lapseNewsOfEnd(leadId: string): Steps<number> {
  const ofTheEnd = CUSTOMER_MESSAGES.filter((kind) => ["cancelled", "completed"].includes(JOBS[kind].event));
  const which = "status = 'waiting' AND kind IN (SELECT value FROM json_each(?))";
  return lapseOf(leadId, "its booking was reopened", which, JSON.stringify(ofTheEnd));
}

/** Takes back `followBooking`; a lead that the owner ended stays. */
function* unfollowBooking(leadId: string, at: number): Steps<void> {
  const [last, before] = (yield* findLead(leadId))?.history.toReversed() ?? [];
  if (last?.note === WITH_BOOKING && !OPEN_LEADS.includes(last.status))
    yield* setStatus(leadId, before?.status ?? "new", WITH_BOOKING, at);
}

/** The deposit of a booking that ends goes back, or is kept. */
export function* endDeposit(
  { id, startAt }: { id: string; startAt: number },
  to: BookingStatus,
  at: number,
): Steps<void> {
  if (!isCancelled(to) && to !== "no_show") return;
  const text = "SELECT refund_hours AS refundHours FROM deposits WHERE booking_id = ?";
  const deposit = yield* get<Pick<NewDeposit, "refundHours">>(text, [id]);
  if (!deposit) return;
  yield* run(
    `UPDATE deposits SET ask_at = CASE WHEN state = 'open' OR payment_intent IS NOT NULL AND ? = 'owed' THEN ? ELSE ask_at END,
       state = CASE WHEN state = 'open' THEN 'expired' ELSE ? END WHERE booking_id = ? AND state IN ('open', 'paid')`,
    [...(isGivenBack({ ...deposit, startAt }, to, at) ? ["owed", at, "owed"] : ["kept", at, "kept"]), id],
  );
}

/** A booking stands again, and with it a deposit that was not given back: a refund that was asked for may have been. */
function* restoreDeposit(bookingId: string): Steps<void> {
  yield* run(
    `UPDATE deposits SET state = 'paid', ask_at = CASE WHEN payment_intent IS NULL THEN ask_at END
     WHERE booking_id = ? AND state IN ('owed', 'kept') AND refund_asked_at IS NULL`,
    [bookingId],
  );
}

/** Takes back what was written down as the work was completed. */
function* undoPaymentsOfEnd(leadId: string, endedAt: number, at: number): Steps<void> {
  yield* run(
    "UPDATE payments SET undone_at = ?1 WHERE lead_id = ?2 AND undone_at IS NULL AND coalesce(recorded_at, ?3) = ?3",
    [at, leadId, endedAt],
  );
}
