/** `tint day`: the sheet of one day, to print. */

import { blocksOn } from "../../src/domain/bays.ts";
import { isOff } from "../../src/domain/lifecycle.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { blockJson } from "../diary/blocks.ts";
import { daySheet, sheetHtml, sheetText } from "../diary/day-sheet.ts";
import { readStanding } from "../diary/entries.ts";
import { entryJson } from "../diary/entry-text.ts";
import { readDrawer } from "../diary/takings.ts";
import { shopOf } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { DATE_FORMS, readDate } from "../typed/dates.ts";

interface DayOptions extends CommonOptions {
  html?: boolean;
}

export function configure(command: Command): void {
  command
    .argument("[date...]", `the day: ${DATE_FORMS} (default: today)`)
    .description(
      "The day's sheet to print: time, bay, name, phone, vehicle, job, price and note of each booking that was not cancelled, and what is blocked.",
    )
    .option("--html", "print a web page, for a browser and its printer")
    .option("--json", "print JSON")
    .examples("tint day", "tint day yesterday", "tint day tomorrow | lp", "tint day friday --html > friday.html")
    .action((date: string[], options: DayOptions) => day(date.join(" ") || "today", options));
}

async function day(typed: string, options: DayOptions): Promise<void> {
  const { catalog, clock } = shopOf(options.catalog);
  const date = readDate(typed, () => shopDate(clock, Temporal.Now.instant()), "nearest");
  const day = { from: date, to: date };
  const { entries, drawer } = await withStore(options, async (store) => ({
    entries: await readStanding(store, day, clock),
    drawer: await readDrawer(store, day, clock),
  }));
  if (options.json) {
    const coming = entries.filter(({ booking }) => !isOff(booking.status));
    const blocked = catalog ? blocksOn(catalog, date).map(blockJson) : [];
    await print(jsonLine({ date, bookings: coming.map((entry) => entryJson(entry, clock)), blocked }));
    return;
  }
  const sheet = daySheet(date, entries, catalog, clock, drawer.days.get(date) ?? []);
  await print(options.html ? sheetHtml(sheet) : sheetText(sheet));
}
