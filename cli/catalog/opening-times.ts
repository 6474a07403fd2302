/** Opening times as an owner types them: `9-18`, `9-5`, `9am-2pm`, `9:00-12:00, 13:00-18:00`, `mon-fri 9-18, sat 9-14`, `8-5 M-F`, `closed`. */
import { catalogSchema } from "../../src/catalog/schema.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { WEEKDAYS, type Weekday } from "../../src/constants.ts";
import { blockInWords } from "../../src/domain/bays.ts";
import { timeSpan } from "../../src/domain/dates-in-words.ts";
import { planOf } from "../../src/domain/schedule.ts";
import { explainIssue } from "../../src/schema/explain.ts";
import { UsageError } from "../terminal/output.ts";

export type WeekHours = Shop["business"]["hours"];
export type OpeningTimes = WeekHours[Weekday];

const RULE = catalogSchema.shape.business.shape.hours.shape.monday;
const SPAN = /^(\d{1,2}(?::\d\d)?(?:[ap]m)?)-(\d{1,2}(?::\d\d)?(?:[ap]m)?)$/;
const LIKE = "write 9am-6pm, 9:00-18:00, or closed";

/** Reads the times of one day. @returns a sentence when they cannot be read */
export function readOpeningTimes(typed: string): OpeningTimes | string {
  const text = tidy(typed);
  if (text === "") return "Write the times like 9am-6pm, or closed.";
  if (text === "closed") return [];
  const times: OpeningTimes = [];
  for (const span of text.split(/, ?| /)) {
    const [, opens, closes] = SPAN.exec(span) ?? [];
    if (!opens || !closes) return `"${span}" is not a span of time: ${LIKE}.`;
    times.push(openSpan(opens, closes, times.at(-1)?.closes ?? EARLIEST));
  }
  const issue = RULE.safeParse(times, { error: explainIssue }).error?.issues[0];
  return issue ? `${String(issue.path.at(-1) ?? "The day")} ${issue.message}: ${LIKE}.` : times;
}

export function typedOpeningTimes(typed: string): OpeningTimes {
  const times = readOpeningTimes(typed);
  if (typeof times === "string") throw new UsageError(times);
  return times;
}

/** Reads a week; days not named are closed, a day named twice has a break. @returns a message to follow the name of the answer: "must have …" */
export function readWeekHours(typed: string): WeekHours | string {
  const hours = Object.fromEntries(WEEKDAYS.map((day): [Weekday, OpeningTimes] => [day, []])) as WeekHours;
  const { closed, rest } = withoutClosed(daysFirst(tidy(withEveryDay(typed))));
  const everyOther = WEEKDAYS.filter((day) => !closed.includes(day));
  // Days without times have those of the next part.
  let before: Weekday[] = [];
  // Times without a day belong to the days before them, and at the beginning to every day that is not closed.
  for (const part of rest.split(/,(?! ?\d) ?/)) {
    if (/^\d/.test(part)) {
      const opening = readOpeningTimes(part);
      if (typeof opening === "string") return `must have times that can be read: ${opening.slice(0, -1)}`;
      for (const day of everyOther) hours[day] = opening;
      continue;
    }
    const [, named = "", times = ""] = /^([a-z-]+)(?: (.+))?$/.exec(part) ?? [];
    const days = readWeekdays(named);
    if (!days) return `must be like mon-fri 9am-6pm, sat 9am-2pm; "${part}" is not`;
    before = [...before, ...days];
    if (times === "") continue;
    const opening = readOpeningTimes(times);
    if (typeof opening === "string") return `must have times for "${part}" that can be read: ${opening.slice(0, -1)}`;
    for (const day of before) hours[day] = [...hours[day], ...opening];
    before = [];
  }
  if (before.length > 0) return `must be like mon-fri 9am-6pm, sat 9am-2pm; "${rest}" is not`;
  const wrong = WEEKDAYS.find((day) => !RULE.safeParse(hours[day]).success);
  return wrong ? `must have the times of ${wrong} in order, without overlap` : hours;
}

/** Puts the days in front of the times in `8-5 m-f, 10-2 sat`. */
function daysFirst(text: string): string {
  if (!/^\d/.test(text)) return text;
  const turned = (whole: string, times: string, days: string) =>
    readWeekdays(days) ? `${days} ${times.replace(/,? $/, "")}` : whole;
  return text.replace(/((?:\d[\d:]*(?:[ap]m)?-\d[\d:]*(?:[ap]m)?(?:, | ))+)([a-z]+(?:-[a-z]+)?)(?=,|$)/g, turned);
}

/** Takes `closed sun, mon` out of a week's hours. */
function withoutClosed(text: string): { closed: Weekday[]; rest: string } {
  const closed: Weekday[] = [];
  const days = /(?:, )?\bclosed (?:on )?([a-z]+(?:-[a-z]+)?(?:, [a-z]+(?:-[a-z]+)?(?=,|$))*)(?=,|$)/g;
  const rest = text.replace(days, (whole, list: string) => {
    const named = list.split(", ").map(readWeekdays);
    if (named.some((one) => one === undefined)) return whole;
    closed.push(...named.flatMap((one) => one ?? []));
    return "";
  });
  return { closed, rest: rest.replace(/^, /, "") };
}

