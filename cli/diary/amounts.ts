/** Sums of the prices that were agreed. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import { toCents } from "../../src/domain/money.ts";
import type { Booking } from "../../src/store/store.ts";
import { moneyIn } from "../terminal/wording.ts";

/** By currency: a shop that changed its currency has two. In cents, because sums of floats drift. */
export type Cents = Record<string, number>;

export interface Price {
  currency: string;
  /** In units of the currency, as in answers of the API. */
  total: number;
}

export function addPrice(cents: Cents, { currency, total }: Price): void {
  cents[currency] = (cents[currency] ?? 0) + toCents(total);
}

/** `$1,058.00`; empty when nothing has a price. */
export function centsInWords(cents: Cents): string {
  return Object.entries(cents)
    .map(([currency, amount]) => moneyIn(currency)(amount / 100))
    .join(" + ");
}

/** As `--json` prints amounts. */
export function inUnits(cents: Cents): Record<string, number> {
  return Object.fromEntries(Object.entries(cents).map(([currency, amount]) => [currency, amount / 100]));
}

/** The sum of the agreed prices in units; a job without a price adds nothing. */
export function totals(bookings: readonly Booking[]): Record<string, number> {
  return inUnits(agreed(bookings));
}

/** `$1,058.00`; empty when nothing has a price. */
export function sumInWords(bookings: readonly Booking[]): string {
  return centsInWords(agreed(bookings));
}

function agreed(bookings: readonly Booking[]): Cents {
  const cents: Cents = {};
  for (const { answer } of bookings) {
    const price = storedConfirmation.safeParse(answer).data?.estimate;
    if (price) addPrice(cents, price);
  }
  return cents;
}
