/** Bookings counted, and their agreed prices added up, by state. */
import { isCancelled } from "../../src/domain/lifecycle.ts";
import type { Booking } from "../../src/store/store.ts";
import { addPrice, type Cents, type Price } from "../diary/amounts.ts";

export const STATES = ["booked", "completed", "to_come", "cancelled", "no_show"] as const;
type State = (typeof STATES)[number];

export interface Sum {
  count: number;
  cents: Cents;
}
export type Tally = Record<State, Sum>;

export function newSum(): Sum {
  return { count: 0, cents: {} };
}

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
  if (price) addPrice(sum.cents, price);
}

/** The amount that came in or is still to come. */
export function earned({ completed, to_come }: Tally): Cents {
  const both = { ...completed.cents };
  for (const [currency, cents] of Object.entries(to_come.cents)) both[currency] = (both[currency] ?? 0) + cents;
  return both;
}
