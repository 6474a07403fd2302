/** Sums of the prices that were agreed. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import type { Booking } from "../../src/store/store.ts";
import { moneyIn } from "../terminal/amounts.ts";

/** The price that a booking was made for, in units of its currency; null for a job without one. */
function agreedPrice({ answer }: Booking): { currency: string; total: number } | null {
  return storedConfirmation().safeParse(answer).data?.estimate ?? null;
}

/** The sum by currency: a shop that changed its currency has two. */
export function totals(bookings: readonly Booking[]): Record<string, number> {
  const sums: Record<string, number> = {};
  // In cents, because sums of floats drift.
  for (const { currency, total } of bookings.flatMap((booking) => agreedPrice(booking) ?? []))
    sums[currency] = (Math.round((sums[currency] ?? 0) * 100) + Math.round(total * 100)) / 100;
  return sums;
}

/** `$1,058.00`; empty when nothing has a price. */
export function sumInWords(bookings: readonly Booking[]): string {
  return Object.entries(totals(bookings))
    .map(([currency, total]) => moneyIn(currency)(total))
    .join(" + ");
}
