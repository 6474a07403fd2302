/** `tint report`: what a month, or any days, brought. */
import { shopDate } from "../../src/domain/schedule.ts";
import { GROUPS, type Group, readReport } from "../diary/report.ts";
import { reportCsv, reportJson, reportText } from "../diary/report-text.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import type { Command } from "../terminal/command.ts";
import { type CsvOptions, csvOption } from "../terminal/lists.ts";
import { terminalColumns } from "../terminal/output.ts";
import { monthOption, readReportSpan, type TypedSpan, weekOption } from "../typed/date-ranges.ts";
import { DATE_FORMS, dateOption } from "../typed/dates.ts";
import { choiceOption } from "../typed/enums.ts";

export function configure(command: Command): void {
  command
    .description(
      "What the days brought, by the date of the appointment and the prices agreed: bookings and amounts by what became of them, bay use, add-ons, and leads by agent. This month unless told otherwise. What is earned is the amount of the completed ones; what is taken is the drawer: the money paid on these days, whatever day the work is on.",
    )
    .addOption(weekOption())
    .addOption(monthOption())
    .addOption(dateOption("--date <date>", `one day: ${DATE_FORMS}`))
    .addOption(dateOption("--from <date>", `the first day: ${DATE_FORMS}`))
    .addOption(dateOption("--to <date>", "the last day (default: today)"))
    .addOption(choiceOption("--by <what>", "also in groups", GROUPS))
    .option("--json", "print JSON")
    .addOption(csvOption())
    .examples(
      "tint report",
      "tint report --month 2026-11 --by film",
      "tint report --date today --by payment",
      "tint report --from 11/1 --to 11/15 --csv",
    )
    .action(report);
}

function report(options: CommonOptions & CsvOptions & TypedSpan & { by?: Group }): Promise<void> {
  return onShop(options, async ({ store, catalog, clock, now }) => {
    const span = readReportSpan(options, shopDate(clock, now));
    const found = await readReport(store, { ...span, by: options.by ?? null }, catalog, clock, now);
    return {
      json: () => reportJson(found),
      csv: () => reportCsv(found),
      text: () => reportText(found, terminalColumns()),
    };
  });
}
