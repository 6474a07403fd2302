/** `tint block`: days without bookings. */
import type { Command } from "commander";
import { blockDate } from "../../src/catalog/edit/everyday.ts";
import { datesFrom } from "../../src/domain/schedule.ts";
import { dataFolder } from "../../src/env/env.ts";
import { addEditOptions, type EditOptions, makeEdit, warnOfPast } from "../catalog/edits.ts";
import { readDiary } from "../diary/entries.ts";
import { Failure, Misuse } from "../failure.ts";
import { shopToday } from "../shop/clock.ts";
import { hasDatabase, withStore } from "../shop/database.ts";
import { examples } from "../terminal/help.ts";
import { clean } from "../terminal/text.ts";
import { DATE_FORMS, readDate } from "../typed/dates.ts";

interface BlockOptions extends EditOptions {
  reason?: string;
  data?: string;
}

export function configure(command: Command): void {
  addEditOptions(command)
    .description("Takes no bookings on a day or several. Bookings already made stay: see `tint bookings --date`.")
    .argument("<date>", `the day, or the first and last like 2026-12-24..2026-12-31: ${DATE_FORMS}`)
    .option("--reason <text>", "shown to customers who ask for that day")
    .addHelpText(
      "after",
      examples(
        "tint block 2026-12-31",
        "tint block tomorrow",
        "tint block 2026-12-24..2026-12-31",
        'tint block 2026-12-31 --reason "Stocktaking"',
      ),
    )
    .action(async (typed: string, options: BlockOptions) => {
      const days = readDays(typed, options);
      const { reason } = options;
      const [first = "", last = first] = [days[0], days.at(-1)];
      const which = first === last ? first : `${first} to ${last}`;
      const block = (text: string) => days.reduce((edited, day) => blockDate(edited, day, reason), text);
      const edit = await makeEdit(options, block, {
        words: () => `${which}: no bookings${reason === undefined ? "" : ` (${clean(reason)})`}`,
        json: () => ({ date: first, ...(last !== first && { to: last }), blocked: true, reason: reason ?? null }),
      });
      warnOfPast(first, edit);
      await warnOfBookings(first, last, options);
    });
}

/** Longer spans are probably slips. */
const MOST_DAYS = 366;

/** The days of `DATE` or `DATE..DATE`. @throws Misuse */
function readDays(typed: string, { catalog }: BlockOptions): string[] {
  const [first = "", last = first] = typed.split("..");
  const read = (date: string) => readDate(date, () => shopToday(catalog));
  const [from, to] = [read(first), read(last)];
  const days = Temporal.PlainDate.from(from).until(to, { largestUnit: "days" }).days + 1;
  if (days < 1) throw new Misuse(`The last day, ${to}, is before the first, ${from}.`);
  if (days > MOST_DAYS) throw new Misuse(`At most ${MOST_DAYS} days are blocked at one go; these are ${days}.`);
  return datesFrom(from, days);
}

/** A database that cannot be read is only noted, because the change to the catalog is already made. */
async function warnOfBookings(from: string, to: string, { data, dryRun }: BlockOptions): Promise<void> {
  if (!hasDatabase(dataFolder(data))) return;
  try {
    const diary = await withStore(data, (store) => readDiary(store, from, to));
    const count = diary.filter(({ booking }) => booking.status === "confirmed").length;
    if (count === 0) return;
    const stand = count === 1 ? "1 confirmed booking" : `${count} confirmed bookings`;
    const verb = dryRun ? "would stay" : count === 1 ? "stays" : "stay";
    const see = from === to ? `--date ${from}` : `--from ${from} --to ${to}`;
    process.stderr.write(
      `Note: ${stand} on ${from === to ? "that day" : "those days"} ${verb}; see tint bookings ${see}.\n`,
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`Note: the bookings of that day could not be read. ${error.message}\n`);
  }
}
