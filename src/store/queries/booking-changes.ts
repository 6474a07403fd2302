/** Changes to a booking that is not over. Functions that write run inside the transaction of their caller. */

import { CUSTOMER_EMAILS, CUSTOMER_TEXTS, type JobKind, MESSAGES_TO_COME } from "../../constants.ts";
import { mostAtOnce, type Occupancy, without } from "../../domain/bays.ts";
import type { BookingStatus } from "../../domain/lifecycle.ts";
import { defined, fieldsOf } from "../../lib/fields.ts";
import type { Phone } from "../../lib/phone.ts";
import { endBooking, rewriteAnswer } from "./booking-status.ts";
import { type Appointment, type Booking, bookingsById, busyBetween, expireHolds, findBooking } from "./bookings.ts";
import { tellCrm } from "./crm-pushes.ts";
import { insertJobs, lapseOf, type NewJob, setPayload } from "./jobs.ts";
import { followPrice } from "./lead-status.ts";
import { lapseOldChanges, reword } from "./rewording.ts";
import { all, get, run, type Steps } from "./steps.ts";

export const changeQueries = {
  reads: { contactOf, callsToMake },
  writes: { rescheduleBooking, cancelBooking, editBooking, addCall, tellCall, endCall },
};

/** The person who may change a booking, and the network that made it. Empty where nothing is known of them. */
export interface BookingContact {
  /** E.164. */
  phone: string;
  /** In lower case. */
  email: string;
  network: string;
}

interface Change {
  confirmationCode: string;
  /** How often the booking had been changed when this change was planned. */
  changes: number;
  at: number;
  jobs: NewJob[];
  /** The shop's date, when the customer makes the change. */
  changedOn?: string;
}

export interface Rescheduling extends Change, Appointment {
  /** For the booking after the move. When the shop's text about the new booking still waits, it gets none about the move. */
  reworded?: readonly NewJob[];
  /** Other work: the answer for the booking after it, and what changes of the lead's request; fields that are undefined leave it. */
  work?: { answer: object; details: object };
  /** The most changes by the customer on one date; further ones are refused. */
  mostChanges?: number;
}

export interface Cancellation extends Change {
  /** In the customer's words. */
  reason: string | null;
}

export type ChangeOutcome =
  | { kind: "changed"; booking: Booking }
  /** Every bay is busy for part of the time. */
  | { kind: "taken" }
  /** The customer changed the booking too often on that date. */
  | { kind: "too_often" }
  /** Somebody else changed the booking meanwhile. */
  | { kind: "outdated" };

/** A booking as its owner corrected it. */
interface BookingEdit extends Phone, Pick<Change, "confirmationCode" | "changes"> {
  name: string;
  /** Empty where there is none. */
  email: string;
  /** Fields of the lead's request that change; those that are undefined leave it. */
  details: object;
  /** New words for messages that wait, for the booking after the edit. */
  reworded?: readonly NewJob[];
  /** The answer for the booking after the edit. A repeated request still gets the first answer. */
  answer: object;
}

/** Null when there is no such code; then the booking with the next code is read, so that both take the same time. */
function* contactOf(confirmationCode: string): Steps<BookingContact | null> {
  const found = yield* get<BookingContact & { code: string }>(
    `SELECT confirmation_code AS code, phone, coalesce(email_key, '') AS email, network
       FROM bookings
       WHERE confirmation_code >= ? ORDER BY confirmation_code LIMIT 1`,
    [confirmationCode],
  );
  const { code, ...contact } = found ?? NOBODY;
  return code === confirmationCode ? contact : null;
}

const NOBODY = { code: null, phone: "", email: "", network: "" };

