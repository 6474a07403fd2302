/** The deposit of a booking, as the owner reads it and as `--json` prints it; and what was paid for one that does not take place. */
import { storedEstimate } from "../../src/capabilities/booking/confirmation.ts";
import { PAID_BY } from "../../src/constants.ts";
import { bringsMoney } from "../../src/domain/lifecycle.ts";
import { paidToward, standing } from "../../src/domain/payments.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { printedMoney, toUnits } from "../../src/lib/money.ts";
import type { Booking, Deposit, DepositState, Payment } from "../../src/store/store.ts";
import type { ShopLocale } from "../shop/clock.ts";
import { momentInWords } from "../terminal/wording.ts";

const STATES: Record<DepositState, string> = {
  open: "is to be paid",
  paid: "is paid",
  expired: "was not paid",
  owed: "is to be given back",
  refunded: "was given back",
  kept: "is kept",
  waived: "is waived",
};

/** `$50.00 is paid.`, with the page to pay on while it is open. */
export function depositInWords(
  { amount, currency, state, payUntil, url, paymentIntent, lastError }: Deposit,
  booking: Booking,
  clock: ShopClock,
): string {
  const until = state === "open" ? ` until ${momentInWords(clock, payUntil)}: ${url}` : ".";
  const isByHand = state === "owed" && paymentIntent === null;
  const taken = booking.payments.filter(({ kind }) => kind === "deposit");
  const byHand = isByHand ? `, by hand: ${refundCommand(booking.confirmationCode, taken, amount)}` : "";
  const late = lastError === null ? "" : `\nStripe was asked last without an answer: ${lastError}.`;
  return `${printedMoney(amount, currency)} ${STATES[state]}${byHand}${until}${late}`;
}

/** Said where a held booking is booked without its deposit. */
export function unpaidInWords(deposit: Deposit | null): string {
  if (deposit?.state !== "open" && deposit?.state !== "expired") return "";
  return `Its deposit of ${printedMoney(deposit.amount, deposit.currency)} is not paid.`;
}

/** Tells what becomes of the deposit of a booking that ends without its work, and what else was paid. */
export function moneyLeftInWords(ended: Booking, deposit: Deposit | null, clock: ShopLocale): string {
  if (bringsMoney(ended.status)) return "";
  const { confirmationCode: code, payments } = ended;
  const isLeft = deposit?.state === "owed" || deposit?.state === "kept";
  const rest = paidToward(standing(payments)) - (isLeft ? deposit.amount : 0);
  const currency = storedEstimate(ended.answer)?.currency ?? clock.currency ?? "USD";
  const isByHand = isLeft && deposit.paymentIntent === null;
  const others = isByHand ? payments.filter(({ kind }) => kind !== "deposit") : payments;
  return [
    isLeft ? `Deposit of ${code}: ${depositInWords(deposit, ended, clock)}` : "",
    paidSoFarInWords(code, others, currency, rest),
  ]
    .filter(Boolean)
    .join(" ");
}

/** The money paid for work that does not take place, in cents, and the command that gives it back; empty where nothing is left. */
export function paidSoFarInWords(
  code: string,
  payments: readonly Payment[],
  currency: string,
  cents = paidToward(standing(payments)),
): string {
  if (cents <= 0) return "";
  return `Paid for ${code}: ${printedMoney(cents, currency)}. To give it back: ${refundCommand(code, payments, cents)}`;
}

/** The command that gives money back in the ways in which the desk took it. */
function refundCommand(code: string, payments: readonly Payment[], cents: number): string {
  const byHand = standing(payments).filter(({ reference }) => reference === null);
  let left = cents;
  const parts = PAID_BY.flatMap((by) => {
    const amount = Math.min(left, Math.max(0, paidToward(byHand.filter((one) => one.by === by))));
    left -= amount;
    return amount > 0 ? [`${toUnits(amount)} ${by}`] : [];
  });
  return `tint pay ${code} ${[...parts, ...(left > 0 ? [`${toUnits(left)} cash`] : [])].join(" ")} --as refund`;
}

export function depositJson({ amount, currency, state, payUntil, url }: Deposit, clock: ShopClock): object {
  return { state, amount: toUnits(amount), currency, pay_until: rfc3339(clock, payUntil), url };
}
