/** `tint calls`: the customers whom nothing told of a move or cancellation, until they are called. */
import { rfc3339 } from "../../src/domain/schedule.ts";
import type { CallToMake } from "../../src/store/store.ts";
import { newsInWords } from "../diary/calls.ts";
import { requireBooking } from "../diary/entries.ts";
import { type ShopLocale, shopPhone } from "../shop/clock.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import { type Column, LEAST, table } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean } from "../terminal/output.ts";

export function configure(command: Command): void {
  command.examples("tint calls", "tint calls done 7F3A2B9C");
  command
    .list()
    .summary("who must be called")
    .description(
      "Customers whose booking was moved or cancelled without a message: messages are off, they did not agree to any, or there is no address.",
    )
    .option("--json", "print JSON")
    .examples("tint calls --json")
    .action(list);
  command
    .command("done <code>")
    .completes("code", "bookings")
    .summary("the customer was called")
    .description("Takes a customer off the list.")
    .option("--json", "print JSON")
    .examples("tint calls done 7F3A2B9C")
    .action(markDone);
}

function list(options: CommonOptions): Promise<void> {
  return onShop(options, async ({ store, clock, now }) => {
    const calls = await store.callsToMake();
    const columns: Column<CallToMake>[] = [
      { name: "code", value: ({ booking }) => booking.confirmationCode },
      { name: "name", value: ({ booking }) => booking.lead.name, min: LEAST },
      { name: "phone", value: ({ booking }) => shopPhone(booking.lead, clock) },
      { name: "about", value: (call) => newsInWords(call, clock, now), min: LEAST },
    ];
    return {
      json: () => calls.map((call) => callJson(call, clock)),
      none: calls.length === 0 && "Nobody must be called.",
      text: () => table(columns, calls),
    };
  });
}

function markDone(code: string, options: CommonOptions): Promise<void> {
  return onShop(options, async ({ store }) => {
    const { id, confirmationCode, lead } = await requireBooking(store, code);
    if (!(await store.endCall(id)))
      throw new CliError(`Nobody must be called about booking ${confirmationCode}. See tint calls.`);
    return {
      said: `${clean(lead.name)} was called about booking ${confirmationCode}.`,
      json: () => ({ confirmation_code: confirmationCode, called: true }),
    };
  });
}

function callJson({ booking, knownAt, since }: CallToMake, clock: ShopLocale) {
  const { confirmationCode, status, lead, startAt } = booking;
  return {
    confirmation_code: confirmationCode,
    status,
    name: lead.name,
    phone: lead.phone,
    known_start: rfc3339(clock, knownAt ?? startAt),
    start: rfc3339(clock, startAt),
    since: rfc3339(clock, since),
  };
}
