/** `tint bookings`: the diary, one booking, and ending it. */
import type { Command } from "commander";
import { BOOKING_STATUSES, type BookingStatus, isCancelled } from "../../src/domain/lifecycle.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { type DiaryEntry, diaryDays, entryOf } from "../diary/entries.ts";
import { entryJson } from "../diary/entry-json.ts";
import { DIARY_HEAD, entryFacts, entryRow } from "../diary/entry-text.ts";
import { findBooking } from "../diary/find.ts";
import { moveBooking, movedInWords } from "../diary/moves.ts";
import { shopClock } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { examples } from "../terminal/help.ts";
import { type LimitOptions, limitOption } from "../terminal/long-lists.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { factLines, table } from "../terminal/text.ts";
import { dayAndDate } from "../terminal/times.ts";
import { DATE_FORMS, readSpan, type TypedSpan } from "../typed/dates.ts";
import { choiceOption } from "../typed/words.ts";

const DAYS_SHOWN = 7;
const STATUS_WORDS = [...BOOKING_STATUSES, "cancelled"] as const;

interface ListOptions extends CommonOptions, LimitOptions, TypedSpan {
  status?: (typeof STATUS_WORDS)[number];
}

export function configure(command: Command): void {
  command.addHelpText(
    "after",
    examples(
      "tint bookings",
      "tint bookings --date tomorrow",
      "tint bookings show 7F3A2B9C",
      "tint bookings cancel 7F3A2B9C --by customer",
    ),
  );
  listCommand(command)
    .summary("the diary by day, time and bay")
    .description("The diary by day, time and bay: today and the next 6 days unless told otherwise.")
    .option("--date <date>", `one day: ${DATE_FORMS}`)
    .option("--from <date>", "the first day (default: today)")
    .option("--to <date>", "the last day (default: 6 days after the first)")
    .addOption(choiceOption("--status <status>", "only bookings in this state", STATUS_WORDS))
    .addOption(limitOption())
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples(
        "tint bookings --date 2026-11-24",
        "tint bookings --from 2026-12-01 --to 2026-12-31 --status no_show --json",
      ),
    )
    .action((_options: object, self: Command) => list(self.optsWithGlobals<ListOptions>()));
  command
    .command("show <code>")
    .summary("everything about one booking")
    .description("Everything about one booking. The code may be typed in any case.")
    .option("--json", "print JSON")
    .addHelpText("after", examples("tint bookings show 7f3a2b9c"))
    .action((code: string, _options: object, self: Command) => show(code, self.optsWithGlobals<CommonOptions>()));
  command
    .command("cancel <code>")
    .summary("cancel a booking; its time can be booked again at once")
    .description("Cancels a confirmed booking; its time can be booked again at once.")
    .addOption(choiceOption("--by <who>", "who cancels", ["shop", "customer"]).default("shop"))
    .option("--json", "print the booking as JSON")
    .addHelpText("after", examples("tint bookings cancel 7F3A2B9C --by customer"))
    .action((code: string, _options: object, self: Command) => {
      const options = self.optsWithGlobals<CommonOptions & { by: string }>();
      return move(code, options.by === "customer" ? "cancelled_by_customer" : "cancelled_by_shop", options);
    });
  addMove(command, "complete", "completed", "the work is done");
  addMove(command, "no-show", "no_show", "the customer did not come");
}

function addMove(command: Command, name: string, to: BookingStatus, summary: string): void {
  command
    .command(`${name} <code>`)
    .summary(summary)
    .description(`Marks a confirmed booking: ${summary}.`)
    .option("--json", "print the booking as JSON")
    .addHelpText("after", examples(`tint bookings ${name} 7F3A2B9C`))
    .action((code: string, _options: object, self: Command) => move(code, to, self.optsWithGlobals<CommonOptions>()));
}

async function list(options: ListOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const { from, to } = readSpan(options, shopDate(catalog, Temporal.Now.instant()), DAYS_SHOWN);
  const { limit } = options;
  const found = await withStore(options.data, async (store) => {
    const wanted: DiaryEntry[] = [];
    for await (const day of diaryDays(store, from, to)) {
      wanted.push(...day.filter(({ booking: { status } }) => isWanted(status, options.status)));
      if (wanted.length > limit) break;
    }
    return wanted;
  });
  const entries = found.slice(0, limit);
  if (found.length > limit) process.stderr.write(`Only the first ${limit} are shown; --limit shows more.\n`);
  if (options.json) await print(jsonLine(entries.map((entry) => entryJson(entry, catalog))));
  else if (entries.length === 0) process.stderr.write(`No bookings ${spanInWords(from, to)}.\n`);
  else {
    const rows = entries.map((entry) => entryRow(entry, catalog));
    await print(table(DIARY_HEAD, rows, ["customer", "vehicle", "job"]));
  }
}

function spanInWords(from: string, to: string): string {
  return from === to ? `on ${dayAndDate(from)}` : `from ${dayAndDate(from)} to ${dayAndDate(to)}`;
}

function isWanted(status: BookingStatus, wanted: ListOptions["status"]): boolean {
  return wanted === undefined || (wanted === "cancelled" ? isCancelled(status) : status === wanted);
}

async function show(code: string, options: CommonOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const entry = await withStore(options.data, async (store) => entryOf(store, await findBooking(store, code)));
  await print(options.json ? jsonLine(entryJson(entry, catalog)) : factLines(entryFacts(entry, catalog)));
}

async function move(code: string, to: BookingStatus, options: CommonOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const entry = await withStore(options.data, async (store) => {
    const { confirmationCode } = await findBooking(store, code);
    const now = Temporal.Now.instant().epochMilliseconds;
    return entryOf(store, await moveBooking(store, confirmationCode, to, now));
  });
  process.stderr.write(`${movedInWords(entry.booking)}\n`);
  if (options.json) await print(jsonLine(entryJson(entry, catalog)));
}