/** If a bay is free without its old time. Messages about the old time lapse or get new words, and a CRM that knows it is told. */
function* rescheduleBooking(
  change: Rescheduling,
  bays: number,
  closed: readonly Occupancy[] = [],
): Steps<ChangeOutcome> {
  const { confirmationCode, date, time, startAt, endAt, busyUntil, at, jobs, reworded = [] } = change;
  const before = yield* findBooking(confirmationCode);
  if (before?.changes !== change.changes || before.status !== "confirmed") return { kind: "outdated" };
  if (changesOn(before, change.changedOn) >= (change.mostChanges ?? Number.POSITIVE_INFINITY))
    return { kind: "too_often" };
  yield* expireHolds(at, { startAt, busyUntil });
  const busy = [...without(before, yield* busyBetween(startAt, busyUntil, at)), ...closed];
  if (mostAtOnce(busy, startAt, busyUntil) >= bays) return { kind: "taken" };
  yield* run(
    "UPDATE bookings SET date = ?, time = ?, start_at = ?, end_at = ?, busy_until = ?, changes = changes + 1 WHERE id = ?",
    [date, time, startAt, endAt, busyUntil, before.id],
  );
  const { work } = change;
  if (work) yield* changeWork(before, work);
  // These messages name the old time. A failed one could still be sent again by hand.
  yield* lapseOf(before.lead.id, "its booking was moved", UNSENT_OF_KINDS, JSON.stringify(MESSAGES_TO_COME));
  yield* lapseOldChanges(before.lead.id);
  const isShopTextWaiting = yield* reword(before.lead.id, reworded);
  const waiting = yield* all<{ kind: JobKind }>(
    "SELECT kind FROM jobs INDEXED BY jobs_by_lead WHERE lead_id = ? AND status = 'waiting'",
    [before.lead.id],
  );
  // A confirmation that still waited has been reworded by now.
  const isReworded = ({ kind }: NewJob) => kind.startsWith("confirmation_") && waiting.some((one) => one.kind === kind);
  const news = jobs.filter((job) => !(isShopTextWaiting && isToShop(job)) && !isReworded(job));
  yield* insertJobs(before.lead.id, news, at);
  const counted = yield* countChange(before, change);
  // Who moves it knows when it is.
  if (change.changedOn !== undefined) yield* endCall(before.id);
  const moved = { ...before, ...counted, date, time, startAt, endAt, busyUntil, changes: before.changes + 1 };
  const booking = work ? { ...moved, answer: work.answer } : moved;
  yield* tellCrm("booking.rescheduled", booking, before.startAt, at);
  return { kind: "changed", booking };
}

function* changeWork(before: Booking, { answer, details }: NonNullable<Rescheduling["work"]>): Steps<void> {
  yield* rewriteAnswer(before, answer);
  const patched = JSON.stringify(yield* patchedDetails(before.lead.id, details));
  yield* run("UPDATE leads SET details = ? WHERE id = ?", [patched, before.lead.id]);
  yield* followPrice(before.confirmationCode, answer);
}

/** The fields of the lead's request with those that change, and without those that become undefined. */
function* patchedDetails(leadId: string, changed: object): Steps<object> {
  const lead = yield* get<{ details: string }>("SELECT details FROM leads WHERE id = ?", [leadId]);
  return defined({ ...fieldsOf(JSON.parse(lead?.details ?? "{}")), ...changed });
}

/** Cancels a confirmed or held booking for its customer, with messages and push as in `rescheduleBooking`. */
function* cancelBooking(change: Cancellation): Steps<ChangeOutcome> {
  const { confirmationCode, changes, reason, at, jobs } = change;
  const outcome = yield* endBooking(confirmationCode, "cancelled_by_customer", at, changes);
  if (outcome.kind !== "moved") return { kind: "outdated" };
  const { booking: ended } = outcome;
  yield* run("UPDATE bookings SET changes = changes + 1, cancel_reason = ? WHERE id = ?", [reason, ended.id]);
  // The shop hears nothing of a booking whose first text was never sent.
  const news = jobs.filter((job) => !(outcome.neverSent && isToShop(job)));
  yield* insertJobs(ended.lead.id, news, at);
  const counted = yield* countChange(ended, change);
  const booking = { ...ended, ...counted, changes: changes + 1, cancelReason: reason };
  yield* tellCrm("booking.cancelled", booking, null, at);
  return { kind: "changed", booking };
}

/** How often the customer changed the booking on a date of the shop. */
function changesOn({ changedOn, changedTimes }: Booking, date: string | undefined): number {
  return date === changedOn ? changedTimes : 0;
}

/** Counts a change by the customer. @returns the count as it is now */
function* countChange(
  before: Booking,
  { changedOn }: Pick<Rescheduling, "changedOn">,
): Steps<Pick<Booking, "changedOn" | "changedTimes">> {
  if (changedOn === undefined) return { changedOn: before.changedOn, changedTimes: before.changedTimes };
  const changedTimes = changesOn(before, changedOn) + 1;
  yield* run("UPDATE bookings SET changed_on = ?, changed_times = ? WHERE id = ?", [
    changedOn,
    changedTimes,
    before.id,
  ]);
  return { changedOn, changedTimes };
}

function isToShop({ kind }: NewJob): boolean {
  return kind === "notify_shop_sms";
}

