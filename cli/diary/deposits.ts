/** The deposit of a booking, as the owner reads it and as `--json` prints it; and what was paid for one that does not take place. */
import { storedEstimate } from "../../src/capabilities/booking/confirmation.ts";
import { bringsMoney } from "../../src/domain/lifecycle.ts";
import { paidToward, standing, towardPrice } from "../../src/domain/payments.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { printedMoney, toUnits } from "../../src/lib/money.ts";
import type { Booking, Deposit, DepositState } from "../../src/store/store.ts";
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
  const byHand = state === "owed" && paymentIntent === null ? `, by hand: ${refundCommand(booking, amount)}` : "";
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
  const rest = paidToward(standing(ended.payments)) - (isLeft ? deposit.amount : 0);
  const currency = storedEstimate(ended.answer)?.currency ?? clock.currency ?? "USD";
  return [
    isLeft ? `Deposit of ${code}: ${depositInWords(deposit, ended, clock)}` : "",
    rest > 0 ? `Paid for ${code}: ${printedMoney(rest, currency)}. To give it back: ${refundCommand(ended, rest)}` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The command that gives money back, in the way in which the desk took it. */
function refundCommand({ confirmationCode, payments }: Booking, cents: number): string {
  const taken = standing(payments).findLast((one) => one.reference === null && towardPrice(one) > 0);
  return `tint pay ${confirmationCode} ${toUnits(cents)} ${taken?.by ?? "cash"} --as refund`;
}

export function depositJson({ amount, currency, state, payUntil, url }: Deposit, clock: ShopClock): object {
  return { state, amount: toUnits(amount), currency, pay_until: rfc3339(clock, payUntil), url };
}
