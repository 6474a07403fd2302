/** `tint pay` and `tint deposit`: what was paid for a booking or a won lead, and the deposit that a booking waits for. */
import { bookedPrice } from "../../src/capabilities/booking/confirmation.ts";
import { depositAmount, dropPage, openPage } from "../../src/capabilities/booking/deposit.ts";
import { confirming, depositNews } from "../../src/capabilities/booking/hold.ts";
import { ownerPolicy } from "../../src/capabilities/booking/policy.ts";
import { PAID_BY, PAYMENT_KINDS, type PaidBy, type PaymentKind } from "../../src/constants.ts";
import { heldAsOf } from "../../src/domain/lifecycle.ts";
import { readPayments as readStripe } from "../../src/env/env.ts";
import { ApiError } from "../../src/errors.ts";
import { DAY_MS, HOUR_MS } from "../../src/lib/durations.ts";
import { printedMoney } from "../../src/lib/money.ts";
import { stripePayments } from "../../src/payments/stripe.ts";
import type { Booking, NewPayment, Payment } from "../../src/store/store.ts";
import {
  accountOf,
  agreeToPaid,
  dueInWords,
  PAYMENT_FORMS,
  pay,
  paymentsTable,
  readPaidAt,
  readPayments,
  requireAccount,
  signedBy,
  undoPayments,
} from "../customers/payments.ts";
import { bookingName } from "../diary/actions.ts";
import { paymentJson } from "../diary/amounts.ts";
import { callAfter } from "../diary/calls.ts";
import { depositInWords, depositJson } from "../diary/deposits.ts";
import { requireBooking } from "../diary/entries.ts";
import { statusInWords } from "../diary/entry-text.ts";
import { type Desk, ownerContext, readPrice } from "../diary/owner.ts";
import { catalogForBooking } from "../shop/clock.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onGoodShop, onShop } from "../shop/on-shop.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, UsageError } from "../terminal/output.ts";
import { choiceOption } from "../typed/enums.ts";
import { readNote, readNumber } from "../typed/values.ts";

export const configure = { pay: configurePay, deposit: configureDeposit };

interface PayOptions extends CommonOptions {
  by?: PaidBy;
  as?: PaymentKind;
  note?: string;
  at?: string;
  list?: boolean;
  undo?: string;
  yes?: boolean;
}

function configurePay(command: Command): void {
  command
    .completes("code", "bookings")
    .argument("<code>", "the code of the booking, or the reference of a won lead")
    .argument("[amount...]", `what was paid, like 100, or ${PAYMENT_FORMS}`)
    .description(
      "Writes down what was paid for a booking or a won lead: a deposit before the work, the price, a tip, or a refund. The drawer (tint report --by payment) counts it on the day when it was paid. Without an amount, and with --list, the payments so far.",
    )
    .optionsGroup("What was paid:")
    .addOption(choiceOption("--by <way>", "how it was paid", PAID_BY))
    .addOption(choiceOption("--as <kind>", "what it is (default: payment)", PAYMENT_KINDS))
    .option("--note <text>", "a note beside it")
    .option("--at <moment>", 'when it was paid, like "yesterday 5pm" (default: now)')
    .option("--list", "the payments, also those that were taken back")
    .option("--undo <id>", "take a payment back; its record stays")
    .option("--yes", "do not ask about a sum above what is due")
    .examples(
      "tint pay 7F3A2B9C 100 --by cash --as deposit",
      "tint pay 7F3A2B9C 300 cash 250 card +20",
      "tint pay 7F3A2B9C 60 --by card --as refund",
      "tint pay 7F3A2B9C --list",
      "tint pay 7F3A2B9C --undo 12",
    )
    .jsonAction(run, "the payments as JSON");
}

async function run(code: string, amount: string[], options: PayOptions): Promise<void> {
  const typed = amount.join(" ");
  if ([typed !== "", options.list, options.undo !== undefined].filter(Boolean).length > 1)
    throw new UsageError("Give an amount, --list or --undo, one of them.");
  await onShop(options, async (till) => {
    const { store, clock, now } = till;
    const json = (payments: readonly Payment[]) => () => payments.map((payment) => paymentJson(payment, clock));
    const paidAt = options.at === undefined ? now.epochMilliseconds : readPaidAt(options.at, clock, now);
    const note = options.note === undefined ? null : readNote(options.note);
    const read = typed === "" ? [] : readPayments(typed, options.by ?? null, options.as);
    const paid = read.map((one) => ({ ...one, paidAt, note }));
    const account = await requireAccount(store, code, clock);
    if (options.undo !== undefined) {
      const id = readNumber(options.undo, "a payment", `tint pay ${account.code} --list`);
      const { told, payments } = await undoPayments(till, account, [id]);
      return { said: told, json: json(payments) };
    }
    if (paid.length === 0) {
      return {
        json: json(account.payments),
        none: account.payments.length === 0 && "No payments.",
        text: () => paymentsTable(account, clock, now),
        after: account.due === null ? [] : [dueInWords(account.due, account.currency)],
      };
    }
    await agreeToPaid(account, paid, options);
    const { told, undo, payments } = await pay(till, account, paid);
    return { said: `${told} ${undo}`, json: json(payments) };
  });
}

