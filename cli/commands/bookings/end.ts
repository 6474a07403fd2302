/** `tint bookings complete`, `no-show` and `ready`. */
import { tellReady } from "../../../src/capabilities/desk/owner.ts";
import { PAID_BY } from "../../../src/constants.ts";
import type { BookingStatus } from "../../../src/domain/lifecycle.ts";
import type { NewPayment } from "../../../src/store/store.ts";
import { accountOf, agreeToPaid, readPayments, signedBy } from "../../customers/payments.ts";
import { closeBooking, confirmBooking, endedInWords, stepInWords } from "../../diary/actions.ts";
import { callAfter } from "../../diary/calls.ts";
import { moneyLeftInWords, unpaidInWords } from "../../diary/deposits.ts";
import { diaryEntryOf, requireBooking } from "../../diary/entries.ts";
import { entryJson, statusInWords } from "../../diary/entry-text.ts";
import { ownerContext } from "../../diary/owner.ts";
import { notSentInWords } from "../../server/outbox.ts";
import { shopPhone } from "../../shop/clock.ts";
import type { CommonOptions } from "../../shop/database.ts";
import { onGoodShop, onShop } from "../../shop/on-shop.ts";
import type { Command } from "../../terminal/command.ts";
import { CliError, clean, UsageError } from "../../terminal/output.ts";
import { choiceOption } from "../../typed/enums.ts";

export function addEnds(command: Command): void {
  command
    .command("confirm <code>")
    .summary("book a time that is held")
    .description(
      "Books a time that is held; one that was held, while a bay is free. The customer gets the messages of a new booking.",
    )
    .option("--quiet", "do not tell the customer")
    .option("--json", "print the booking as JSON")
    .examples("tint bookings --held", "tint bookings confirm 7F3A2B9C")
    .action(confirmOne);
  addMove(command, "complete", "completed", "the work is done")
    .optionsGroup("What was paid:")
    .option(
      "--paid <amount>",
      'what the customer paid, like 549 or "300 cash"; may be repeated',
      (typed, before: string[] = []) => [...before, typed],
    )
    .addOption(choiceOption("--by <way>", "how the customer paid, where --paid does not say", PAID_BY))
    .option("--tip <amount>", "a tip on top, like 20")
    .option("--yes", "do not ask about a sum other than the price")
    .examples(
      "tint bookings complete 7F3A2B9C",
      "tint bookings complete 7F3A2B9C --paid 549 --by card",
      'tint bookings complete 7F3A2B9C --paid "300 cash" --paid "250 card" --tip 20',
    );
  addMove(command, "no-show", "no_show", "the customer did not come").examples("tint bookings no-show 7F3A2B9C");
  command
    .command("ready <code>")
    .summary("text the customer that the vehicle can be picked up")
    .description(
      "Texts the customer that the vehicle is ready. The catalog has the words (messages.ready_sms) and switches it on.",
    )
    .option("--json", "print the booking as JSON")
    .examples("tint bookings ready 7F3A2B9C")
    .action(ready);
}

function addMove(command: Command, name: string, to: BookingStatus, summary: string): Command {
  return command
    .command(`${name} <code>`)
    .summary(summary)
    .description(`Marks a confirmed booking: ${summary}.`)
    .option("--quiet", "do not tell the customer")
    .option("--json", "print the booking as JSON")
    .action((code: string, options: MoveOptions) => endOne(code, to, options));
}

type MoveOptions = CommonOptions & { paid?: string[]; tip?: string; by?: string; quiet?: boolean; yes?: boolean };

export async function endOne(code: string, to: BookingStatus, options: MoveOptions): Promise<void> {
  const paid = signedBy(to === "completed" ? readPaid(options) : []);
  await onShop(options, async (desk) => {
    const { store, catalog, clock, now } = desk;
    const booking = await requireBooking(store, code);
    // Work that cannot be completed says so, and asks nothing before.
    const canEnd = booking.status === "confirmed" && booking.startAt <= now.epochMilliseconds;
    if (canEnd) await agreeToPaid(accountOf(booking, catalog?.currency), paid, options, true);
    const ended = await closeBooking(desk, booking.confirmationCode, to, paid, options.quiet);
    const entry = await diaryEntryOf(store, ended, clock);
    const call = await callAfter(desk, booking, ended, options.quiet);
    const money = moneyLeftInWords(ended, await store.depositOf(ended.id), clock);
    return {
      said: [endedInWords(entry.booking, booking, desk), call, money],
      json: () => entryJson(entry, clock),
    };
  });
}

export function confirmOne(code: string, options: MoveOptions): Promise<void> {
  return onShop(options, async (desk) => {
    const held = await requireBooking(desk.store, code);
    const unpaid = unpaidInWords(await desk.store.depositOf(held.id));
    const booked = await confirmBooking(desk, held.confirmationCode, options.quiet);
    const entry = await diaryEntryOf(desk.store, booked, desk.clock);
    return {
      said: [
        stepInWords(entry.booking, held.status, desk.now),
        unpaid,
        await callAfter(desk, held, booked, options.quiet),
      ],
      json: () => entryJson(entry, desk.clock),
    };
  });
}

function ready(code: string, options: CommonOptions): Promise<void> {
  return onGoodShop(options, async (desk) => {
    const { store, catalog, now } = desk;
    const booking = await requireBooking(store, code);
    const { confirmationCode, status, startAt, lead } = booking;
    const [name, phone] = [clean(lead.name), clean(shopPhone(lead, catalog))];
    if (status !== "confirmed" && status !== "completed")
      throw new CliError(`Booking ${confirmationCode} is ${statusInWords(status)}; nothing was sent.`);
    if (startAt > now.epochMilliseconds)
      throw new CliError(`Booking ${confirmationCode} has not begun yet; nothing was sent.`);
    const reason = await tellReady(booking, ownerContext(desk));
    if (reason !== null) throw new CliError(`${notSentInWords(reason, "ready_sms")} To call ${name}: ${phone}.`);
    const entry = await diaryEntryOf(store, booking, catalog);
    return {
      said: `The text to ${name}, ${phone}, about ${confirmationCode} waits for the server, which sends it at once.`,
      json: () => entryJson(entry, catalog),
    };
  });
}

/** @throws UsageError for an amount that cannot be read, or a way of paying without one */
function readPaid({ paid = [], tip, by }: MoveOptions): NewPayment[] {
  const way = PAID_BY.find((one) => one === by) ?? null;
  if (paid.length === 0 && tip === undefined) {
    if (way !== null) throw new UsageError("Give the amount too, like --paid 549 --by card.");
    return [];
  }
  // What nobody said the way of is other, as in old records.
  return readPayments([...paid, ...(tip === undefined ? [] : [`+${tip}`])].join(" "), way ?? "other");
}
