/** `tint unblock`: ends the block of a day. */
import type { Command } from "commander";
import { unblockDate } from "../../src/catalog/edit/everyday.ts";
import { addEditOptions, type EditOptions, makeEdit } from "../catalog/edits.ts";
import { shopToday } from "../shop/clock.ts";
import { examples } from "../terminal/help.ts";
import { DATE_FORMS, readDate } from "../typed/dates.ts";

export function configure(command: Command): void {
  addEditOptions(command)
    .description("Takes bookings again on a day that was blocked.")
    .argument("<date>", `the day: ${DATE_FORMS}`)
    .addHelpText("after", examples("tint unblock 2026-12-31"))
    .action(async (typed: string, options: EditOptions) => {
      const date = readDate(typed, () => shopToday(options.catalog));
      await makeEdit(options, (text) => unblockDate(text, date), {
        words: () => `${date}: bookings as usual`,
        json: () => ({ date, blocked: false }),
      });
    });
}
