import type { Command } from "commander";
import { blockDate } from "../../src/catalog/everyday.ts";
import { dataFolder } from "../../src/env.ts";
import { addEditOptions, calendarDate, type EditOptions, makeEdit, warnOfPast } from "../edits.ts";
import { Failure } from "../program.ts";
import { hasDatabase, withStore } from "../store.ts";
import { clean } from "../text.ts";

interface BlockOptions extends EditOptions {
  reason?: string;
  data?: string;
}

export function configure(command: Command): void {
  addEditOptions(command)
    .description("Takes no bookings on a day. Bookings already made stay; see `tint bookings --date`.")
    .argument("<date>", "the day, YYYY-MM-DD")
    .option("--reason <text>", "shown to customers who ask for that day")
    .addHelpText("after", '\nExamples:\n  tint block 2026-12-31\n  tint block 2026-12-31 --reason "Stocktaking"')
    .action(async (typed: string, options: BlockOptions) => {
      const date = calendarDate(typed);
      const { reason } = options;
      const edit = await makeEdit(options, (text) => blockDate(text, date, reason), {
        words: () => `${date}: no bookings${reason === undefined ? "" : ` (${clean(reason)})`}`,
        json: () => ({ date, blocked: true, reason: reason ?? null }),
      });
      warnOfPast(date, edit);
      await warnOfBookings(date, options.data);
    });
}

/** The day is blocked by now, so a database that cannot be read is no failure. */
async function warnOfBookings(date: string, data: string | undefined): Promise<void> {
  if (!hasDatabase(dataFolder(data))) return;
  try {
    const bookings = await withStore(data, (store) => store.bookings({ from: date, to: date }));
    const count = bookings.filter(({ status }) => status === "confirmed").length;
    if (count === 0) return;
    const stand = count === 1 ? "1 confirmed booking stands" : `${count} confirmed bookings stand`;
    process.stderr.write(`Note: ${stand} on that day all the same; see tint bookings --date ${date}.\n`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`Note: whether there are bookings on that day is not known. ${error.message}\n`);
  }
}
