/** Payments of bookings and won leads. Functions that write run inside the transaction of their caller. */
import type { PaidBy, PaymentKind } from "../../constants.ts";
import { all, each, get, run, type Steps } from "./steps.ts";

export const paymentQueries = {
  writes: { addPayments, undoPayment },
};

export interface Payment {
  id: number;
  /** Cents, also of a refund. */
  amount: number;
  by: PaidBy;
  kind: PaymentKind;
  paidAt: number;
  /** Null for one from before payments were records. */
  recordedAt: number | null;
  /** When it was taken back; the record stays. */
  undoneAt: number | null;
  /** Who wrote it down. */
  takenBy: string | null;
  note: string | null;
  /** Its id at a payment service, at most one record each. */
  reference: string | null;
}

/** @property paidAt the moment at which it is written down, where it is left out */
export type NewPayment = Pick<Payment, "amount" | "by" | "kind"> &
  Partial<Pick<Payment, "paidAt" | "takenBy" | "note" | "reference">>;

/** The payments of each of these leads, in the order in which they were paid. */
export function* paymentsOf(leadIds: readonly string[]): Steps<(leadId: string) => Payment[]> {
  if (leadIds.length === 0) return () => [];
  const rows = yield* all<Payment & { leadId: string }>(
    `SELECT id, lead_id AS leadId, amount, paid_by AS by, kind, paid_at AS paidAt, recorded_at AS recordedAt,
       undone_at AS undoneAt, taken_by AS takenBy, note, reference
     FROM payments WHERE lead_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(leadIds)],
  );
  const inOrder = rows.sort((a, b) => a.paidAt - b.paidAt || a.id - b.id);
  const byLead = Map.groupBy(inOrder, ({ leadId }) => leadId);
  return (id) => (byLead.get(id) ?? []).map(({ leadId: _, ...payment }) => payment);
}

/** @returns all payments of the lead */
export function* addPayments(leadId: string, payments: readonly NewPayment[], at: number): Steps<Payment[]> {
  yield* each(payments, ({ amount, by, kind, paidAt = at, takenBy = null, note = null, reference = null }) =>
    run(
      `INSERT INTO payments (lead_id, amount, paid_by, kind, paid_at, recorded_at, taken_by, note, reference)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [leadId, amount, by, kind, paidAt, at, takenBy, note, reference],
    ),
  );
  yield* run(ADJUST_DEPOSIT, [leadId]);
  return (yield* paymentsOf([leadId]))(leadId);
}

/** Takes a payment of the lead back; its record stays. @returns whether it stood */
function* undoPayment(leadId: string, id: number, at: number): Steps<boolean> {
  const text = "UPDATE payments SET undone_at = ? WHERE lead_id = ? AND id = ? AND undone_at IS NULL";
  const isUndone = (yield* run(text, [at, leadId, id])) > 0;
  yield* run(ADJUST_DEPOSIT, [leadId]);
  return isUndone;
}

/** A deposit by hand is what was written down, corrected and paid back; a refund after the work is one of the price. */
const ADJUST_DEPOSIT = `UPDATE deposits SET amount = CASE WHEN given > back THEN given - back ELSE amount END,
    state = CASE WHEN given = 0 THEN 'expired' WHEN state = 'paid' THEN state WHEN back >= given THEN 'refunded'
      WHEN state = 'kept' THEN state ELSE 'owed' END
  FROM (SELECT bookings.id, coalesce(sum(CASE kind WHEN 'deposit' THEN amount END), 0) AS given,
      coalesce(sum(CASE WHEN kind = 'refund' AND status <> 'completed' THEN amount END), 0) AS back
    FROM bookings LEFT JOIN payments
      ON payments.lead_id = bookings.lead_id AND undone_at IS NULL AND reference IS NULL
    WHERE bookings.lead_id = ? GROUP BY bookings.id) AS sums
  WHERE booking_id = sums.id AND payment_intent IS NULL AND state IN ('paid', 'owed', 'kept', 'refunded')`;

/** What was paid for a lead is paid for the booking that wins it. */
export function* payForBooking(leadId: string, confirmationCode: string): Steps<void> {
  const text = `UPDATE payments SET lead_id = bookings.lead_id FROM bookings
     WHERE payments.lead_id = ? AND confirmation_code = ?`;
  yield* run(text, [leadId, confirmationCode]);
}

/** What a lead brought to its booking is its own again: all from before there was the booking, unless something was given back since. */
export function* payForLead(leadId: string, confirmationCode: string): Steps<void> {
  const text = "SELECT lead_id AS leadId FROM bookings WHERE confirmation_code = ?";
  const booking = yield* get<{ leadId: string }>(text, [confirmationCode]);
  if (!booking) return;
  yield* run(
    `UPDATE payments SET lead_id = ?1 FROM bookings
     WHERE payments.lead_id = ?2 AND bookings.lead_id = ?2 AND payments.recorded_at < bookings.created_at
       AND NOT EXISTS (SELECT 1 FROM payments AS back WHERE back.lead_id = ?2 AND back.recorded_at >= bookings.created_at
         AND back.kind = 'refund' AND back.reference IS NULL AND back.undone_at IS NULL)`,
    [leadId, booking.leadId],
  );
  yield* run(ADJUST_DEPOSIT, [booking.leadId]);
}

/** What a booking waits for. */
export interface NewDeposit {
  /** Cents. */
  amount: number;
  currency: string;
  /** Stripe's id of the page to pay on. */
  pageId: string;
  url: string;
  payUntil: number;
  /** Who cancels so many hours before the start gets it back. */
  refundHours: number;
}

export function* insertDeposit(bookingId: string, deposit: NewDeposit, at: number): Steps<void> {
  const { amount, currency, pageId, url, payUntil, refundHours } = deposit;
  yield* run(
    `INSERT INTO deposits (booking_id, amount, currency, page_id, url, pay_until, refund_hours, created_at, ask_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [bookingId, amount, currency, pageId, url, payUntil, refundHours, at, at],
  );
}
