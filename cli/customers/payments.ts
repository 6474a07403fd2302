/** Payments of a booking or of a won lead: as they are typed, written down and taken back. One wording for command and screen. */
import { storedEstimate } from "../../src/capabilities/booking/confirmation.ts";
import { dueOf } from "../../src/capabilities/desk/owed.ts";
import { PAID_BY, PAYMENT_KINDS, type PaidBy, type PaymentKind } from "../../src/constants.ts";
import { dayAndDate } from "../../src/domain/dates-in-words.ts";
import { bringsMoney, isOnlyHeld } from "../../src/domain/lifecycle.ts";
import { paidToward, signedAmount, standing } from "../../src/domain/payments.ts";
import { momentOf, type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import { printedMoney } from "../../src/lib/money.ts";
import { spaced } from "../../src/lib/text.ts";
import type { Booking, LeadInFull, NewPayment, Payment, Store } from "../../src/store/store.ts";
import { bookingName } from "../diary/actions.ts";
import { signedInWords } from "../diary/amounts.ts";
import { requireBooking } from "../diary/entries.ts";
import { statusInWords } from "../diary/entry-text.ts";
import { readPrice } from "../diary/owner.ts";
import { user } from "../shop/catalog.ts";
import type { ShopLocale } from "../shop/clock.ts";
import { askToAgree } from "../terminal/asking.ts";
import { textTable } from "../terminal/columns.ts";
import { CliError, clean, UsageError } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";
import { readWord } from "../typed/enums.ts";
import { readStart, startNow } from "../typed/times.ts";
import { isReference, notRead, readReference } from "../typed/values.ts";
import { bookingCodeOf, leadDue } from "./lead-text.ts";
import { requireLead } from "./leads.ts";

/** For what is paid: a booking, or a lead that was won without one. */
interface Account {
  name: (now: Temporal.Instant) => string;
  code: string;
  leadId: string;
  payments: readonly Payment[];
  /** Cents; null where no price is known. */
  due: number | null;
  currency: string;
  /** A note to the owner who takes a payment: the work is only held, or does not take place; empty for work that does. */
  note: string;
}

export function accountOf(booking: Booking, currency = "USD"): Account {
  return {
    ...{ name: (now) => bookingName(booking, now), code: booking.confirmationCode, leadId: booking.lead.id },
    ...{ payments: booking.payments, due: dueOf(booking), note: notBookedInWords(booking) },
    currency: storedEstimate(booking.answer)?.currency ?? currency,
  };
}

function notBookedInWords(booking: Booking): string {
  const { status, confirmationCode: code } = booking;
  if (bringsMoney(status)) return "";
  const way = isOnlyHeld(booking) ? ` To book it: tint bookings confirm ${code}.` : "";
  return `Note: the booking is ${statusInWords(status)}.${way}`;
}

function accountOfLead(lead: LeadInFull, shop: ShopLocale): Account {
  const { id, reference, name, status, payments, wonAmount } = lead;
  if (status !== "won" && payments.length === 0)
    throw new CliError(`Lead ${reference} is ${status}; what is sold can be paid: tint leads won ${reference}`);
  return {
    ...{ name: () => `Lead ${reference} (${clean(name)})`, code: reference, leadId: id, payments },
    ...{ due: leadDue(lead, shop), note: "" },
    currency: wonAmount?.currency ?? shop.currency ?? "USD",
  };
}

/** @param typed the code of a booking, or the reference of a lead @throws CliError */
export async function requireAccount(store: Store, typed: string, shop: ShopLocale): Promise<Account> {
  if (!isReference(readReference(typed))) return accountOf(await requireBooking(store, typed), shop.currency);
  const lead = await requireLead(store, typed);
  const code = bookingCodeOf(lead);
  return code === null ? accountOfLead(lead, shop) : accountOf(await requireBooking(store, code), shop.currency);
}

export const PAYMENT_FORMS = "300 cash 250 card +20";

/** Words that may be before a way of paying. */
const FILLERS = ["in", "by", "with", "and", "&"];

/**
 * `300 cash 250 card +20`: amounts, each with its way of paying; `+20` is a tip, and `deposit 100 card` says what it is.
 * @param by the way of amounts without one; null where each needs its own. A tip has the way of the amount before it
 * @param kind of amounts without one
 * @throws UsageError
 */
export function readPayments(typed: string, by: PaidBy | null, kind: PaymentKind = "payment"): NewPayment[] {
  const found: { amount: number; kind: PaymentKind | null; by: PaidBy | null }[] = [];
  let named: PaymentKind | null = null;
  const words = typed
    .replace(/,(?=\s|$)/g, " ")
    .replace(/\+\s*/g, " +")
    .split(/\s+/)
    .filter((word) => word !== "" && !FILLERS.includes(word.toLowerCase()));
  for (const word of words) {
    const last = found.at(-1);
    const said = PAYMENT_KINDS.find((one) => one === word.toLowerCase());
    if (!/^[a-z]/i.test(word)) {
      const amount = readPrice(word.replace("+", ""));
      if (amount === 0) throw new UsageError(`${clean(word)} is no payment: leave it out.`);
      found.push({ amount, kind: word.startsWith("+") ? "tip" : named, by: null });
      named = null;
    } else if (said && last?.kind === null) last.kind = said;
    else if (said) named = said;
    else if (!last || last.by !== null) throw notRead(typed, "what was paid", PAYMENT_FORMS);
    else last.by = readWord("a way of paying", word, PAID_BY);
  }
  if (found.length === 0 || named !== null) throw notRead(typed, "what was paid", PAYMENT_FORMS);
  return found.map(({ amount, kind: own, by: ownWay }, i) => {
    const before = own === "tip" ? found.slice(0, i).findLast((one) => one.by !== null)?.by : null;
    const way = ownWay ?? before ?? by;
    if (way === null) throw new UsageError(`Say how it was paid, like ${PAYMENT_FORMS}: ${PAID_BY.join(", ")}.`);
    return { amount, by: way, kind: own ?? kind };
  });
}

/** `yesterday 5pm` as a moment of the past, in epoch milliseconds. @throws UsageError */
export function readPaidAt(typed: string, clock: ShopClock, now: Temporal.Instant): number {
  const today = startNow(clock, now);
  const { date, time } = readStart(typed, today, today, "last");
  const at = momentOf(clock, date, time);
  if (at > now.epochMilliseconds) throw new UsageError(`${momentInWords(clock, at, now)} is still to come.`);
  return at;
}

/** What may be a typing mistake. @param isEnd the work is done, so that less than what is due is asked about too */
export function doubtOf({ due, payments, currency }: Account, paid: readonly NewPayment[], isEnd = false) {
  const amount = (cents: number) => printedMoney(cents, currency);
  const before = paidToward(standing(payments));
  const toward = paidToward(paid);
  if (before + toward < 0) return `${amount(-toward)} is more than was paid, ${amount(before)}. Was that paid back?`;
  const isLess = isEnd && toward > 0;
  if (due === null || toward <= 0) return null;
  // Where more than the price was paid, nothing is due.
  const left = Math.max(0, due);
  if (toward === left || (toward < left && !isLess)) return null;
  const what = before === 0 ? "the price" : "what is due";
  return `${amount(toward)} is ${amount(Math.abs(toward - left))} ${toward > left ? "more" : "less"} than ${what}, ${amount(left)}. Was that paid?`;
}

/** Asks about what may be a typing mistake. @param isEnd as of `doubtOf` @throws CliError, UsageError without a yes */
export async function agreeToPaid(account: Account, paid: NewPayment[], { yes }: { yes?: boolean }, isEnd = false) {
  const doubt = yes ? null : doubtOf(account, paid, isEnd);
  if (doubt) await askToAgree(doubt, `${doubt} Then say --yes. Nothing was changed.`, "Nothing was changed.");
}

/** The same payments, but what is above the price is a tip. @param over in cents, and less than the last payment */
export function withTip(paid: readonly NewPayment[], over: number): NewPayment[] {
  const last = paid.findLast(({ kind }) => kind === "payment");
  const split = (one: NewPayment): NewPayment[] => [
    ...[{ ...one, amount: one.amount - over }],
    { ...one, amount: over, kind: "tip" },
  ];
  return paid.flatMap((one) => (one === last ? split(one) : [one]));
}

/** With the account of the computer that writes them down. */
export function signedBy(payments: readonly NewPayment[]): NewPayment[] {
  const takenBy = payments.length === 0 ? null : user();
  return payments.map((payment) => ({ ...payment, takenBy }));
}

type Till = { store: Store; clock: ShopClock; now: Temporal.Instant };

/** Writes payments down. @returns all of them, the new ones, and the sentence that says so */
export async function pay(till: Till, account: Account, paid: readonly NewPayment[]) {
  const { store, now } = till;
  const payments = await store.addPayments(account.leadId, signedBy(paid), now.epochMilliseconds);
  const made = payments.filter(({ id }) => !account.payments.some((one) => one.id === id));
  const { name, code, currency } = account;
  const due = account.due === null ? null : account.due - paidToward(made);
  const undo = made.map(({ id }) => `tint pay ${code} --undo ${id}`).join("; ");
  const told = [
    `${name(now)}: ${made.map((one) => paymentInWords(one, currency)).join(", ")}.`,
    ...daysChanged(made, currency, till, 1),
    ...(due === null || made.some(({ kind }) => kind === "refund") ? [] : [dueInWords(due, currency)]),
    ...(account.note && made.some(({ kind }) => kind !== "refund") ? [account.note] : []),
  ].join(" ");
  return { payments, made, told, undo: `To undo it: ${undo}` };
}

/** Takes payments back; the records stay. @returns all payments, and the sentence that says so @throws CliError */
export async function undoPayments(till: Till, account: Account, ids: readonly number[]) {
  const { store, now } = till;
  const { name, code, currency, leadId } = account;
  const undoneAt = now.epochMilliseconds;
  for (const id of ids)
    if (!account.payments.some((one) => one.id === id) || !(await store.undoPayment(leadId, id, undoneAt)))
      throw new CliError(`${name(now)} has no payment ${id} that stands. See tint pay ${code} --list.`);
  const payments = account.payments.map((one) => (ids.includes(one.id) ? { ...one, undoneAt } : one));
  const gone = payments.filter(({ id }) => ids.includes(id));
  const what = gone.map((one) => paymentInWords(one, currency)).join(", ");
  const told = [`${name(now)}: ${what} taken back.`, ...daysChanged(gone, currency, till, -1)].join(" ");
  return { payments, told };
}

/** `Due: $409.00.`; more than the price is said. */
export function dueInWords(due: number, currency: string): string {
  if (due === 0) return "Nothing more is due.";
  return due > 0 ? `Due: ${printedMoney(due, currency)}.` : `${printedMoney(-due, currency)} more than is due.`;
}

/** `deposit of $100.00 cash`. */
function paymentInWords({ amount, by, kind }: Payment, currency: string): string {
  return `${kind} of ${printedMoney(amount, currency)} ${by}`;
}

/** Names the days that are over and change. @param sign −1 where the payments go */
function daysChanged(
  payments: readonly Payment[],
  currency: string,
  { clock, now }: Omit<Till, "store">,
  sign: 1 | -1,
) {
  const today = shopDate(clock, now);
  return payments.flatMap((payment) => {
    const date = shopDate(clock, payment.paidAt);
    const change = `${signedInWords(currency, sign * signedAmount(payment))} ${payment.by}`;
    return date < today ? [`This changes ${dayAndDate(date, today)}, which is over: ${change}.`] : [];
  });
}

export function paymentsTable(account: Account, clock: ShopClock, now: Temporal.Instant): string {
  const rows = account.payments.map((payment) => {
    const { id, by, kind, paidAt, undoneAt, note, takenBy } = payment;
    const undone = undoneAt === null ? "" : `, taken back ${momentInWords(clock, undoneAt, now)}`;
    const amount = printedMoney(signedAmount(payment), account.currency);
    const words = [`${spaced(kind)}${undone}`, clean(note ?? ""), clean(takenBy ?? "")];
    return [String(id), momentInWords(clock, paidAt, now), amount, by, ...words];
  });
  return textTable(["id", "paid", "amount", "by", "as", "note", "taken by"], rows, ["note", "as", "taken by"]);
}
