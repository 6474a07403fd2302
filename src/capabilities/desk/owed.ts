/** What a booking's customer owes, and what of it is still to be paid: in cents, from the price that was agreed. */
import { bringsMoney } from "../../domain/lifecycle.ts";
import { paidToward, standing } from "../../domain/payments.ts";
import { toCents } from "../../lib/money.ts";
import type { Booking } from "../../store/store.ts";
import { storedEstimate } from "../booking/confirmation.ts";

/** What the customer owes for the work: with tax that is added. Null where no price was named. */
export function owedFor({ answer }: Pick<Booking, "answer">): number | null {
  const estimate = storedEstimate(answer);
  return estimate ? toCents(estimate.total_with_tax ?? estimate.total) : null;
}

/** The tax in what the customer owes. */
export function taxOwedFor({ answer }: Pick<Booking, "answer">): number {
  return toCents(storedEstimate(answer)?.tax?.amount ?? 0);
}

type Owing = Pick<Booking, "answer" | "payments" | "status" | "endedAt">;

/** The price minus what was paid; negative where more was paid. Null without a price, and for work that brings no money. */
export function balanceOf(booking: Owing): number | null {
  const owed = bringsMoney(booking.status) ? owedFor(booking) : null;
  return owed === null ? null : owed - paidToward(standing(booking.payments));
}

/** What is still asked for: the balance without what was refunded after the work. */
export function dueOf(booking: Owing): number | null {
  const balance = balanceOf(booking);
  if (balance === null || balance <= 0 || booking.status !== "completed") return balance;
  const refunds = standing(booking.payments).filter(({ kind }) => kind === "refund");
  return Math.max(0, balance + paidToward(refunds.filter(({ paidAt }) => paidAt >= (booking.endedAt ?? 0))));
}
