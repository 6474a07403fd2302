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
  const byHand = isByHand ? `, by hand: ${refundCommand(booking, depositBack(booking, amount))}` : "";
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
  const code = ended.confirmationCode;
  const isLeft = deposit?.state === "owed" || deposit?.state === "kept";
  const isByHand = isLeft && deposit.paymentIntent === null;
  const rest = paidToward(standing(ended.payments)) - (isLeft ? deposit.amount : 0);
  const kept = isByHand ? depositBack(ended, deposit.amount) : [];
  const currency = storedEstimate(ended.answer)?.currency ?? clock.currency ?? "USD";
  return [
    isLeft ? `Deposit of ${code}: ${depositInWords(deposit, ended, clock)}` : "",
    rest > 0
      ? `Paid for ${code}: ${printedMoney(rest, currency)}. To give it back: ${refundCommand(ended, waysBack(byHandOf(ended), rest, kept))}`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}

type Back = Pick<Payment, "amount" | "by">;

/** The command that gives money back. */
function refundCommand({ confirmationCode }: Booking, back: readonly Back[]): string {
  return `tint pay ${confirmationCode} ${back.map(({ amount, by }) => `${toUnits(amount)} ${by}`).join(" ")} --as refund`;
}

/** What the desk itself took and gave. */
function byHandOf({ payments }: Booking): Payment[] {
  return standing(payments).filter(({ reference }) => reference === null);
}

function depositBack(booking: Booking, cents: number): Back[] {
  return waysBack(
    byHandOf(booking).filter(({ kind }) => kind === "deposit"),
    cents,
  );
}

/** The ways in which a sum goes back: those in which it was paid. @param kept what of them is counted elsewhere */
function waysBack(payments: readonly Payment[], cents: number, kept: readonly Back[] = []): Back[] {
  let left = cents;
  const back = PAID_BY.map((by) => {
    const counted = kept.reduce((sum, one) => sum + (one.by === by ? one.amount : 0), 0);
    const paid = paidToward(payments.filter((one) => one.by === by)) - counted;
    const amount = Math.min(left, Math.max(0, paid));
    left -= amount;
    return { amount, by };
  }).filter(({ amount }) => amount > 0);
  return left > 0 ? [...back, { amount: left, by: "cash" }] : back;
}

export function depositJson({ amount, currency, state, payUntil, url }: Deposit, clock: ShopClock): object {
  return { state, amount: toUnits(amount), currency, pay_until: rfc3339(clock, payUntil), url };
}