/** Who comes, with which car, and the agreed price. Messages that wait go to the new number and address. */
function* editBooking(edit: BookingEdit): Steps<Extract<ChangeOutcome, { kind: "changed" | "outdated" }>> {
  const before = yield* findBooking(edit.confirmationCode);
  if (before?.changes !== edit.changes) return { kind: "outdated" };
  const { name, phone, extension, email, details, answer, reworded = [] } = edit;
  const written = yield* rewriteAnswer(before, answer);
  yield* run("UPDATE bookings SET phone = ?, email_key = ? WHERE id = ?", [phone, email.toLowerCase(), before.id]);
  const patched = yield* patchedDetails(before.lead.id, details);
  yield* run("UPDATE leads SET name = ?, phone = ?, phone_extension = ?, email = ?, details = ? WHERE id = ?", [
    name,
    phone,
    extension,
    email,
    JSON.stringify(patched),
    before.lead.id,
  ]);
  yield* followPrice(edit.confirmationCode, answer);
  yield* reword(before.lead.id, reworded);
  yield* readdress(before.lead.id, CUSTOMER_TEXTS, phone, email);
  // Without an address no e-mail goes out.
  if (email === "")
    yield* lapseOf(
      before.lead.id,
      "the e-mail address was taken away",
      UNSENT_OF_KINDS,
      JSON.stringify(CUSTOMER_EMAILS),
    );
  else yield* readdress(before.lead.id, CUSTOMER_EMAILS, email);
  const lead = { ...before.lead, name, phone, extension, email };
  return { kind: "changed", booking: { ...before, ...written, lead } };
}

const UNSENT_OF_KINDS = "status IN ('waiting', 'failed') AND kind IN (SELECT value FROM json_each(?))";

/** Messages that wait go to the new number or address. @param email where texts go instead that cannot be delivered */
function* readdress(leadId: string, kinds: readonly JobKind[], to: string, email = ""): Steps<void> {
  const waiting = yield* all<{ id: number; payload: string }>(
    `SELECT id, payload FROM jobs INDEXED BY jobs_by_lead WHERE lead_id = ? AND ${UNSENT_OF_KINDS}`,
    [leadId, JSON.stringify(kinds)],
  );
  for (const { id, payload } of waiting) {
    const { instead, ...message } = fieldsOf(JSON.parse(payload));
    const mail = instead && email !== "" ? { instead: { ...fieldsOf(instead), to: email } } : {};
    yield* setPayload(id, { ...message, to, ...mail });
  }
}

/** A booking whose customer must be called. */
export interface CallToMake {
  booking: Booking;
  /** The start of which the customer knows; null for one who knows of no booking, because it was held. */
  knownAt: number | null;
  since: number;
}

/** One customer is on the list once, with the start that they know. */
function* addCall(bookingId: string, knownAt: number | null, at: number): Steps<void> {
  const text = `INSERT INTO calls (booking_id, known_start, since) VALUES (?, ?, ?) ON CONFLICT (booking_id) DO UPDATE
     SET known_start = excluded.known_start, since = excluded.since, told_at = NULL WHERE calls.told_at IS NOT NULL`;
  yield* run(text, [bookingId, knownAt, at]);
}

/** A message tells the customer; null where it lapsed unsent, so that they must be called again. */
function* tellCall(bookingId: string, at: number | null): Steps<void> {
  yield* run("UPDATE calls SET told_at = ? WHERE booking_id = ?", [at, bookingId]);
}

function* endCall(bookingId: string): Steps<boolean> {
  const text = "DELETE FROM calls WHERE booking_id = ? RETURNING told_at AS toldAt";
  return (yield* all<{ toldAt: number | null }>(text, [bookingId])).some(({ toldAt }) => toldAt === null);
}

const KNOWN_TO_CUSTOMER: readonly BookingStatus[] = ["cancelled_by_customer", "completed"];

/** The longest waiting first; of people who were erased there is nothing to call. */
function* callsToMake(): Steps<CallToMake[]> {
  const rows = yield* all<Omit<CallToMake, "booking"> & { id: string }>(
    `SELECT booking_id AS id, known_start AS "knownAt", since FROM calls WHERE told_at IS NULL`,
  );
  const bookings = new Map((yield* bookingsById(rows.map(({ id }) => id))).map((one) => [one.id, one]));
  const inOrder = rows.toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
  return inOrder.flatMap(({ id, ...call }) => {
    const booking = bookings.get(id);
    // Who cancelled meanwhile, or came, needs to hear no more.
    return booking && !KNOWN_TO_CUSTOMER.includes(booking.status) ? [{ ...call, booking }] : [];
  });
}
