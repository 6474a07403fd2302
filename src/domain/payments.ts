/** What payments come to, in cents. */
import { PAID_BY, type PaidBy, type PaymentKind } from "../constants.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { type BookingStatus, isCancelled } from "./lifecycle.ts";

interface Paid {
  amount: number;
  by: PaidBy;
  kind: PaymentKind;
}

/** Without those that were taken back. */
export function standing<One extends { undoneAt: number | null }>(payments: readonly One[]): One[] {
  return payments.filter(({ undoneAt }) => undoneAt === null);
}

/** What it puts into the drawer; below 0 for a refund. */
export function signedAmount({ kind, amount }: Pick<Paid, "kind" | "amount">): number {
  return kind === "refund" ? -amount : amount;
}

/** What it pays of the price: a tip nothing. */
export function towardPrice(payment: Pick<Paid, "kind" | "amount">): number {
  return payment.kind === "tip" ? 0 : signedAmount(payment);
}

/** What they pay of the price together. */
export function paidToward(payments: readonly Pick<Paid, "kind" | "amount">[]): number {
  return payments.reduce((sum, one) => sum + towardPrice(one), 0);
}

/** Tax in what was paid of a price: sums of parts are never a cent off, because the whole is rounded. @param owed with the tax */
export function taxIn(paid: number, { owed, tax }: { owed: number; tax: number }): number {
  return owed === 0 ? 0 : Math.round((Math.min(Math.max(paid, 0), owed) * tax) / owed);
}

/** The ways in which something was paid. */
export function waysOf(payments: readonly Pick<Paid, "by">[]): PaidBy[] {
  return PAID_BY.filter((way) => payments.some(({ by }) => by === way));
}

/** Whether the deposit of a booking that ends goes back: who cancels in time gets it, and everybody whom the shop cancels. */
export function isGivenBack(
  { startAt, refundHours }: { startAt: number; refundHours: number },
  to: BookingStatus,
  at: number,
): boolean {
  return to === "cancelled_by_shop" || (isCancelled(to) && at <= startAt - refundHours * HOUR_MS);
}
