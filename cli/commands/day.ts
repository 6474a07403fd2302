/** `tint day` and `tint report`: the sheet of one day, to print, and what a month, or any days, brought. */
import type { Shop } from "../../src/catalog/shop.ts";
import { blocksOn, isWholeDay } from "../../src/domain/bays.ts";
import { ALWAYS_YEAR, dayAndDate, weekdayInWords } from "../../src/domain/dates-in-words.ts";
import { bringsMoney, isOff, workEnd } from "../../src/domain/lifecycle.ts";
import { rfc3339, shopDate } from "../../src/domain/schedule.ts";
import { doneParts, type WorkPart } from "../../src/domain/slots.ts";
import { counted } from "../../src/lib/text.ts";
import type { DiaryEntry } from "../../src/store/diary-days.ts";
import { hoursInWords } from "../catalog/opening-times.ts";
import { moneyInWords, sumInWords } from "../diary/amounts.ts";
import { blockedTime, blockJson, isBlock, whichBays, withBlocks } from "../diary/blocks.ts";
import { readStanding } from "../diary/entries.ts";
import { endInWords, entryJson, jobInWords, stateInWords } from "../diary/entry-text.ts";
import { GROUPS, type Group, readReport } from "../diary/report.ts";
import { reportCsv, reportJson, reportText } from "../diary/report-text.ts";
import { readDrawer, type Taking, takingsInWords } from "../diary/takings.ts";
import { type ShopLocale, shopPhone } from "../shop/clock.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import type { Command } from "../terminal/command.ts";
import { type CsvOptions, csvOption } from "../terminal/lists.ts";
import { clean, terminalColumns } from "../terminal/output.ts";
import { timeInWords } from "../terminal/wording.ts";
import { monthOption, readReportSpan, type TypedSpan, weekOption } from "../typed/date-ranges.ts";
import { DATE_FORMS, dateOption, readDate } from "../typed/dates.ts";
import { choiceOption } from "../typed/enums.ts";

export const configure = { day: configureDay, report: configureReport };

function configureDay(command: Command): void {
  command
    .argument("[date...]", `the day: ${DATE_FORMS} (default: today)`)
    .description(
      "The day's sheet to print: time, bay, name, phone, vehicle, job, price and note of each booking that was not cancelled, and what is blocked.",
    )
    .option("--html", "print a web page, for a browser and its printer")
    .examples("tint day", "tint day yesterday", "tint day tomorrow | lp", "tint day friday --html > friday.html")
    .jsonAction((date: string[], options: CommonOptions & { html?: boolean }) =>
      day(date.join(" ") || "today", options),
    );
}

function day(typed: string, options: CommonOptions & { html?: boolean }): Promise<void> {
  return onShop(options, async ({ store, catalog, clock, now }) => {
    const date = readDate(typed, () => shopDate(clock, now), "nearest");
    const entries = await readStanding(store, { from: date, to: date }, clock);
    const drawer = await readDrawer(store, { from: date, to: date }, clock);
    const coming = entries.filter(({ booking }) => !isOff(booking.status));
    const blocked = catalog ? blocksOn(catalog, date).map(blockJson) : [];
    const sheet = daySheet(date, entries, catalog, clock, drawer.days.get(date) ?? []);
    return {
      json: () => ({ date, bookings: coming.map((entry) => entryJson(entry, clock)), blocked }),
      text: () => (options.html ? sheetHtml(sheet) : sheetText(sheet)),
    };
  });
}

type DaySheet = ReturnType<typeof daySheet>;
type Job = ReturnType<typeof jobOf>;

