/** Bookings counted, and their agreed prices added up, by state. */
import { isCancelled } from "../../src/domain/lifecycle.ts";
import type { Booking } from "../../src/store/store.ts";
import { moneyIn } from "../terminal/amounts.ts";

export const STATES = ["booked", "completed", "to_come", "cancelled", "no_show"] as const;
export type State = (typeof STATES)[number];

/** A count, and cents by currency: a shop that changed its currency has two. */
export interface Sum {
  count: number;
  cents: Record<string, number>;
}
export type Tally = Record<State, Sum>;

export interface Price {
  currency: string;
  /** In units of the currency, as in answers of the API. */
  total: number;
}

const newSum = (): Sum => ({ count: 0, cents: {} });

export function newTally(): Tally {
  return { booked: newSum(), completed: newSum(), to_come: newSum(), cancelled: newSum(), no_show: newSum() };
}

export function countIn(tally: Tally, { status }: Pick<Booking, "status">, price: Price | null): void {
  addTo(tally.booked, price);
  addTo(tally[isCancelled(status) ? "cancelled" : status === "confirmed" ? "to_come" : stateOf(status)], price);
}

function stateOf(status: Booking["status"]): State {
  return status === "no_show" ? "no_show" : "completed";
}

export function addTo(sum: Sum, price: Price | null): void {
  sum.count += 1;
  if (price) sum.cents[price.currency] = (sum.cents[price.currency] ?? 0) + Math.round(price.total * 100);
}

/** The amount that came in or is still to come. */
export function earned({ completed, to_come }: Tally): Record<string, number> {
  const both = { ...completed.cents };
  for (const [currency, cents] of Object.entries(to_come.cents)) both[currency] = (both[currency] ?? 0) + cents;
  return both;
}

/** `$1,058.00`; empty when nothing has a price. */
export function centsInWords(cents: Record<string, number>): string {
  return Object.entries(cents)
    .map(([currency, amount]) => moneyIn(currency)(amount / 100))
    .join(" + ");
}

/** As `--json` prints amounts. */
export function inUnits(cents: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(cents).map(([currency, amount]) => [currency, amount / 100]));
}
