/** Sums of the prices that were agreed. */
import { listedIn, storedEstimate } from "../../src/capabilities/booking/confirmation.ts";
import { dueOf } from "../../src/capabilities/desk/owed.ts";
import type { PaidBy, PaymentKind } from "../../src/constants.ts";
import { paidToward, standing, waysOf } from "../../src/domain/payments.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { toCents, toUnits } from "../../src/lib/money.ts";
import type { Booking, Payment } from "../../src/store/store.ts";
import { moneyIn } from "../terminal/wording.ts";

/** By currency: a shop that changed its currency has two. In cents, because sums of floats drift. */
export type CentsByCurrency = Record<string, number>;

export interface StoredPrice {
  currency: string;
  /** In units of the currency, as in answers of the API. */
  total: number;
  /** Bookings from before prices had tax have none. */
  tax?: { amount: number | null } | undefined;
  total_with_tax?: number | undefined;
}

/** `$598.00`, or `$598.00 + $35.88 tax = $633.88` where tax is added. */
export function priceInWords({ currency, total, tax, total_with_tax: all }: StoredPrice): string {
  const money = moneyIn(currency);
  return all === undefined ? money(total) : `${money(total)} + ${money(tax?.amount ?? 0)} tax = ${money(all)}`;
}

interface Money {
  estimate: (StoredPrice & { line_items: { code: string; amount: number }[] }) | null;
  booking: Pick<Booking, "answer" | "payments" | "status" | "endedAt">;
}

/** `$950.00 agreed (list $989.00) · paid $950.50 card · tip $20.00 · due $50.00`; a price of the list stands alone. @param currency of the shop */
export function moneyInWords({ estimate, booking }: Money, currency: string): string {
  const money = moneyIn(estimate?.currency ?? currency);
  const list = estimate && listPriceOf(estimate);
  const isAgreed = estimate !== null && list !== estimate.total;
  const agreed = isAgreed ? ` agreed${list ? ` (list ${money(list)})` : ""}` : "";
  return [estimate && priceInWords(estimate) + agreed, ...paidInWords(booking.payments, dueOf(booking), money)]
    .filter(Boolean)
    .join(" · ");
}

/** What was paid, by way where there are several; what was paid back; the tips; and what is due where part of it was paid. @param due in cents */
export function paidInWords(payments: readonly Payment[], due: number | null, money: (units: number) => string) {
  const stand = standing(payments);
  const amount = (cents: number) => money(toUnits(cents));
  const paid = stand.filter(({ kind }) => kind === "deposit" || kind === "payment");
  const by = (way: PaidBy) => amount(paidToward(paid.filter((one) => one.by === way)));
  const named = waysOf(paid).map((way) => `${by(way)} ${way === "other" ? "otherwise" : way}`);
  const sumOf = (wanted: PaymentKind) => stand.reduce((sum, one) => sum + (one.kind === wanted ? one.amount : 0), 0);
  const [back, tips] = [sumOf("refund"), sumOf("tip")];
  return [
    ...(named.length > 0 ? [`paid ${named.join(" + ")}`] : []),
    ...(back > 0 ? [`refunded ${amount(back)}`] : []),
    ...(tips > 0 ? [`tip ${amount(tips)}`] : []),
    ...(named.length > 0 && due !== null && due > 0 ? [`due ${amount(due)}`] : []),
  ];
}

/** The price of the list at the time of booking, in units of the currency, also where another was agreed. */
export function listPriceOf(estimate: Pick<NonNullable<Money["estimate"]>, "line_items">): number {
  return toUnits(listedIn(estimate).reduce((sum, { amount }) => sum + toCents(amount), 0));
}

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
  for (const price of storedPrices(bookings)) if (price.total_with_tax !== undefined) addTax(added, price);
  const tax = centsInWords(added);
  return `${centsInWords(agreed(bookings))}${tax && ` + ${tax} tax`}`;
}

function agreed(bookings: readonly Booking[]): CentsByCurrency {
  const cents: CentsByCurrency = {};
  for (const price of storedPrices(bookings)) addPrice(cents, price);
  return cents;
}

function storedPrices(bookings: readonly Booking[]): StoredPrice[] {
  return bookings.flatMap(({ answer }) => storedEstimate(answer) ?? []);
}

/** `+$29.00`, `−$29.00`. */
export function signedInWords(currency: string, cents: number): string {
  return `${cents < 0 ? "" : "+"}${centsInWords({ [currency]: cents })}`;
}

export function paymentJson({ id, amount, by, kind, paidAt, undoneAt, takenBy, note }: Payment, clock: ShopClock) {
  return {
    ...{ id, amount: toUnits(amount), by, kind },
    paid_at: rfc3339(clock, paidAt),
    ...{ note, taken_by: takenBy },
    undone_at: undoneAt === null ? null : rfc3339(clock, undoneAt),
  };
}
