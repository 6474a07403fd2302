/**
 * Deposits, one a booking, and their pages at the payment service. Each change of a deposit is one transaction with what follows
 * from it, so that a process which dies between any two steps loses no payment and books none twice.
 */
import { heldAsOf, isCancelled } from "../../domain/lifecycle.ts";
import { paidToward, standing } from "../../domain/payments.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { fieldsOf } from "../../lib/fields.ts";
import { type Confirming, type ConfirmOutcome, confirmHeld, endDeposit, rewriteAnswer } from "./booking-status.ts";
import { type Booking, expireHolds, findBooking } from "./bookings.ts";
import { insertJobs, type NewJob } from "./jobs.ts";
import { addPayments, insertDeposit, type NewDeposit, type NewPayment, paymentsOf } from "./payments.ts";
import { allFor, get, run, type Steps } from "./steps.ts";

export const depositQueries = {
  reads: { depositOf, dueDeposits },
  writes: { askDepositAt, askRefund, openDeposit, payDeposit, endDepositPage, refundDeposit, settleDeposit },
};

/**
 * `open`: asked for. `owed`: to be given back. `kept`: the booking was cancelled too late. `waived`: the owner wants none.
 */
export type DepositState = "open" | "paid" | "expired" | "owed" | "refunded" | "kept" | "waived";

export interface Deposit extends NewDeposit {
  bookingId: string;
  state: DepositState;
  /** Stripe's id of the payment; null for one by hand. */
  paymentIntent: string | null;
  /** When the service is asked next; null when nothing is open there. */
  askAt: number | null;
  lastError: string | null;
}

/** A deposit about which the service is to be asked. */
export type DueDeposit = Deposit & { confirmationCode: string };

const DEPOSIT = `booking_id AS bookingId, amount, currency, state, page_id AS pageId, url, pay_until AS payUntil,
  refund_hours AS refundHours, payment_intent AS paymentIntent, ask_at AS askAt, last_error AS lastError`;

function depositOf(bookingId: string): Steps<Deposit | null> {
  return get<Deposit>(`SELECT ${DEPOSIT} FROM deposits WHERE booking_id = ?`, [bookingId]);
}

/** No question is planned further ahead; a later time means that the clock was set back since. */
const FARTHEST_MS = MINUTE_MS;

/** Those about which the service is to be asked at a moment, the longest due first. */
function* dueDeposits(now: number, limit: number): Steps<DueDeposit[]> {
  const due = yield* allFor<DueDeposit>(
    `SELECT ${DEPOSIT}, confirmation_code AS confirmationCode FROM deposits JOIN bookings ON bookings.id = booking_id
     WHERE ask_at > ? AND ask_at <= ? ORDER BY ask_at LIMIT ?`,
    [
      [0, now, limit],
      [now + FARTHEST_MS, Number.MAX_SAFE_INTEGER, limit],
    ],
  );
  return due.slice(0, limit);
}

/** When the service is asked next. @param error why it gave no answer; null when it did */
function* askDepositAt(bookingId: string, at: number, error: string | null): Steps<void> {
  const text = "UPDATE deposits SET ask_at = ?, last_error = ? WHERE booking_id = ? AND ask_at IS NOT NULL";
  yield* run(text, [at, error, bookingId]);
}

/**
 * Noted before the service is asked to give the payment back: a booking that is reopened from then on stands without its deposit,
 * because the answer may be lost. @param next when it is asked again @returns whether it is still owed
 */
function* askRefund(bookingId: string, at: number, next: number): Steps<boolean> {
  const text = `UPDATE deposits SET refund_asked_at = ?, ask_at = ?, last_error = 'no answer yet'
     WHERE booking_id = ? AND state = 'owed' AND payment_intent IS NOT NULL`;
  return (yield* run(text, [at, next, bookingId])) > 0;
}

type OpenedDeposit = { kind: "open" | "over"; booking: Booking } | { kind: "unknown" };

/**
 * A hold waits for its deposit. The first page counts: another one is never shown to anybody, until it has ended.
 * @param answer what changes of a hold's; null where the owner asks for the deposit of a booking that stands
 */
function* openDeposit(
  confirmationCode: string,
  deposit: NewDeposit,
  answer: object | null,
  at: number,
): Steps<OpenedDeposit> {
  const found = yield* findBooking(confirmationCode);
  if (!found) return { kind: "unknown" };
  const booking = heldAsOf(found, at);
  if (booking.status !== (answer ? "held" : "confirmed")) return { kind: "over", booking };
  const before = yield* depositOf(booking.id);
  if (before && (answer || before.askAt !== null || before.state === "paid")) return { kind: "open", booking };
  if (before) yield* run("DELETE FROM deposits WHERE booking_id = ?", [booking.id]);
  yield* insertDeposit(booking.id, deposit, at);
  if (!answer) return { kind: "open", booking };
  yield* run("UPDATE bookings SET held_until = ? WHERE id = ?", [deposit.payUntil, booking.id]);
  const written = yield* rewriteAnswer(booking, { ...fieldsOf(booking.answer), ...answer });
  return { kind: "open", booking: { ...booking, ...written, heldUntil: deposit.payUntil } };
}

/** A deposit was paid on its page. */
interface PaidDeposit {
  /** As for a hold; with bays, so that one paid too late is confirmed while one is free. */
  confirm: Confirming;
  payment: NewPayment & { reference: string };
  /** To shop and customer, where the payment goes back because the time is taken. */
  late: readonly NewJob[];
}

