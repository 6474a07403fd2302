/** The drawer: the money that was taken, by the time it was paid, with the tax in it; and what changed a day that was over. */
import { storedEstimate } from "../../src/capabilities/booking/confirmation.ts";
import { owedFor, taxOwedFor } from "../../src/capabilities/desk/owed.ts";
import type { PaidBy, PaymentKind } from "../../src/constants.ts";
import { signedAmount, standing, taxIn, towardPrice, waysOf } from "../../src/domain/payments.ts";
import { addDays, momentOf, type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import type { Payer, Payment, Store } from "../../src/store/store.ts";
import type { Span } from "../typed/date-ranges.ts";
import { addPrice, type CentsByCurrency, centsInWords, inUnits } from "./amounts.ts";

export interface Taking {
  by: PaidBy;
  kind: PaymentKind;
  currency: string;
  /** Below 0 where it was paid back. */
  cents: number;
  /** The part that is tax, in cents. */
  tax: number;
}

/** What was written down, or taken back, when the day of the payment was over. */
interface DayChange extends Pick<Taking, "by" | "currency" | "cents"> {
  date: string;
  /** The later day. */
  on: string;
}

type ShopMoney = ShopClock & { currency?: string | undefined };

/** What was paid on the shop's dates [from, to], whatever day the work was on. */
export async function readDrawer(store: Pick<Store, "payers">, { from, to }: Span, clock: ShopMoney) {
  const [start, end] = [from, addDays(to, 1)].map((date) => momentOf(clock, date, "00:00"));
  /** Each payment with its day and who paid. */
  const each: { date: string; payer: Payer; taking: Taking }[] = [];
  const changes = new Map<string, DayChange>();
  for (const payer of await store.payers(start ?? 0, end ?? 0)) {
    const takings = takingsOf(payer, clock.currency);
    for (const payment of payer.payments) {
      const date = shopDate(clock, payment.paidAt);
      if (date < from || date > to) continue;
      const taking = takings.get(payment);
      if (taking) each.push({ date, payer, taking });
      for (const change of changedDays(payment, date, currencyOf(payer, clock.currency), clock)) {
        const key = [date, change.on, change.by, change.currency].join();
        changes.set(key, { ...change, cents: change.cents + (changes.get(key)?.cents ?? 0) });
      }
    }
  }
  each.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const inOrder = [...changes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
  return {
    each,
    /** By date, in order. Days without a payment are left out. */
    days: new Map(
      [...Map.groupBy(each, ({ date }) => date)].map(([date, all]) => [date, all.map(({ taking }) => taking)]),
    ),
    changes: inOrder.filter(({ cents }) => cents !== 0),
  };
}

/** The payments that stand, each with its part of the tax. Of a lead that was won without a booking no tax is known. */
export function takingsOf({ booking, currency, payments }: Payer, shop = "USD"): Map<Payment, Taking> {
  const price = { owed: (booking && owedFor(booking)) ?? 0, tax: (booking && taxOwedFor(booking)) ?? 0 };
  let paid = 0;
  const money = currencyOf({ booking, currency }, shop);
  return new Map(
    standing(payments).map((payment) => {
      const before = paid;
      paid += towardPrice(payment);
      const { by, kind } = payment;
      return [
        payment,
        { by, kind, currency: money, cents: signedAmount(payment), tax: taxIn(paid, price) - taxIn(before, price) },
      ];
    }),
  );
}

function currencyOf({ booking, currency }: Pick<Payer, "booking" | "currency">, shop = "USD"): string {
  return (booking && storedEstimate(booking.answer)?.currency) ?? currency ?? shop;
}

/** A payment of a day that was over when it was written down or taken back. */
function changedDays(payment: Payment, date: string, currency: string, clock: ShopClock): DayChange[] {
  const { by, recordedAt, undoneAt } = payment;
  const [recorded, undone] = [recordedAt, undoneAt].map((at) => (at === null ? date : shopDate(clock, at)));
  const changed = (on: string | undefined, cents: number) =>
    on !== undefined && on > date ? [{ date, on, by, currency, cents }] : [];
  return [...changed(recorded, signedAmount(payment)), ...changed(undone, -signedAmount(payment))];
}

interface Sum {
  count: number;
  cents: CentsByCurrency;
}

function sumOf(takings: readonly Taking[]): Sum {
  const cents: CentsByCurrency = {};
  for (const one of takings) addPrice(cents, { currency: one.currency, total: one.cents / 100 });
  return { count: takings.length, cents };
}

/** All together, by way of paying, how much of it was tips, deposits and refunds, and the tax in it. */
export function summary(takings: readonly Taking[]) {
  const by = (way: PaidBy) => sumOf(takings.filter((one) => one.by === way));
  const of = (kind: PaymentKind) =>
    sumOf(takings.flatMap((one) => (one.kind === kind ? [{ ...one, cents: Math.abs(one.cents) }] : [])));
  return {
    ...sumOf(takings),
    tax: sumOf(takings.flatMap((one) => (one.tax === 0 ? [] : [{ ...one, cents: one.tax }]))).cents,
    ways: { cash: by("cash"), card: by("card"), other: by("other") },
    kinds: { tips: of("tip"), deposits: of("deposit"), refunds: of("refund") },
  };
}

/** `$1,250.50 (cash $200.00, card $1,050.50), of it tips $20.00`; empty when nothing was paid. */
export function takingsInWords(takings: readonly Taking[]): string {
  if (takings.length === 0) return "";
  const { cents, ways } = summary(takings);
  const parts = waysOf(takings).map((way) => `${way} ${centsInWords(ways[way].cents)}`);
  return `${centsInWords(cents)} (${parts.join(", ")})${kindsInWords(takings)}`;
}

/** `, of it tips $20.00, deposits $100.00`, and what was paid back; empty where all were payments. */
export function kindsInWords(takings: readonly Taking[]): string {
  const { tips, deposits, refunds } = summary(takings).kinds;
  const amounts = Object.entries({ tips, deposits }).filter(([, { count }]) => count > 0);
  const parts = amounts.map(([name, { cents }]) => `${name} ${centsInWords(cents)}`);
  return [
    parts.length > 0 && `, of it ${parts.join(", ")}`,
    refunds.count > 0 && `, after refunds of ${centsInWords(refunds.cents)}`,
  ]
    .filter(Boolean)
    .join("");
}

export function takingsJson(takings: readonly Taking[]) {
  const json = ({ count, cents }: Sum) => ({ count, amounts: inUnits(cents) });
  const all = summary(takings);
  const parts = Object.entries({ ...all.ways, ...all.kinds }).map(([name, sum]) => [name, json(sum)]);
  return {
    ...json(all),
    ...(Object.keys(all.tax).length > 0 && { tax: inUnits(all.tax) }),
    ...Object.fromEntries(parts),
  };
}

/** The takings of the months that the days lie in, by `2026-11`. @param days by date, in order */
export function byMonth(days: ReadonlyMap<string, Taking[]>): [string, Taking[]][] {
  const months = Map.groupBy(days, ([date]) => date.slice(0, "YYYY-MM".length));
  return [...months].map(([month, ofMonth]) => [month, ofMonth.flatMap(([, takings]) => takings)]);
}
