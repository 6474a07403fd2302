/** Sums of the prices that were agreed. */
import { listedIn, storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import { toCents, toUnits } from "../../src/lib/money.ts";
import type { Booking } from "../../src/store/store.ts";
import { moneyIn } from "../terminal/wording.ts";

/** By currency: a shop that changed its currency has two. In cents, because sums of floats drift. */
export type CentsByCurrency = Record<string, number>;

export interface StoredPrice {
  currency: string;
  /** In units of the currency, as in answers of the API. */
  total: number;
  /** Bookings from before prices had tax have none. */
  tax?: { amount: number | null } | undefined;
  /** The tax, where it is added. */
  total_with_tax?: number | undefined;
}

/** `$598.00`, or `$598.00 + $35.88 tax = $633.88` where tax is added. */
export function priceInWords({ currency, total, tax, total_with_tax: all }: StoredPrice): string {
  const money = moneyIn(currency);
  return all === undefined ? money(total) : `${money(total)} + ${money(tax?.amount ?? 0)} tax = ${money(all)}`;
}

interface Money {
  estimate: (StoredPrice & { line_items: { code: string; amount: number }[] }) | null;
  paid: Booking["paid"];
}

/** `$950.00 agreed (list $989.00) · paid $950.50 card`; a price of the list stands alone. @param currency of the shop */
export function moneyInWords({ estimate, paid }: Money, currency: string): string {
  const money = moneyIn(estimate?.currency ?? currency);
  const list = estimate && listPriceOf(estimate);
  const isAgreed = estimate !== null && list !== estimate.total;
  const agreed = isAgreed ? ` agreed${list ? ` (list ${money(list)})` : ""}` : "";
  const way = paid?.by ? ` ${paid.by === "other" ? "otherwise" : paid.by}` : "";
  return [estimate && priceInWords(estimate) + agreed, paid && `paid ${money(toUnits(paid.amount))}${way}`]
    .filter(Boolean)
    .join(" · ");
}

/** The price of the list at the time of booking, in units of the currency, also where another was agreed. */
export function listPriceOf(estimate: Pick<NonNullable<Money["estimate"]>, "line_items">): number {
  return toUnits(listedIn(estimate).reduce((sum, { amount }) => sum + toCents(amount), 0));
}

/** What the customer owes, in cents: with tax that is added. Null where no price was named. */
export function dueOf({ answer }: Pick<Booking, "answer">): number | null {
  const estimate = storedEstimate(answer);
  return estimate ? toCents(estimate.total_with_tax ?? estimate.total) : null;
}

/** The tax in a price or on top of it. */
export function addTax(cents: CentsByCurrency, { currency, tax }: StoredPrice): void {
  if (tax?.amount) addPrice(cents, { currency, total: tax.amount });
}

export function addPrice(cents: CentsByCurrency, { currency, total }: StoredPrice): void {
  cents[currency] = (cents[currency] ?? 0) + toCents(total);
}

/** `$1,058.00`; empty when nothing has a price. */
export function centsInWords(cents: CentsByCurrency): string {
  return Object.entries(cents)
    .map(([currency, amount]) => moneyIn(currency)(amount / 100))
    .join(" + ");
}

/** As `--json` prints amounts. */
export function inUnits(cents: CentsByCurrency): Record<string, number> {
  return Object.fromEntries(Object.entries(cents).map(([currency, amount]) => [currency, amount / 100]));
}

/** The sum of the agreed prices in units; a job without a price adds nothing. */
export function totals(bookings: readonly Booking[]): Record<string, number> {
  return inUnits(agreed(bookings));
}

/** `$1,058.00`, with tax that is added `$1,058.00 + $63.48 tax`; empty when nothing has a price. */
export function sumInWords(bookings: readonly Booking[]): string {
  const added: CentsByCurrency = {};
  for (const price of pricesOf(bookings)) if (price.total_with_tax !== undefined) addTax(added, price);
  const tax = centsInWords(added);
  return `${centsInWords(agreed(bookings))}${tax && ` + ${tax} tax`}`;
}

function agreed(bookings: readonly Booking[]): CentsByCurrency {
  const cents: CentsByCurrency = {};
  for (const price of pricesOf(bookings)) addPrice(cents, price);
  return cents;
}

function pricesOf(bookings: readonly Booking[]): StoredPrice[] {
  return bookings.flatMap(({ answer }) => storedEstimate(answer) ?? []);
}

/** The price as it was stored; null when no vehicle was named. */
export function storedEstimate(answer: unknown) {
  return storedConfirmation.pick({ estimate: true }).safeParse(answer).data?.estimate ?? null;
}
