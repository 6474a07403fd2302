/** The deposit of a booking, as the owner reads it and as `--json` prints it. */
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { toUnits } from "../../src/lib/money.ts";
import type { Deposit, DepositState } from "../../src/store/store.ts";
import { momentInWords, moneyIn } from "../terminal/wording.ts";

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
  code: string,
  clock: ShopClock,
): string {
  const sum = toUnits(amount);
  const until = state === "open" ? ` until ${momentInWords(clock, payUntil)}: ${url}` : ".";
  const byHand = state === "owed" && paymentIntent === null ? `, by hand: tint pay ${code} ${sum} --as refund` : "";
  const late = lastError === null ? "" : `\nStripe was asked last without an answer: ${lastError}.`;
  return `${moneyIn(currency)(sum)} ${STATES[state]}${byHand}${until}${late}`;
}

/** Said where a held booking is booked without its deposit. */
export function unpaidInWords(deposit: Deposit | null): string {
  if (deposit?.state !== "open" && deposit?.state !== "expired") return "";
  return `Its deposit of ${moneyIn(deposit.currency)(toUnits(deposit.amount))} is not paid.`;
}

/** Said where a booking ends with its deposit paid. */
export function endedDepositInWords(deposit: Deposit | null, code: string, clock: ShopClock): string {
  const isLeft = deposit?.state === "owed" || deposit?.state === "kept";
  return isLeft ? `Its deposit of ${depositInWords(deposit, code, clock)}` : "";
}

export function depositJson({ amount, currency, state, payUntil, url }: Deposit, clock: ShopClock): object {
  return { state, amount: toUnits(amount), currency, pay_until: rfc3339(clock, payUntil), url };
}
