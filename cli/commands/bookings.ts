import type { Command } from "commander";
import { BOOKING_STATUSES, type BookingStatus, isCancelled } from "../../src/domain/lifecycle.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import type { Store } from "../../src/store/store.ts";
import { entryOf, readDiary } from "../diary/entries.ts";
import { DIARY_HEAD, entryFacts, entryJson, entryRow, statusInWords } from "../diary/entry-text.ts";
import { Failure, Misuse } from "../failure.ts";
import { shopClock } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { clean, factLines, table } from "../terminal/text.ts";
import { dayAndDate } from "../terminal/times.ts";
import { didYouMeanCode, readCode } from "../typed/codes.ts";
import { readDate } from "../typed/dates.ts";
import { choiceOption } from "../typed/words.ts";

const DAYS_SHOWN = 7;
const STATUS_WORDS = [...BOOKING_STATUSES, "cancelled"] as const;

interface ListOptions extends CommonOptions {
  date?: string;
  from?: string;
  to?: string;
  status?: (typeof STATUS_WORDS)[number];
}

export function configure(command: Command): void {
  command.addHelpText(
    "after",
    "\nExamples:\n  tint bookings\n  tint bookings --date tomorrow\n  tint bookings show 7F3A2B9C\n  tint bookings cancel 7F3A2B9C --by customer",
  );
  listCommand(command)
    .summary("the diary by day, time and bay")
    .description("The diary by day, time and bay: today and the next 6 days unless told otherwise.")
    .option("--date <date>", "one day: YYYY-MM-DD, today or tomorrow")
    .option("--from <date>", "the first day (default: today)")
    .option("--to <date>", "the last day (default: 6 days after the first)")
    .addOption(choiceOption("--status <status>", "only bookings in this state", STATUS_WORDS))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  tint bookings --date 2026-11-24\n  tint bookings --from 2026-12-01 --to 2026-12-31 --status no_show --json",
    )
    .action((_options: object, self: Command) => list(self.optsWithGlobals<ListOptions>()));
  command
    .command("show <code>")
    .summary("everything about one booking")
    .description("Everything about one booking. The code may be typed in any case.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tint bookings show 7f3a2b9c")
    .action((code: string, _options: object, self: Command) => show(code, self.optsWithGlobals<CommonOptions>()));
  command
    .command("cancel <code>")
    .summary("cancel a booking; its time can be booked again at once")
    .description("Cancels a confirmed booking; its time can be booked again at once.")
    .addOption(choiceOption("--by <who>", "who cancels", ["shop", "customer"]).default("shop"))
    .option("--json", "print the booking as JSON")
    .addHelpText("after", "\nExample:\n  tint bookings cancel 7F3A2B9C --by customer")
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
    .addHelpText("after", `\nExample:\n  tint bookings ${name} 7F3A2B9C`)
    .action((code: string, _options: object, self: Command) => move(code, to, self.optsWithGlobals<CommonOptions>()));
}

async function list(options: ListOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const { from, to } = datesOf(options, shopDate(catalog, Temporal.Now.instant()));
  const entries = await withStore(options.data, (store) => readDiary(store, from, to));
  // Bays are given out first, so that a job keeps its bay whatever else is shown.
  const wanted = entries.filter(({ booking: { status } }) => isWanted(status, options.status));
  if (options.json) await print(jsonLine(wanted.map((entry) => entryJson(entry, catalog))));
  else if (wanted.length > 0)
    await print(
      table(
        DIARY_HEAD,
        wanted.map((entry) => entryRow(entry, catalog)),
        ["customer", "vehicle", "job"],
      ),
    );
  else process.stderr.write(`No bookings ${spanInWords(from, to)}.\n`);
}

function spanInWords(from: string, to: string): string {
  return from === to ? `on ${dayAndDate(from)}` : `from ${dayAndDate(from)} to ${dayAndDate(to)}`;
}

function isWanted(status: BookingStatus, wanted: ListOptions["status"]): boolean {
  return wanted === undefined || (wanted === "cancelled" ? isCancelled(status) : status === wanted);
}

function datesOf({ date, from, to }: ListOptions, today: string): { from: string; to: string } {
  if (date !== undefined && (from !== undefined || to !== undefined))
    throw new Misuse("Give either --date, or --from and --to.");
  const first = readDate(date ?? from ?? "today", () => today);
  const last =
    date !== undefined
      ? first
      : to === undefined
        ? Temporal.PlainDate.from(first)
            .add({ days: DAYS_SHOWN - 1 })
            .toString()
        : readDate(to, () => today);
  if (last < first) throw new Misuse(`The last day, ${last}, lies before the first, ${first}.`);
  return { from: first, to: last };
}

async function show(code: string, options: CommonOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const entry = await withStore(options.data, async (store) => {
    const booking = await store.findBooking(readCode(code));
    return booking ? entryOf(store, booking) : unknownCode(store, code);
  });
  if (options.json) await print(jsonLine(entryJson(entry, catalog)));
  else await print(factLines(entryFacts(entry, catalog)));
}

async function move(code: string, to: BookingStatus, options: CommonOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const entry = await withStore(options.data, async (store) => {
    const now = Temporal.Now.instant().epochMilliseconds;
    const outcome = await store.moveBooking(readCode(code), to, now);
    if (outcome.kind === "unknown") return unknownCode(store, code);
    if (outcome.kind === "refused") {
      const { confirmationCode, status } = outcome.booking;
      throw new Failure(
        `Booking ${confirmationCode} is ${statusInWords(status)} already; only a confirmed one can be ${statusInWords(to)}.`,
      );
    }
    if (outcome.kind === "too_early") {
      const { confirmationCode, date, time } = outcome.booking;
      throw new Failure(
        `Booking ${confirmationCode} begins ${dayAndDate(date)} ${time}, which is still to come; until then it can only be cancelled.`,
      );
    }
    return entryOf(store, outcome.booking);
  });
  const { confirmationCode, date, time, lead } = entry.booking;
  process.stderr.write(
    `Booking ${confirmationCode} (${dayAndDate(date)} ${time}, ${clean(lead.name)}) is now ${statusInWords(to)}.\n`,
  );
  if (options.json) await print(jsonLine(entryJson(entry, catalog)));
}

async function unknownCode(store: Store, typed: string): Promise<never> {
  const all = await store.bookings({ from: "0000-01-01", to: "9999-12-31" });
  const code = readCode(typed);
  const hint = didYouMeanCode(
    code,
    all.map(({ confirmationCode }) => confirmationCode),
  );
  throw new Failure(`There is no booking ${clean(code)}.${hint} See tint bookings.`);
}
