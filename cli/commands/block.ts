import type { Command } from "commander";
import { blockDate } from "../../src/catalog/everyday.ts";
import { addEditOptions, calendarDate, type EditOptions, makeEdit } from "../edits.ts";
import { clean } from "../text.ts";

interface BlockOptions extends EditOptions {
  reason?: string;
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
      await makeEdit(options, (text) => blockDate(text, date, reason), {
        words: () => `${date}: no bookings${reason === undefined ? "" : ` (${clean(reason)})`}`,
        json: () => ({ date, blocked: true, reason: reason ?? null }),
      });
    });
}
