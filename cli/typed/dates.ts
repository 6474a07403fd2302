/** Dates as an owner types them. */
import { InvalidArgumentError, Option } from "commander";
import { WEEKDAYS } from "../../src/constants.ts";
import { ALWAYS_YEAR, dayAndDate } from "../../src/domain/dates-in-words.ts";
import { addDays } from "../../src/domain/schedule.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import { date } from "../../src/schema/fields.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { notRead } from "./values.ts";

export const DATE_FORMS = "today, tomorrow, friday, next fri, in 3 days, thanksgiving, 11/23, Nov 27 or 2026-12-24";

const DAY_WORDS = ["today", "tomorrow", "yesterday", ...WEEKDAYS];

function calendarDate(typed: string): string {
  // 2026-2-3 can only be 2026-02-03.
  const written = typed.trim().replace(/-(?=\d(?:-|$))/g, "-0");
  const read = date().safeParse(written);
  if (read.success) return read.data;
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) throw new UsageError(`${clean(typed)} is not a date of the calendar.`);
  if (isMonth(typed)) throw new UsageError(monthAlone(typed));
  const guess = didYouMean(written, DAY_WORDS) ?? didYouMean(plainHoliday(written), HOLIDAY_NAMES);
  if (guess) throw new UsageError(`${clean(typed)} is not a date; did you mean ${guess}?`);
  throw notRead(typed, "a date", DATE_FORMS);
}

/** An option that takes a date. A shell hands over `--date Nov 27` as two words, and only the first is the option's. */
export function dateOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((typed: string) => {
    if (isMonth(typed)) throw new InvalidArgumentError(monthAlone(typed));
    if (BEGINNINGS.includes(typed.toLowerCase()))
      throw new InvalidArgumentError(`Put a date of several words into quotes, like "next friday" or "in 3 days".`);
    return typed;
  });
}

/** Words that only begin a date. */
const BEGINNINGS = ["next", "this", "last", "in"];

function isMonth(typed: string): boolean {
  return monthNamed(typed) > 0;
}

function monthAlone(typed: string): string {
  return `${clean(typed)} is not a date, but a month: add the day, like 11/27 or "Nov 27".`;
}

/** Which year a day without one belongs to: the next such day, the nearest, or for moments of the past the last. */
export type Lean = "next" | "nearest" | "last";

/**
 * A date of the calendar, `today`, the next day of that name (`fri`), a day near today (`next fri`, `in 3 days`, `2 weeks ago`), a holiday,
 * or a day with or without its year: `11/23`, `Nov 27`, `27th Nov`, and `Fri Nov 27, 2026` as the screens write it.
 * @param today called only when needed, because it reads the catalog @throws UsageError
 */
export function readDate(typed: string, today: () => string, lean: Lean = "next"): string {
  const word = plainDate(typed);
  const away = DAYS_AWAY[word] ?? daysAway(word);
  if (away !== undefined) return addDays(today(), away);
  const weekday = weekdayNamed(word);
  if (weekday > 0) return addDays(nextWeekday(weekday, today()), lean === "last" ? -7 : 0);
  const [, which = "", named = ""] = /^(this|next|last) ([a-z]+)$/.exec(word) ?? [];
  if (weekdayNamed(named) > 0) return weekdayOf(which, weekdayNamed(named), today(), lean);
  const [, holiday = "", ofYear] = /^(.*?)(?: (\d{4}))?$/.exec(typed.trim()) ?? [];
  const dateIn = holidayNamed(holiday);
  if (dateIn) return ofYear ? dateIn(Number(ofYear)) : inSomeYear(dateIn, today(), lean, typed);
  const day = monthAndDay(word);
  if (!day) return calendarDate(typed);
  const date =
    day.year === undefined
      ? inSomeYear((year) => dateFrom(year, day.month, day.day), today(), lean, typed)
      : dateFrom(day.year, day.month, day.day);
  if (date === null) throw new UsageError(`${clean(typed)} is not a date of the calendar.`);
  if (day.weekday !== undefined && Temporal.PlainDate.from(date).dayOfWeek !== day.weekday)
    throw new UsageError(`${clean(typed)} is not a date: that day is a ${dayAndDate(date, ALWAYS_YEAR)}.`);
  return date;
}