/** @param catalog null while it is faulty; the sheet then has no shop's name and no hours @param takings of the day */
function daySheet(
  date: string,
  entries: readonly DiaryEntry[],
  catalog: Shop | null,
  clock: ShopLocale,
  takings: readonly Taking[],
) {
  const coming = entries.filter(({ booking }) => !isOff(booking.status));
  const worth = coming.map(({ booking }) => booking).filter(({ status }) => bringsMoney(status));
  // Work that lasts into the day was counted on the day when it began.
  const own = worth.filter((booking) => booking.date === date);
  const taken = takingsInWords(takings);
  const missed = coming.filter(({ booking }) => booking.status === "no_show").length;
  // A whole day that is blocked is at the top.
  const lines = withBlocks(coming, { from: date, to: date }, catalog ?? clock);
  const count = counted(worth.length, "booking") + (missed === 0 ? "" : `, ${counted(missed, "no-show")}`);
  return {
    title: [catalog?.business.name, dayAndDate(date, ALWAYS_YEAR)].filter(Boolean).join(", "),
    // Opening hours, the number of bookings, their sum, and the money taken.
    summary: [clean(hoursInWords(catalog, date)), count, sumInWords(own), taken && `taken ${taken}`]
      .filter(Boolean)
      .join(" · "),
    jobs: lines.flatMap((line): Job[] => {
      if (!isBlock(line)) return [jobOf(line, date, clock)];
      if (!catalog || isWholeDay(line.block)) return [];
      const [time, bay, work] = [
        blockedTime(line.block),
        whichBays(line.block, catalog),
        clean(line.block.reason ?? ""),
      ];
      return [{ time, bay, name: "blocked", phone: "", vehicle: "", work, price: "", note: "", code: "" }];
    }),
  };
}

function jobOf(entry: DiaryEntry, date: string, clock: ShopLocale) {
  const facts = entryJson(entry, clock);
  const { vehicle, estimate, status } = facts;
  const begins = facts.date === date ? "" : `${weekdayInWords(facts.date)} `;
  const parts = doneParts(clock, entry.booking);
  const at = parts.findIndex(({ startAt }) => rfc3339(clock, startAt).startsWith(date));
  const part = parts.length > 1 ? parts[at] : undefined;
  const inOnePiece = `${begins}${timeInWords(clock, entry.booking.startAt)}–${endInWords({ ...entry.booking, endAt: workEnd(entry.booking) }, clock)}`;
  const ofToday = (one: WorkPart) =>
    `${timeInWords(clock, one.startAt)}–${timeInWords(clock, one.endAt)}, day ${at + 1} of ${parts.length}`;
  return {
    time: part ? ofToday(part) : inOnePiece,
    bay: facts.bay === null ? "" : `bay ${facts.bay}`,
    name: clean(facts.customer.name),
    phone: clean(shopPhone(entry.booking.lead, clock)),
    vehicle: clean(vehicle?.description ?? ""),
    work: clean(jobInWords(facts, clock)) + (status === "confirmed" ? "" : ` (${stateInWords(status)})`),
    price: moneyInWords({ estimate, booking: entry.booking }, clock.currency ?? "USD"),
    note: clean(facts.special_requests ?? ""),
    code: facts.confirmation_code,
  };
}

/** A few lines for each job, which fit on a page of 80 columns. */
export function sheetText({ title, summary, jobs }: DaySheet): string {
  const longest = Math.max(...jobs.map(({ time }) => time.length));
  const blocks = jobs.map(({ time, bay, name, phone, vehicle, work, price, note, code }) => {
    const lines = [[bay, name, phone], [vehicle], [work], [price, code], [note && `Note: ${note}`]]
      .map((parts) => parts.filter(Boolean).join("   "))
      .filter(Boolean);
    return lines.map((line, i) => `${(i === 0 ? time : "").padEnd(longest)}   ${line}\n`).join("");
  });
  return [`${clean(title)}\n${summary}\n`, ...blocks].join("\n");
}

const STYLE = `body{font:11pt system-ui,sans-serif;margin:1.5rem}h1{font-size:15pt;margin:0}p{margin:.25rem 0 1rem}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:.35rem;text-align:left;vertical-align:top}
td:first-child,td:nth-child(4){white-space:nowrap}tr{break-inside:avoid}@page{size:landscape;margin:1cm}`;

/** A page of its own, without scripts. Text of customers is escaped. */
function sheetHtml({ title, summary, jobs }: DaySheet): string {
  const html = Bun.escapeHTML;
  const rows = jobs.map(({ time, bay, name, phone, vehicle, work, price, note, code }) => {
    const cells = [time, bay.replace("bay ", ""), name, phone, vehicle, work, price, note, code];
    return `<tr>${cells.map((text) => `<td>${html(text)}</td>`).join("")}</tr>\n`;
  });
  const heads = ["Time", "Bay", "Name", "Phone", "Vehicle", "Job", "Price", "Note", "Code"];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title><style>${STYLE}</style></head>
<body><h1>${html(title)}</h1><p>${html(summary)}</p>
<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr></thead><tbody>
${rows.join("")}</tbody></table></body></html>
`;
}

function configureReport(command: Command): void {
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
