/** `tint deposit`: what a booking waits for, taken by hand, waived, or asked for by a link. */
import { bookedPrice } from "../../src/capabilities/booking/confirmation.ts";
import { depositAmount, dropPage, openPage } from "../../src/capabilities/booking/deposit.ts";
import { confirming, depositNews } from "../../src/capabilities/booking/hold.ts";
import { ownerPolicy } from "../../src/capabilities/booking/policy.ts";
import { PAID_BY, type PaidBy } from "../../src/constants.ts";
import { heldAsOf } from "../../src/domain/lifecycle.ts";
import { readPayments } from "../../src/env/env.ts";
import { ApiError } from "../../src/errors.ts";
import { DAY_MS, HOUR_MS } from "../../src/lib/durations.ts";
import { printedMoney } from "../../src/lib/money.ts";
import { stripePayments } from "../../src/payments/stripe.ts";
import type { Booking, NewPayment } from "../../src/store/store.ts";
import { accountOf, agreeToPaid, signedBy } from "../customers/payments.ts";
import { bookingName } from "../diary/actions.ts";
import { callAfter } from "../diary/calls.ts";
import { depositInWords, depositJson } from "../diary/deposits.ts";
import { requireBooking } from "../diary/entries.ts";
import { statusInWords } from "../diary/entry-text.ts";
import { type Desk, ownerContext, readPrice } from "../diary/owner.ts";
import { catalogForBooking } from "../shop/clock.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onGoodShop } from "../shop/on-shop.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, UsageError } from "../terminal/output.ts";
import { choiceOption } from "../typed/enums.ts";

interface DepositOptions extends CommonOptions {
  paid?: string;
  by?: PaidBy;
  waive?: boolean;
  link?: boolean;
  yes?: boolean;
}

export function configure(command: Command): void {
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
    .option("--json", "print the deposit as JSON")
    .examples("tint deposit 7F3A2B9C", "tint deposit 7F3A2B9C --paid 50 --by cash", "tint deposit 7F3A2B9C --link")
    .action(runDeposit);
}

async function runDeposit(code: string, options: DepositOptions): Promise<void> {
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
    const text = () =>
      deposit ? `The deposit of ${depositInWords(deposit, booking, desk.catalog)}\n` : "No deposit.\n";
    return { json: () => deposit && depositJson(deposit, desk.catalog), ...(!amount && !options.waive && { text }) };
  };
  await onGoodShop(options, work, { catalog: catalogForBooking(options) });
}

async function settle(booking: Booking, desk: Desk, payment: NewPayment | undefined): Promise<void> {
  const { store, catalog, now } = desk;
  const write = await confirming(
    booking,
    ownerPolicy({ anyway: true }),
    desk,
    catalog.scheduling.bays,
    payment?.amount,
  );
  const outcome = await store.settleDeposit(write, payment ?? null);
  const name = bookingName(booking, now);
  if (outcome.kind === "paid")
    throw new CliError(
      `The deposit of ${name} is paid already. Nothing was changed. For more: tint pay ${booking.confirmationCode}.`,
    );
  if (outcome.kind === "outdated") throw new CliError(`${name} was changed meanwhile: try again.`);
  if (outcome.kind === "taken") throw new CliError(`${name}: its time is taken by now. Nothing was changed.`);
  if (outcome.kind !== "confirmed") throw new CliError(`${name} is over or was cancelled. Nothing was changed.`);
  const what = payment
    ? `${printedMoney(payment.amount, catalog.currency)} is written down`
    : "no deposit is asked for";
  process.stderr.write(`${name}: ${what}${outcome.isNew ? ", and it is confirmed" : ""}.\n`);
  process.stderr.write(await callAfter(desk, booking, outcome.booking));
}

/** Makes a page where the booking has none, and sends it. */
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
  const settings = readPayments();
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
