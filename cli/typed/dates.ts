/** Dates as an owner types them. */
import { InvalidArgumentError, Option } from "commander";
import { WEEKDAYS } from "../../src/constants.ts";
import { addDays } from "../../src/domain/schedule.ts";
import { ALWAYS_YEAR, dayAndDate } from "../../src/domain/spoken-dates.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import { date } from "../../src/schema/fields.ts";
import { clean, UsageError } from "../terminal/output.ts";

/** The forms that `readDate` takes. */
export const DATE_FORMS = "today, tomorrow, friday, 11/23, Nov 27 or 2026-12-24";

/** For an argument of `readDays` on the command line. */
export const DAYS_FORMS = `the day, or the first and last like 12/24 to 12/31: ${DATE_FORMS}`;

const DAY_WORDS = ["today", "tomorrow", "yesterday", ...WEEKDAYS];

function calendarDate(typed: string): string {
  // 2026-2-3 can only be 2026-02-03.
  const written = typed.trim().replace(/-(?=\d(?:-|$))/g, "-0");
  const read = date().safeParse(written);
  if (read.success) return read.data;
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) throw new UsageError(`${clean(typed)} is not a date of the calendar.`);
  if (isMonth(typed)) throw new UsageError(monthAlone(typed));
  const guess = didYouMean(written, DAY_WORDS);
  if (guess) throw new UsageError(`${clean(typed)} is not a date; did you mean ${guess}?`);
  throw new UsageError(`${clean(typed) || "An empty text"} is not a date: write it like ${DATE_FORMS}.`);
}

/** An option that takes a date. A shell hands over `--date Nov 27` as two words, and only the first is the option's. */
export function dateOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((typed: string) => {
    if (isMonth(typed)) throw new InvalidArgumentError(monthAlone(typed));
    return typed;
  });
}

function isMonth(typed: string): boolean {
  return beginsWith(MONTHS, typed.trim().toLowerCase()) >= 0;
}

function monthAlone(typed: string): string {
  return `${clean(typed)} is not a date, but a month: add the day, like 11/27 or "Nov 27".`;
}

/** Which year a day without one belongs to: the next such day, the nearest, or for moments of the past the last. */
type Lean = "next" | "nearest" | "last";

/**
 * A date of the calendar, `today`, `tomorrow`, `yesterday`, the next day of that name (`fri`), or a day with or without its year:
 * `11/23`, `11/23/2026`, `Nov 27`, `27th Nov`, and `Fri Nov 27, 2026` as the screens write it.
 * @param today called only when needed, because it reads the catalog
 * @throws UsageError
 */
export function readDate(typed: string, today: () => string, lean: Lean = "next"): string {
  const word = typed
    .trim()
    .toLowerCase()
    .replace(/(\d)(?:st|nd|rd|th)\b/g, "$1");
  if (word === "today") return today();
  if (word === "tomorrow") return addDays(today(), 1);
  if (word === "yesterday") return addDays(today(), -1);
  const weekday = beginsWith(WEEKDAYS, word);
  if (weekday >= 0) return addDays(nextWeekday(weekday + 1, today()), lean === "last" ? -7 : 0);
  const day = monthAndDay(word);
  if (!day) return calendarDate(typed);
  const date = day.year === undefined ? dayOfSomeYear(day, today(), lean, typed) : dayOfYear(day, day.year, typed);
  if (day.weekday !== undefined && Temporal.PlainDate.from(date).dayOfWeek !== day.weekday)
    throw new UsageError(`${clean(typed)} is not a date: that day is a ${dayAndDate(date, ALWAYS_YEAR)}.`);
  return date;
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
  const weekday = beginsWith(WEEKDAYS, named) + 1;
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

function dayOfYear({ month, day }: MonthAndDay, year: number, typed: string): string {
  const date = dateOf(year, month, day);
  if (date === null) throw new UsageError(`${clean(typed)} is not a date of the calendar.`);
  return date;
}

function dayOfSomeYear({ month, day }: MonthAndDay, today: string, lean: Lean, typed: string): string {
  const { year } = Temporal.PlainDate.from(today);
  // February 29 may be some years off.
  const dates = Array.from({ length: 17 }, (_, i) => dateOf(year + i - 8, month, day)).filter((date) => date !== null);
  const [next, last] = [dates.find((date) => date >= today), dates.findLast((date) => date <= today)];
  if (next === undefined || last === undefined) throw new UsageError(`${clean(typed)} is not a date of the calendar.`);
  if (lean !== "nearest") return lean === "next" ? next : last;
  const away = (date: string) => Math.abs(Temporal.PlainDate.from(today).until(date, { largestUnit: "days" }).days);
  return away(last) < away(next) ? last : next;
}

function dateOf(year: number, month: number, day: number): string | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" }).toString();
  } catch {
    return null;
  }
}

/** Longer spans are probably typos. */
const MOST_DAYS = 366;

/** The days of `DATE`, `DATE..DATE` or `DATE to DATE`, in order. @throws UsageError */
export function readDays(typed: string, today: () => string): [string, ...string[]] {
  const [first = "", last = first] = typed.split(/\.\.| to /);
  // A faulty catalog is noted each time that it is read.
  let known: string | undefined;
  const once = () => {
    known ??= today();
    return known;
  };
  const [from, to] = [readDate(first, once), readDate(last, once)];
  const days = Temporal.PlainDate.from(from).until(to, { largestUnit: "days" }).days + 1;
  if (days < 1) throw new UsageError(`The last day, ${dayAndDate(to)}, is before the first, ${dayAndDate(from)}.`);
  if (days > MOST_DAYS) throw new UsageError(`At most ${MOST_DAYS} days are taken at one go; these are ${days}.`);
  return [from, ...Array.from({ length: days - 1 }, (_, i) => addDays(from, i + 1))];
}

export interface TypedSpan {
  date?: string;
  from?: string;
  to?: string;
}

/**
 * The first and last day that were asked for: one date, or a span that begins today and has the usual length.
 * @param usualDays the length of a span without an end
 * @throws UsageError
 */
export function readSpan(
  { date, from, to }: TypedSpan,
  today: string,
  usualDays: number,
): { from: string; to: string } {
  // The diary is read in both directions.
  const read = (typed: string) => readDate(typed, () => today, "nearest");
  if (date !== undefined) {
    if (from !== undefined || to !== undefined) throw new UsageError("Give either --date, or --from and --to.");
    return { from: read(date), to: read(date) };
  }
  const first = read(from ?? "today");
  const last = to === undefined ? addDays(first, usualDays - 1) : read(to);
  if (last < first)
    throw new UsageError(`The last day, ${dayAndDate(last)}, is before the first, ${dayAndDate(first)}.`);
  return { from: first, to: last };
}

/** The first and last day of the month that a date lies in. */
export function monthOf(date: string): { from: string; to: string } {
  const first = Temporal.PlainDate.from(date).with({ day: 1 });
  return { from: first.toString(), to: first.add({ months: 1 }).subtract({ days: 1 }).toString() };
}
