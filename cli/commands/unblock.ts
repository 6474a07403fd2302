/** `tint unblock`: ends the blocks of days. */
import { unblockDate } from "../../src/catalog/edit/everyday.ts";
import { daysInWords } from "../../src/domain/dates-in-words.ts";
import { addEditOptions, type EditOptions, makeEdit } from "../catalog/edits.ts";
import { shopToday } from "../shop/clock.ts";
import type { Command } from "../terminal/command.ts";
import { DAYS_FORMS, readDates } from "../typed/days.ts";

export function configure(command: Command): void {
  addEditOptions(command)
    .description("Takes bookings again on a day or several that were blocked, wholly or for some hours.")
    .argument("<date...>", DAYS_FORMS)
    .examples("tint unblock 2026-12-31")
    .action(async (typed: string[], options: EditOptions) => {
      const days = readDates(typed.join(" "), () => shopToday(options.catalog));
      const [first] = days;
      const last = days.at(-1) ?? first;
      await makeEdit(options, (text) => days.reduce(unblockDate, text), {
        words: () => `${daysInWords(first, last)}: bookings as usual`,
        json: () => ({ date: first, ...(last !== first && { to: last }), blocked: false }),
      });
    });
}
