/** The money that was taken: what customers paid for completed bookings, by way of paying, day and month. */
import { PAID_BY, type PaidBy } from "../../src/constants.ts";
import { spaced } from "../../src/lib/text.ts";
import type { Booking } from "../../src/store/store.ts";
import { addPrice, type CentsByCurrency, centsInWords, inUnits, storedEstimate } from "./amounts.ts";

/** The ways of paying; money whose way nobody wrote down stands by itself. */
const WAYS = [...PAID_BY, "not_said"] as const;
export type Way = PaidBy | "not_said";

export interface Taken {
  count: number;
  cents: CentsByCurrency;
}

export type Takings = Record<Way, Taken>;

export function newTakings(): Takings {
  return { cash: nothing(), card: nothing(), other: nothing(), not_said: nothing() };
}

function nothing(): Taken {
  return { count: 0, cents: {} };
}

/** @param currency of the shop, for a booking that has no price of its own */
export function addPayment(
  takings: Takings,
  { paid, answer }: Pick<Booking, "paid" | "answer">,
  currency: string,
): void {
  if (!paid) return;
  const taken = takings[paid.by ?? "not_said"];
  taken.count += 1;
  addPrice(taken.cents, { currency: storedEstimate(answer)?.currency ?? currency, total: paid.amount / 100 });
}

function addTaken(sum: Taken, { count, cents }: Taken): void {
  sum.count += count;
  for (const [currency, amount] of Object.entries(cents)) sum.cents[currency] = (sum.cents[currency] ?? 0) + amount;
}

/** All ways together. */
export function allTaken(takings: Takings): Taken {
  const all = nothing();
  for (const way of WAYS) addTaken(all, takings[way]);
  return all;
}

/** Several days together. */
export function sumOf(days: Iterable<Takings>): Takings {
  const sum = newTakings();
  for (const day of days) for (const way of WAYS) addTaken(sum[way], day[way]);
  return sum;
}

/** `$1,250.50 (cash $200.00, card $1,050.50)`; empty when nothing was paid. */
export function takingsInWords(takings: Takings): string {
  const all = allTaken(takings);
  if (all.count === 0) return "";
  const ways = waysOf(takings).map((way) => `${wayInWords(way)} ${centsInWords(takings[way].cents)}`);
  return `${centsInWords(all.cents)} (${ways.join(", ")})`;
}

/** The ways in which something was paid. */
export function waysOf(takings: Takings): Way[] {
  return WAYS.filter((way) => takings[way].count > 0);
}

export function wayInWords(way: Way): string {
  return way === "not_said" ? "unnamed" : spaced(way);
}

export function takingsJson(takings: Takings) {
  const all = allTaken(takings);
  const json = ({ count, cents }: Taken) => ({ count, amounts: inUnits(cents) });
  return { ...json(all), ...Object.fromEntries(WAYS.map((way) => [way, json(takings[way])])) };
}

/** The takings of the months that the days lie in, by `2026-11`. @param days by date, in order */
export function byMonth(days: ReadonlyMap<string, Takings>): [string, Takings][] {
  const months = Map.groupBy(days, ([date]) => date.slice(0, "YYYY-MM".length));
  return [...months].map(([month, ofMonth]) => [month, sumOf(ofMonth.map(([, takings]) => takings))]);
}
