/** `tint block`: days, hours or bays without bookings. */
import { blockDate, blockHours, type WrittenBlockedHours } from "../../src/catalog/edit/everyday.ts";
import { blockInWords } from "../../src/domain/blocked-hours.ts";
import { daysInWords, timeOfDay } from "../../src/domain/dates-in-words.ts";
import { addEditOptions, type EditOptions, makeEdit, warnOfPast } from "../catalog/edits.ts";
import { warnOfConflicts } from "../diary/conflicts.ts";
import { shopClock } from "../shop/clock.ts";
import type { Command } from "../terminal/command.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { DAYS_FORMS, readDates } from "../typed/days.ts";
import { readTime, startNow, TIME_FORMS } from "../typed/times.ts";

interface BlockOptions extends EditOptions {
  from?: string;
  to?: string;
  bays?: string;
  reason?: string;
}

export function configure(command: Command): void {
  addEditOptions(command)
    .description(
      "Takes no bookings on a day or several, or only between some hours, or in some bays. Bookings already made stay, and are named.",
    )
    .argument("<date...>", DAYS_FORMS)
    .option("--from <time>", `only from this time on: ${TIME_FORMS}`)
    .option("--to <time>", "only up to this time; work may begin then")
    .option("--bays <number>", "blocks only so many of the bays, because a technician is away for example")
    .option("--reason <text>", "shown to customers who ask for that day")
    .examples(
      "tint block 2026-12-31",
      "tint block tomorrow",
      "tint block 12/24 to 12/31",
      "tint block friday --from noon --to 2pm",
      'tint block tomorrow --bays 1 --reason "Sam is ill"',
      'tint block 2026-12-31 --reason "Stocktaking"',
    )
    .action(async (typed: string[], options: BlockOptions) => {
      const now = () => startNow(shopClock(options.catalog), Temporal.Now.instant());
      const days = readDates(typed.join(" "), () => now().date);
      const { reason } = options;
      const part = partOfDay(options, () => now().time);
      const [first] = days;
      const last = days.at(-1) ?? first;
      const which = daysInWords(first, last);
      const block = (text: string, date: string) =>
        part ? blockHours(text, { date, ...part }) : blockDate(text, date, reason);
      const edit = await makeEdit(options, (text) => days.reduce(block, text), {
        words: ({ after }) => {
          const what = part ? blockInWords({ date: first, ...part, reason: undefined }, after) : "no bookings";
          return `${which}: ${what}${reason === undefined ? "" : ` (${clean(reason)})`}`;
        },
        json: () => ({
          date: first,
          ...(last !== first && { to: last }),
          blocked: true,
          reason: reason ?? null,
          ...(part && { hours: { from: part.from ?? null, to: part.to ?? null, bays: part.bays ?? null } }),
        }),
      });
      warnOfPast(first, edit);
      await warnOfConflicts(edit, options);
    });
}

/** The hours or bays that the options name; undefined for whole days. @throws UsageError */
function partOfDay(
  { from, to, bays, reason }: BlockOptions,
  now: () => string,
): Omit<WrittenBlockedHours, "date"> | undefined {
  if (from === undefined && to === undefined && bays === undefined) return undefined;
  const [opens, closes] = [from, to].map((time) => (time === undefined ? undefined : readTime(time, now)));
  if (opens !== undefined && closes !== undefined && closes <= opens)
    throw new UsageError(`The end, ${timeOfDay(closes)}, must be later than the beginning, ${timeOfDay(opens)}.`);
  return {
    ...(opens !== undefined && { from: opens }),
    ...(closes !== undefined && { to: closes }),
    ...(bays !== undefined && { bays: readBays(bays) }),
    ...(reason !== undefined && { reason }),
  };
}

function readBays(typed: string): number {
  if (!/^[1-9]\d?$/.test(typed)) throw new UsageError(`${clean(typed)} is not a number of bays: write it like 1.`);
  return Number(typed);
}
