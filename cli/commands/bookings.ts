/** `tint bookings`: the diary, one booking, and its changes. */
import { ALWAYS_YEAR, dayAndDate } from "../../src/domain/dates-in-words.ts";
import { BOOKING_STATUSES, type BookingStatus, isCancelled } from "../../src/domain/lifecycle.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { isCode, readCode } from "../../src/lib/ids.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import { diaryDays } from "../../src/store/diary-days.ts";
import { withBlocks } from "../diary/blocks.ts";
import { depositJson } from "../diary/deposits.ts";
import { diaryEntryOf, readStanding, requireBooking } from "../diary/entries.ts";
import { diaryCsv, diaryTable, entryFacts, entryJson } from "../diary/entry-text.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import { type Command, findInstead } from "../terminal/command.ts";
import { type CsvOptions, type LimitOptions, onlyFirst } from "../terminal/lists.ts";
import { factLines, UsageError } from "../terminal/output.ts";
import { EVERY_DAY, isSpanTyped, monthOption, readSpan, type TypedSpan, weekOption } from "../typed/date-ranges.ts";
import { DATE_FORMS, dateOption } from "../typed/dates.ts";
import { choiceOption } from "../typed/enums.ts";
import { addChanges } from "./bookings/change.ts";
import { addBulk, addEnds } from "./bookings/end.ts";

export function configure(command: Command): void {
  command.examples(
    "tint bookings",
    "tint bookings --date tomorrow",
    "tint bookings 7F3A2B9C",
    "tint bookings cancel 7F3A2B9C --by customer",
    "tint bookings cancel --network 203.0.113.9 --since 2h",
  );
  command.completes("code", "standing bookings").commandsGroup("Diary:");
  addList(command);
  addChanges(command);
  command.commandsGroup("How they end:").helpCommand(true);
  addEnds(command);
  addBulk(command);
}

const DAYS_SHOWN = 7;
const STATUS_WORDS = [...BOOKING_STATUSES, "cancelled"] as const;

interface ListOptions extends CommonOptions, LimitOptions, CsvOptions, TypedSpan {
  status?: (typeof STATUS_WORDS)[number];
  held?: boolean;
}

function addList(command: Command): void {
  command
    .list("the diary by day, time and bay", {
      // A word that is nearly one of the subcommands is no code.
      isName: (word) => isCode(readCode(word)) && !didYouMean(word.toLowerCase(), ["complete", "reopen"]),
      otherwise: findInstead,
      meant: ([word = ""]) => (["add", "new", "create", "book"].includes(word) ? "tint book" : undefined),
    })
    .description(
      "The diary by day, time and bay: today and the next 6 days unless told otherwise. Without dates --csv has every booking there is, and --held all that are held.",
    )
    .addOption(dateOption("--date <date>", `one day: ${DATE_FORMS}`))
    .addOption(dateOption("--from <date>", "the first day (default: today)"))
    .addOption(dateOption("--to <date>", "the last day (default: 6 days after the first)"))
    .addOption(weekOption())
    .addOption(monthOption())
    .addOption(choiceOption("--status <status>", "only bookings in this state", STATUS_WORDS))
    .option("--held", "only times that are held, and not booked yet: as --status held")
    .tableOptions()
    .examples(
      "tint bookings --date 2026-11-24",
      "tint bookings --from monday --to friday",
      "tint bookings --month last --status no_show --json",
      "tint bookings --csv > bookings.csv",
    )
    .action((options: ListOptions, { args: [code] }: Command) =>
      code === undefined ? list(options) : show(code, options),
    );
  command
    .subcommand("show <code>", "everything about one booking")
    .description("Everything about one booking. The code may be typed in any case.")
    .examples("tint bookings show 7f3a2b9c")
    .jsonAction(show);
}

async function list({ held, ...given }: ListOptions): Promise<void> {
  if (held && given.status && given.status !== "held") throw new UsageError("Give either --held or --status.");
  const options: ListOptions = held ? { ...given, status: "held" } : given;
  const isAll = !isSpanTyped(options) && (options.csv === true || options.status === "held");
  await onShop(options, async ({ store, clock, now }) => {
    // A file for the books without any dates has every booking, and what is held is wanted whatever its day.
    const { from, to } = isAll ? EVERY_DAY : readSpan(options, shopDate(clock, now), DAYS_SHOWN);
    const { limit } = options;
    // A table shows what stands on the first day too; data has each booking once, on the day when it begins.
    const before = options.json || options.csv ? [] : await readStanding(store, { from, to: from }, clock);
    const found = before.filter(({ booking: { date, status } }) => date < from && isWanted(status, options.status));
    for await (const day of diaryDays(store, from, to, clock)) {
      found.push(...day.filter(({ booking: { status } }) => isWanted(status, options.status)));
      if (found.length > limit) break;
    }
    const entries = onlyFirst(found, limit, "first");
    // A list that was cut off ends with its last booking.
    const last = found.length > limit ? (entries.at(-1)?.booking.date ?? to) : to;
    const [first, end] = [dayAndDate(from, from === to ? ALWAYS_YEAR : to), dayAndDate(to, ALWAYS_YEAR)];
    const listed = from === to ? `on ${first}` : `from ${first} to ${end}`;
    const isText = !options.json && !options.csv;
    return {
      said: isText && entries.length === 0 ? `No bookings ${isAll ? "are held" : listed}.` : "",
      json: () => entries.map((entry) => entryJson(entry, clock)),
      csv: () => diaryCsv(entries, clock),
      text: () => {
        const lines = options.status === undefined ? withBlocks(entries, { from, to: last }, clock) : entries;
        return lines.length > 0 ? diaryTable(lines, clock, now) : "";
      },
    };
  });
}

function isWanted(status: BookingStatus, wanted: ListOptions["status"]): boolean {
  return wanted === undefined || (wanted === "cancelled" ? isCancelled(status) : status === wanted);
}

function show(code: string, options: CommonOptions): Promise<void> {
  return onShop(options, async ({ store, clock, now }) => {
    const booking = await requireBooking(store, code);
    const [entry, deposit] = await Promise.all([diaryEntryOf(store, booking, clock), store.depositOf(booking.id)]);
    return {
      json: () => ({ ...entryJson(entry, clock), deposit: deposit && depositJson(deposit, clock) }),
      text: () => factLines(entryFacts(entry, clock, now, deposit)),
    };
  });
}
