/** `tint calls`: the customers whom nothing told of a move or cancellation, until they are called. */
import { rfc3339 } from "../../src/domain/schedule.ts";
import type { CallToMake } from "../../src/store/store.ts";
import { newsInWords } from "../diary/calls.ts";
import { requireBooking } from "../diary/entries.ts";
import { type ShopLocale, shopOf, shopPhone } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print, table } from "../terminal/output.ts";

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
    .summary("the customer was called")
    .description("Takes a customer off the list.")
    .option("--json", "print JSON")
    .examples("tint calls done 7F3A2B9C")
    .action(markDone);
}

async function list(options: CommonOptions): Promise<void> {
  const { clock } = shopOf(options.catalog);
  const calls = await withStore(options, (store) => store.callsToMake());
  if (options.json) await print(jsonLine(calls.map((call) => callJson(call, clock))));
  else if (calls.length === 0) process.stderr.write("Nobody must be called.\n");
  else
    await print(
      table(
        ["code", "name", "phone", "about"],
        calls.map((call) => [
          call.booking.confirmationCode,
          clean(call.booking.lead.name),
          clean(shopPhone(call.booking.lead, clock)),
          newsInWords(call, clock),
        ]),
        ["name", "about"],
      ),
    );
}

async function markDone(code: string, options: CommonOptions): Promise<void> {
  const booking = await withStore(options, async (store) => {
    const booking = await requireBooking(store, code);
    if (await store.endCall(booking.id)) return booking;
    throw new CliError(`Nobody must be called about booking ${booking.confirmationCode}. See tint calls.`);
  });
  process.stderr.write(`${clean(booking.lead.name)} was called about booking ${booking.confirmationCode}.\n`);
  if (options.json) await print(jsonLine({ confirmation_code: booking.confirmationCode, called: true }));
}

function callJson({ booking, knownAt, since }: CallToMake, clock: ShopLocale) {
  const { confirmationCode, status, lead, startAt } = booking;
  return {
    confirmation_code: confirmationCode,
    status,
    name: lead.name,
    phone: lead.phone,
    known_start: rfc3339(clock, knownAt),
    start: rfc3339(clock, startAt),
    since: rfc3339(clock, since),
  };
}
