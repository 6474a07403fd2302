import type { Command } from "commander";
import { unblockDate } from "../../src/catalog/everyday.ts";
import { addEditOptions, calendarDate, type EditOptions, makeEdit } from "../edits.ts";

export function configure(command: Command): void {
  addEditOptions(command)
    .description("Takes bookings again on a day that was blocked.")
    .argument("<date>", "the day, YYYY-MM-DD")
    .addHelpText("after", "\nExample:\n  tint unblock 2026-12-31")
    .action(async (typed: string, options: EditOptions) => {
      const date = calendarDate(typed);
      await makeEdit(options, (text) => unblockDate(text, date), {
        words: () => `${date}: bookings as usual`,
        json: () => ({ date, blocked: false }),
      });
    });
}
