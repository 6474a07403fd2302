/** `tint unblock`: ends the blocks of days. */
import { unblockDate } from "../../src/catalog/edit/everyday.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { blockInWords, blocksOn, isWholeDay } from "../../src/domain/bays.ts";
import { daysInWords } from "../../src/domain/dates-in-words.ts";
import { addEditOptions, type EditOptions, makeEdit } from "../catalog/edits.ts";
import { shopToday } from "../shop/clock.ts";
import type { Command } from "../terminal/command.ts";
import { clean } from "../terminal/output.ts";
import { DAYS_FORMS, readDates } from "../typed/date-ranges.ts";

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
        words: ({ before }) => {
          const was = before && first === last ? blockedInWords(before, first) : "";
          return `${daysInWords(first, last)}: ${was && `${was} → `}bookings as usual`;
        },
        json: () => ({ date: first, ...(last !== first && { to: last }), blocked: false }),
      });
    });
}

/** `no bookings (Stocktaking)`, or hours and bays. */
function blockedInWords(catalog: Shop, date: string): string {
  return blocksOn(catalog, date)
    .map((block) => {
      if (!isWholeDay(block)) return blockInWords(block, catalog);
      return `no bookings${block.reason === undefined ? "" : ` (${block.reason})`}`;
    })
    .map(clean)
    .join(", ");
}
