/** `tint report`: what a month, or any days, brought. */
import { shopDate } from "../../src/domain/schedule.ts";
import { GROUPS, type Group, readReport } from "../diary/report.ts";
import { reportCsv, reportJson, reportText } from "../diary/report-text.ts";
import { shopOf } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { type CsvOptions, csvOption } from "../terminal/lists.ts";
import { clean, jsonLine, print, terminalColumns, UsageError } from "../terminal/output.ts";
import { DATE_FORMS, dateOption, monthOf, readSpan } from "../typed/dates.ts";
import { choiceOption } from "../typed/enums.ts";

interface ReportOptions extends CommonOptions, CsvOptions {
  month?: string;
  from?: string;
  to?: string;
  by?: Group;
}

export function configure(command: Command): void {
  command
    .description(
      "What the days brought, by the date of the appointment and the prices agreed: bookings and amounts by what became of them, bay use, add-ons, and leads by agent. This month unless told otherwise. What is earned is the amount of the completed ones.",
    )
    .option("--month <month>", "a month, like 2026-11")
    .addOption(dateOption("--from <date>", `the first day: ${DATE_FORMS}`))
    .addOption(dateOption("--to <date>", "the last day (default: today)"))
    .addOption(choiceOption("--by <what>", "also in groups", GROUPS))
    .option("--json", "print JSON")
    .addOption(csvOption())
    .examples("tint report", "tint report --month 2026-11 --by film", "tint report --from 11/1 --to 11/15 --csv")
    .action(report);
}

async function report(options: ReportOptions): Promise<void> {
  const { catalog, clock } = shopOf(options.catalog);
  const span = spanOf(options, shopDate(clock, Temporal.Now.instant()));
  const found = await withStore(options, (store) =>
    readReport(store, { ...span, by: options.by ?? null }, catalog, clock),
  );
  if (options.json) await print(jsonLine(reportJson(found)));
  else await print(options.csv ? reportCsv(found) : reportText(found, terminalColumns()));
}

/** @throws UsageError */
function spanOf({ month, from, to }: ReportOptions, today: string): { from: string; to: string } {
  if (month === undefined)
    return from === undefined && to === undefined
      ? monthOf(today)
      : readSpan({ from: from ?? monthOf(today).from, to: to ?? today }, today, 1);
  if (from !== undefined || to !== undefined) throw new UsageError("Give either --month, or --from and --to.");
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new UsageError(`${clean(month)} is not a month: write it like 2026-11.`);
  return monthOf(`${month}-01`);
}
