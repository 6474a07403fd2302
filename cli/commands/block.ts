/** `tint block`: days without bookings. */
import type { Command } from "commander";
import { blockDate } from "../../src/catalog/edit/everyday.ts";
import { dataFolder } from "../../src/env/env.ts";
import { addEditOptions, type EditOptions, makeEdit, warnOfPast } from "../catalog/edits.ts";
import { readDiary } from "../diary/entries.ts";
import { Failure } from "../failure.ts";
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
    .description("Takes no bookings on a day. Bookings already made stay: see `tint bookings --date`.")
    .argument("<date>", `the day: ${DATE_FORMS}`)
    .option("--reason <text>", "shown to customers who ask for that day")
    .addHelpText(
      "after",
      examples("tint block 2026-12-31", "tint block tomorrow", 'tint block 2026-12-31 --reason "Stocktaking"'),
    )
    .action(async (typed: string, options: BlockOptions) => {
      const date = readDate(typed, () => shopToday(options.catalog));
      const { reason } = options;
      const edit = await makeEdit(options, (text) => blockDate(text, date, reason), {
        words: () => `${date}: no bookings${reason === undefined ? "" : ` (${clean(reason)})`}`,
        json: () => ({ date, blocked: true, reason: reason ?? null }),
      });
      warnOfPast(date, edit);
      await warnOfBookings(date, options);
    });
}

/** A database that cannot be read is only noted, because the change to the catalog is already made. */
async function warnOfBookings(date: string, { data, dryRun }: BlockOptions): Promise<void> {
  if (!hasDatabase(dataFolder(data))) return;
  try {
    const diary = await withStore(data, (store) => readDiary(store, date, date));
    const count = diary.filter(({ booking }) => booking.status === "confirmed").length;
    if (count === 0) return;
    const stand = count === 1 ? "1 confirmed booking" : `${count} confirmed bookings`;
    const verb = dryRun ? "would stay" : count === 1 ? "stays" : "stay";
    process.stderr.write(`Note: ${stand} on that day ${verb}; see tint bookings --date ${date}.\n`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`Note: the bookings of that day could not be read. ${error.message}\n`);
  }
}