function configureDeposit(command: Command): void {
  command
    .completes("code", "standing bookings")
    .argument("<code>", "the code of the booking")
    .description(
      "Shows the deposit of a booking (section deposit of the catalog). --paid writes down one that you took by hand, --waive asks for none: a booking that waited for it is confirmed, and its page at Stripe ends. --link sends the customer the page to pay on, also for a booking that you made; messages go where the customer agreed to them.",
    )
    .option("--paid <amount>", "you took it by hand")
    .addOption(choiceOption("--by <way>", "how it was paid", PAID_BY))
    .option("--waive", "ask for none")
    .option("--link", "send the customer the link to pay it")
    .option("--yes", "do not ask about a sum above what is due")
    .examples("tint deposit 7F3A2B9C", "tint deposit 7F3A2B9C --paid 50 --by cash", "tint deposit 7F3A2B9C --link")
    .jsonAction(runDeposit, "the deposit as JSON");
}

async function runDeposit(code: string, options: PayOptions & { paid?: string; waive?: boolean; link?: boolean }) {
  if ([options.paid !== undefined, options.waive, options.link].filter(Boolean).length > 1)
    throw new UsageError("Give --paid, --waive or --link, one of them.");
  const amount = options.paid === undefined ? null : readPrice(options.paid);
  if (amount !== null && !options.by) throw new UsageError(`Say how it was paid: --by ${PAID_BY.join(", ")}.`);
  const work = async (desk: Desk) => {
    const booking = heldAsOf(await requireBooking(desk.store, code), desk.now.epochMilliseconds);
    const [payment] = amount === null ? [] : signedBy([{ amount, by: options.by ?? "other", kind: "deposit" }]);
    if (payment) await agreeToPaid(accountOf(booking, desk.catalog.currency), [payment], options);
    if (payment || options.waive) await settle(booking, desk, payment);
    if (options.link) await sendLink(booking, desk);
    const deposit = await desk.store.depositOf(booking.id);
    const said = deposit ? `The deposit of ${depositInWords(deposit, booking, desk.catalog)}` : "No deposit.";
    const text = () => `${said}\n`;
    return { json: () => deposit && depositJson(deposit, desk.catalog), ...(!amount && !options.waive && { text }) };
  };
  await onGoodShop(options, work, { catalog: catalogForBooking(options) });
}

async function settle(booking: Booking, desk: Desk, payment: NewPayment | undefined): Promise<void> {
  const { store, catalog, now } = desk;
  const policy = ownerPolicy({ anyway: true });
  const write = await confirming(booking, policy, desk, catalog.scheduling.bays, payment?.amount);
  const outcome = await store.settleDeposit(write, payment ?? null);
  const name = bookingName(booking, now);
  const stays: Record<string, string> = {
    paid: `The deposit of ${name} is paid already. Nothing was changed. For more: tint pay ${booking.confirmationCode}.`,
    outdated: `${name} was changed meanwhile: try again.`,
    taken: `${name}: its time is taken by now. Nothing was changed.`,
  };
  if (outcome.kind !== "confirmed")
    throw new CliError(stays[outcome.kind] ?? `${name} is over or was cancelled. Nothing was changed.`);
  const paid = payment && printedMoney(payment.amount, catalog.currency);
  const what = paid ? `${paid} is written down` : "no deposit is asked for";
  process.stderr.write(`${name}: ${what}${outcome.isNew ? ", and it is confirmed" : ""}.\n`);
  process.stderr.write(await callAfter(desk, booking, outcome.booking));
}

async function sendLink(booking: Booking, desk: Desk): Promise<void> {
  const { store, now } = desk;
  const name = bookingName(booking, now);
  const at = now.epochMilliseconds;
  const before = await store.depositOf(booking.id);
  if (!(before?.state === "open" && at < before.payUntil)) await openLink(booking, desk);
  const jobs = await depositNews("link", booking, desk);
  for (const job of jobs) await store.addMessage(booking.lead.id, job, at);
  const told = jobs.length === 0 ? "no message goes out: give the customer the link" : "the link is on its way";
  process.stderr.write(`${name}: ${told}.\n`);
}

async function openLink(booking: Booking, desk: Desk): Promise<void> {
  const { store, catalog, now } = desk;
  const settings = readStripe();
  if (!settings) throw new CliError("No deposit can be paid: STRIPE_SECRET_KEY is not set. Run tint setup.");
  const amount = depositAmount(booking.service, bookedPrice(booking), catalog);
  if (amount === null) throw new CliError("The catalog asks for no deposit of this service (section deposit).");
  if (booking.status !== "confirmed")
    throw new CliError(
      `${bookingName(booking, now)} is ${statusInWords(booking.status)}: only a booking that stands gets a new link.`,
    );
  const ctx = Object.assign(ownerContext(desk), { payments: stripePayments(settings) });
  const until = Math.min(now.epochMilliseconds + DAY_MS - HOUR_MS, booking.startAt);
  const page = await openPage(booking, amount, ctx, until).catch((error: unknown) => {
    throw error instanceof ApiError ? new CliError(`Stripe cannot be reached just now. Nothing was changed.`) : error;
  });
  const outcome = await store.openDeposit(booking.confirmationCode, page, null, now.epochMilliseconds);
  if ((await store.depositOf(booking.id))?.pageId !== page.pageId) await dropPage(page, ctx);
  if (outcome.kind !== "open") throw new CliError(`${bookingName(booking, now)} was changed meanwhile: try again.`);
}