/** Reads `sat` or `mon-fri`. A range may run over the end of the week: `fri-mon`. */
export function readWeekdays(typed: string): Weekday[] | undefined {
  const [first = "", last = first] = tidy(withEveryDay(typed)).split("-");
  const [from, to] = [dayNumber(first), dayNumber(last)];
  if (from < 0 || to < 0) return undefined;
  const count = ((to - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, i) => WEEKDAYS[(from + i) % 7] ?? "monday");
}

/** `9:00 AM–12:00 PM, 1:00 PM–6:00 PM`, or `closed`. */
export function openingTimesInWords(times: readonly OpeningTimes[number][]): string {
  return times.length === 0 ? "closed" : times.map(timeSpan).join(", ");
}

/** `9:00 AM–6:00 PM`, `closed (Thanksgiving)`, `blocked: Stocktaking`; empty while there is no good catalog. */
export function hoursInWords(catalog: Shop | null, date: string): string {
  if (!catalog) return "";
  const { block, special, hours } = planOf(catalog, date);
  if (block) return `blocked${block.reason ? `: ${block.reason}` : ""}`;
  const reason = special?.reason ? ` (${special.reason})` : "";
  return openingTimesInWords(hours) + reason;
}

/** Single days with their own hours, and what is blocked, by date; several entries of one day in the order of the file. */
export function daysApart(catalog: Shop) {
  const { business, scheduling } = catalog;
  return [
    ...business.special_hours.map(({ date, hours, reason = "" }) => {
      return { kind: "special" as const, date, open: openingTimesInWords(hours), reason };
    }),
    ...scheduling.blocked_dates.map(({ date, reason = "" }) => {
      return { kind: "blocked" as const, date, open: "no bookings", reason };
    }),
    ...scheduling.blocked_hours.map(({ reason = "", ...entry }) => {
      return { kind: "blocked" as const, date: entry.date, open: blockInWords(entry, catalog), reason };
    }),
  ].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

function withEveryDay(typed: string): string {
  return typed
    .replace(/\b(?:every ?day|daily|all week|all)\b/gi, "mon-sun")
    .replace(/\bweekdays?\b/gi, "mon-fri")
    .replace(/\bweekends?\b/gi, "sat-sun");
}

/** Small letters, noon and midnight as hours, without spaces around dashes and before am and pm, and with commas between the parts. */
function tidy(typed: string): string {
  return (
    typed
      .trim()
      .toLowerCase()
      .replace(/\s+/g, " ")
      .replace(/\bnoon\b/g, "12pm")
      .replace(/\bmidnight\b/g, "12am")
      .replace(/ ?(?:[;&]|,? and\b) ?/g, ", ")
      .replace(/ ?(?:[-–—]|\b(?:to|till|until|thru|through)\b) ?/g, "-")
      .replace(/(\d) ?([ap])(?:\.?m\b\.?|\b)/g, "$1$2m")
      .replace(/([a-z]): ?/g, "$1 ")
      // A day after a time begins the next part: `mon-fri 8-5 sat 9-2`.
      .replace(/(\d(?:[ap]m)?) (?=[a-z]+(?:-[a-z]+)? \d)/g, "$1, ")
  );
}

/** One letter names a day where no other day begins with it, and t is Tuesday: `m-f`. */
function dayNumber(word: string): number {
  return word === "" || word === "s" ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(word) || `${day}s` === word);
}

/** The earliest opening that is typed without `am`: the hours before it are those of the afternoon. */
const EARLIEST = "05:00";

/** One span: `9-5` ends in the afternoon, and `1-5` begins there, too. @param earliest the span cannot begin before this */
function openSpan(opens: string, closes: string, earliest: string): OpeningTimes[number] {
  const [from, afternoon] = [clockTime(opens), clockTime(`${opens}pm`)];
  const isLater = isOfTwelve(opens) && from < earliest && from < "12:00" && closingTime(afternoon, closes) > afternoon;
  // After 1 PM a 24-hour clock was typed.
  const to = isLater || from < "13:00" ? closingTime(isLater ? afternoon : from, closes) : clockTime(closes);
  // Midnight ends a day as 24:00.
  return { opens: isLater ? afternoon : from, closes: to.replace("00:00", "24:00") };
}

/** The end after `from`: in the afternoon where it would otherwise come first. */
function closingTime(from: string, closes: string): string {
  const to = clockTime(closes);
  return isOfTwelve(closes) && to < "12:00" && to <= from ? clockTime(`${closes}pm`) : to;
}

/** Neither `am` nor `pm`, nor the zero of a 24-hour clock. */
function isOfTwelve(typed: string): boolean {
  return /^[1-9][^m]*$/.test(typed);
}

/** `9`, `9:00` and `9am` mean 09:00. */
function clockTime(typed: string): string {
  const [, hours = "", minutes = "00", half] = /^(\d+)(?::(\d\d))?([ap]m)?$/.exec(typed) ?? [];
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === "pm" ? 12 : 0);
  return `${String(hour).padStart(2, "0")}:${minutes}`;
}