/** Whether it is written as a day of a month is, whether or not there is that day. */
export function isWrittenAsDate(typed: string): boolean {
  return /^\d{4}-\d{1,2}-\d{1,2}$/.test(typed) || monthAndDay(plainDate(typed)) !== undefined;
}

function plainDate(typed: string): string {
  const word = typed.trim().toLowerCase();
  return word.replace(/(\d)(?:st|nd|rd|th)\b/g, "$1");
}

const DAYS_AWAY: Readonly<Record<string, number>> = {
  ...{ today: 0, now: 0, tomorrow: 1, tmrw: 1, tmr: 1, tmw: 1, yesterday: -1 },
  ...{ "day after tomorrow": 2, "the day after tomorrow": 2, "day before yesterday": -2 },
};

/** The farthest day that is counted from today. */
const MOST_AWAY = 3660;

/** `in 3 days`, `in a week`, `2 weeks ago`; undefined for every other text. */
function daysAway(word: string): number | undefined {
  const [, ahead, unit, back, backUnit] =
    /^(?:in (a|one|\d{1,4}) (days?|weeks?)|(a|one|\d{1,4}) (days?|weeks?) ago)$/.exec(word) ?? [];
  const count = ahead ?? back;
  if (count === undefined) return undefined;
  const days = (/^\d/.test(count) ? Number(count) : 1) * ((unit ?? backUnit ?? "").startsWith("week") ? 7 : 1);
  if (days > MOST_AWAY) return undefined;
  return ahead === undefined ? -days : days;
}

/** `this fri` is in the week from Monday to Sunday, `next fri` in the one after; `last fri` is the latest before today. */
function weekdayOf(which: string, wanted: number, today: string, lean: Lean): string {
  if (which === "last") return addDays(nextWeekday(wanted, addDays(today, -1)), -7);
  const ofThisWeek = addDays(mondayOf(today), wanted - 1);
  // Nobody is booked into the past.
  const isNext = which === "next" || (lean === "next" && ofThisWeek < today);
  return addDays(ofThisWeek, isNext ? 7 : 0);
}

export function mondayOf(date: string): string {
  return addDays(date, 1 - Temporal.PlainDate.from(date).dayOfWeek);
}

/** The number of a day by its name, `fri`; Monday is 1, and 0 is for every other text. */
export function weekdayNamed(typed: string): number {
  return beginsWith(WEEKDAYS, typed.trim().toLowerCase()) + 1;
}

/** The number of a month by its name, `nov`; 0 for every other text. */
export function monthNamed(typed: string): number {
  return beginsWith(MONTHS, typed.trim().toLowerCase()) + 1;
}

const MONTHS = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

/** The place of the word that begins like this; -1 for fewer than three letters, or none. */
function beginsWith(words: readonly string[], typed: string): number {
  return typed.length < 3 ? -1 : words.findIndex((word) => word.startsWith(typed));
}

/** The next day with this number (Monday is 1), not today. */
function nextWeekday(wanted: number, today: string): string {
  const ahead = (wanted - Temporal.PlainDate.from(today).dayOfWeek + 7) % 7;
  return addDays(today, ahead === 0 ? 7 : ahead);
}

interface MonthAndDay {
  month: number;
  day: number;
  year?: number;
  /** As it was typed; Monday is 1. */
  weekday?: number;
}

/** `11/23`, `nov 27`, `27 november` or `fri nov 27`, each with or without a year. */
function monthAndDay(word: string): MonthAndDay | undefined {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d))?$/.exec(word) ?? [];
  if (month && day) return { month: Number(month), day: Number(day), ...inYear(year) };
  const [, named = "", dated = ""] = /^([a-z]+),? (.*)$/.exec(word) ?? [];
  const weekday = weekdayNamed(named);
  const text = weekday === 0 ? word : dated;
  const [, name, after, yearAfter] = /^([a-z]+)\.? ?(\d{1,2})(?:,? (\d{4}))?,?$/.exec(text) ?? [];
  const [, before, last, yearLast] = /^(\d{1,2}) ?([a-z]+)\.?(?:,? (\d{4}))?,?$/.exec(text) ?? [];
  const at = beginsWith(MONTHS, name ?? last ?? "");
  if (at < 0) return undefined;
  const ofYear = inYear(yearAfter ?? yearLast);
  return { month: at + 1, day: Number(after ?? before), ...ofYear, ...(weekday > 0 && { weekday }) };
}