type PaidOutcome =
  /** `booking`: as it stands, confirmed where the payment stays. */
  | { kind: "paid" | "owed"; booking: Booking }
  /** It was written down before. */
  | { kind: "known" }
  | { kind: "outdated" | "unknown" };

/** Confirms the booking and writes the payment down, or notes that the payment goes back. */
function* payDeposit({ confirm, payment, late }: PaidDeposit): Steps<PaidOutcome> {
  const { at } = confirm;
  const known = yield* get("SELECT 1 FROM payments WHERE reference = ?", [payment.reference]);
  if (known) return { kind: "known" };
  const before = yield* findBooking(confirm.confirmationCode);
  const deposit = before && (yield* depositOf(before.id));
  if (!before || !deposit) return { kind: "unknown" };
  // Paid by hand or waived meanwhile, it is not asked for twice.
  const isAsked = (deposit.state === "open" || deposit.state === "expired") && !isCancelled(before.status);
  const outcome: ConfirmOutcome = isAsked ? yield* confirmHeld(confirm) : { kind: "over", booking: before };
  if (outcome.kind === "outdated") return { kind: "outdated" };
  const kind = outcome.kind === "confirmed" ? ("paid" as const) : ("owed" as const);
  yield* run("UPDATE deposits SET state = ?, payment_intent = ?, ask_at = ?, last_error = NULL WHERE booking_id = ?", [
    kind,
    payment.reference,
    kind === "owed" ? at : null,
    before.id,
  ]);
  const payments = yield* addPayments(before.lead.id, [payment], at);
  // Who paid twice for a booking that stands hears of it from the payment service alone.
  if (kind === "owed" && before.status !== "confirmed") yield* insertJobs(before.lead.id, late, at);
  return { kind, booking: { ...(outcome.kind === "unknown" ? before : outcome.booking), payments } };
}

/** Nobody can pay on the page any more. @param jobs for the customer of a booking that waited for it */
function* endDepositPage(bookingId: string, jobs: readonly NewJob[], at: number): Steps<void> {
  const deposit = yield* depositOf(bookingId);
  if (!deposit || deposit.askAt === null || deposit.paymentIntent !== null) return;
  const state = deposit.state === "open" ? "expired" : deposit.state;
  const text = "UPDATE deposits SET state = ?, ask_at = NULL, last_error = NULL WHERE booking_id = ?";
  yield* run(text, [state, bookingId]);
  if (deposit.state !== "open") return;
  yield* expireHolds(at);
  const row = yield* get<{ leadId: string }>(
    "SELECT lead_id AS leadId FROM bookings WHERE id = ? AND status = 'expired'",
    [bookingId],
  );
  if (row) yield* insertJobs(row.leadId, jobs, at);
}

/** The payment was given back; what the owner wrote down as given back by card is part of it. @param reference of the refund */
function* refundDeposit(bookingId: string, reference: string, at: number): Steps<void> {
  const paid = yield* get<Pick<Booking, "id" | "startAt" | "status" | "endedAt"> & { leadId: string; amount: number }>(
    `SELECT bookings.id, start_at AS startAt, status, ended_at AS endedAt, bookings.lead_id AS leadId, amount
     FROM bookings JOIN payments ON payments.lead_id = bookings.lead_id
     WHERE bookings.id = ?1 AND reference = (SELECT payment_intent FROM deposits WHERE booking_id = ?1)`,
    [bookingId],
  );
  if (!paid || (yield* get("SELECT 1 FROM payments WHERE reference = ?", [reference]))) return;
  // What the owner took by hand as well is the deposit that stays.
  yield* run(
    `UPDATE deposits SET ask_at = NULL, last_error = NULL, refund_asked_at = NULL, state = CASE by_hand WHEN 0 THEN 'refunded' ELSE 'paid' END,
       payment_intent = CASE by_hand WHEN 0 THEN payment_intent END
     FROM (SELECT count(*) AS by_hand FROM payments
       WHERE lead_id = ? AND kind = 'deposit' AND reference IS NULL AND undone_at IS NULL) AS paid
     WHERE booking_id = ?`,
    [paid.leadId, bookingId],
  );
  if (paid.endedAt !== null) yield* endDeposit(paid, paid.status, paid.endedAt);
  const stand = standing((yield* paymentsOf([paid.leadId]))(paid.leadId));
  const amount = Math.min(paid.amount, paidToward(stand.filter(({ by }) => by === "card")));
  yield* addPayments(paid.leadId, amount > 0 ? [{ amount, by: "card", kind: "refund", reference }] : [], at);
}

type SettledDeposit = ConfirmOutcome | { kind: "paid" };

/** The owner took the deposit by hand, or wants none: the booking is confirmed, and its page ends. One that is paid stays. */
function* settleDeposit(confirm: Confirming, payment: NewPayment | null): Steps<SettledDeposit> {
  const before = yield* findBooking(confirm.confirmationCode);
  if (before && (yield* depositOf(before.id))?.state === "paid") return { kind: "paid" };
  const outcome = yield* confirmHeld(confirm);
  if (outcome.kind !== "confirmed") return outcome;
  const { id, lead } = outcome.booking;
  yield* run(
    `UPDATE deposits SET state = ?, ask_at = CASE WHEN ask_at IS NOT NULL THEN ? END, payment_intent = NULL
     WHERE booking_id = ? AND state IN ('open', 'expired', 'waived', 'refunded')`,
    [payment ? "paid" : "waived", confirm.at, id],
  );
  const payments = payment ? yield* addPayments(lead.id, [payment], confirm.at) : outcome.booking.payments;
  return { ...outcome, booking: { ...outcome.booking, payments } };
}