/** @param year four digits, or the last two of this century */
function inYear(year: string | undefined): { year?: number } {
  return year === undefined ? {} : { year: Number(year.padStart(4, "20")) };
}

/** @param dateIn the date in a year; null where that year has none */
function inSomeYear(dateIn: (year: number) => string | null, today: string, lean: Lean, typed: string): string {
  const { year } = Temporal.PlainDate.from(today);
  // February 29 may be some years off.
  const dates = Array.from({ length: 17 }, (_, i) => dateIn(year + i - 8)).filter((date) => date !== null);
  const [next, last] = [dates.find((date) => date >= today), dates.findLast((date) => date <= today)];
  if (next === undefined || last === undefined) throw new UsageError(`${clean(typed)} is not a date of the calendar.`);
  if (lean !== "nearest") return lean === "next" ? next : last;
  const away = (date: string) => Math.abs(Temporal.PlainDate.from(today).until(date, { largestUnit: "days" }).days);
  return away(last) < away(next) ? last : next;
}

function dateFrom(year: number, month: number, day: number): string | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" }).toString();
  } catch {
    return null;
  }
}

/** A fixed day, or the nth weekday of a month: Monday is weekday 1, and nth -1 is the last one. */
type Rule = { month: number; day: number } | { month: number; weekday: number; nth: number; plus?: number };

/** Names are compared without apostrophes, points and a `day` at their end. */
const HOLIDAYS: readonly { names: readonly string[]; rule: Rule }[] = [
  { names: ["new years", "new year"], rule: { month: 1, day: 1 } },
  { names: ["mlk", "martin luther king", "martin luther king jr"], rule: { month: 1, weekday: 1, nth: 3 } },
  { names: ["valentines"], rule: { month: 2, day: 14 } },
  { names: ["presidents", "washingtons birthday"], rule: { month: 2, weekday: 1, nth: 3 } },
  { names: ["mothers"], rule: { month: 5, weekday: 7, nth: 2 } },
  { names: ["memorial"], rule: { month: 5, weekday: 1, nth: -1 } },
  { names: ["juneteenth"], rule: { month: 6, day: 19 } },
  { names: ["fathers"], rule: { month: 6, weekday: 7, nth: 3 } },
  { names: ["independence", "fourth of july", "4th of july", "july 4th"], rule: { month: 7, day: 4 } },
  { names: ["labor"], rule: { month: 9, weekday: 1, nth: 1 } },
  { names: ["columbus", "indigenous peoples"], rule: { month: 10, weekday: 1, nth: 2 } },
  { names: ["halloween"], rule: { month: 10, day: 31 } },
  { names: ["veterans"], rule: { month: 11, day: 11 } },
  { names: ["thanksgiving"], rule: { month: 11, weekday: 4, nth: 4 } },
  { names: ["black friday"], rule: { month: 11, weekday: 4, nth: 4, plus: 1 } },
  { names: ["christmas eve", "xmas eve"], rule: { month: 12, day: 24 } },
  { names: ["christmas", "xmas"], rule: { month: 12, day: 25 } },
  { names: ["new years eve", "new year eve"], rule: { month: 12, day: 31 } },
];

const HOLIDAY_NAMES = HOLIDAYS.flatMap(({ names }) => names);

/** Finds a holiday by its name: its date in a year. Undefined for every other word. */
function holidayNamed(typed: string): ((year: number) => string) | undefined {
  const name = plainHoliday(typed);
  const found = HOLIDAYS.find(({ names }) => names.includes(name));
  return found && ((year) => holidayDate(found.rule, year));
}

function plainHoliday(typed: string): string {
  return typed.toLowerCase().replace(/[’'.]/g, "").replace(/\s+/g, " ").trim().replace(/ day$/, "");
}

function holidayDate(rule: Rule, year: number): string {
  if ("day" in rule) return Temporal.PlainDate.from({ year, month: rule.month, day: rule.day }).toString();
  const { month, weekday, nth, plus = 0 } = rule;
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  const days = (weekday - first.dayOfWeek + 7) % 7;
  const matches = Array.from({ length: 5 }, (_, i) => first.add({ days: days + 7 * i })).filter(
    (date) => date.month === month,
  );
  return (matches.at(nth < 0 ? nth : nth - 1) ?? first).add({ days: plus }).toString();
}
