/** Stretches of days as an owner types them: first and last, weeks and months. */
import { Option } from "commander";
import { dayAndDate } from "../../src/domain/dates-in-words.ts";
import { addDays, daysBetween } from "../../src/domain/schedule.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { DATE_FORMS, type Lean, mondayOf, monthNamed, readDate, weekdayNamed } from "./dates.ts";

export const DAYS_FORMS = `the day, or the first and last like 12/24 to 12/31: ${DATE_FORMS}`;

export interface Span {
  from: string;
  to: string;
}

/** Longer spans are probably typos. */
const MOST_DAYS = 366;

/** The days of `DATE`, `DATE..DATE`, `DATE to DATE` or `next week`, in order. @throws UsageError */
export function readDates(typed: string, today: () => string): [string, ...string[]] {
  // Read once, because each read of a faulty catalog prints a note.
  let known: string | undefined;
  const once = () => {
    known ??= today();
    return known;
  };
  const { from, to } = orderSpan(spanOfDays(typed, once));
  const days = daysBetween(from, to) + 1;
  if (days > MOST_DAYS) throw new UsageError(`At most ${MOST_DAYS} days are taken at one go; these are ${days}.`);
  return [from, ...Array.from({ length: days - 1 }, (_, i) => addDays(from, i + 1))];
}

function spanOfDays(typed: string, today: () => string): Span {
  const period = /^(this|next) (week|month)$/i.test(typed.trim()) && readPeriod(typed, today(), "nearest");
  if (period) return period;
  const [first = "", last = first] = typed.split(/\.\.| to /);
  const from = readDate(first, today);
  // The end of a stretch comes after its beginning: `dec 30 to jan 2`, `friday to monday`.
  return { from, to: weekdayNamed(last) > 0 && last !== first ? onOrAfter(last, from) : readDate(last, today) };
}

const NEAR = /^(?:(this|last|next) )?(week|month|year)$/;

/** `last week`, `month`, `november`, `Nov 2026` or `2026-11`; undefined for every other text. */
function readPeriod(typed: string, today: string, lean: Lean): Span | undefined {
  const word = typed.trim().toLowerCase();
  const [, which = "this", unit] = NEAR.exec(word) ?? [];
  const by = { this: 0, last: -1, next: 1 }[which] ?? 0;
  if (unit === "week") return weekOf(addDays(today, 7 * by));
  const day = Temporal.PlainDate.from(today);
  if (unit === "month") return monthOf(day.with({ day: 1 }).add({ months: by }).toString());
  if (unit === "year") return { from: `${day.year + by}-01-01`, to: `${day.year + by}-12-31` };
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(word) ?? [];
  if (year && number) return monthOf(`${year}-${number}-01`);
  const [, name = "", ofYear] = /^([a-z]+)\.?,? ?(\d{4})?$/.exec(word) ?? [];
  const month = monthNamed(name);
  if (month === 0) return undefined;
  return monthOf(ofYear ? `${ofYear}-${String(month).padStart(2, "0")}-01` : monthNear(month, today, lean));
}

/** The first day of the month with this number: the nearest one, or the last one that has begun. */
function monthNear(month: number, today: string, lean: Lean): string {
  const { year, month: now } = Temporal.PlainDate.from(today);
  const ahead = (month - now + 12) % 12;
  const isAhead = ahead > 0 && lean !== "last" && ahead <= 6;
  return Temporal.PlainDate.from({ year, month: now, day: 1 })
    .add({ months: ahead === 0 || isAhead ? ahead : ahead - 12 })
    .toString();
}

export const EVERY_DAY: Span = { from: "0001-01-01", to: "9999-12-31" };

/** The first and last day of the week, from Monday to Sunday, that a date lies in. */
export function weekOf(date: string): Span {
  const monday = mondayOf(date);
  return { from: monday, to: addDays(monday, 6) };
}

export function monthOf(date: string): Span {
  const first = Temporal.PlainDate.from(date).with({ day: 1 });
  return { from: first.toString(), to: first.add({ months: 1 }).subtract({ days: 1 }).toString() };
}

export interface TypedSpan {
  date?: string;
  from?: string;
  to?: string;
  /** True when the flag stands alone: this week. */
  week?: string | true;
  month?: string | true;
}

export function weekOption(): Option {
  return new Option("--week [week]", "this week, or last, next, or the week of a date");
}

export function monthOption(): Option {
  return new Option("--month [month]", "this month, or last, next, november or 2026-11");
}

export function isSpanTyped({ date, from, to, week, month }: TypedSpan): boolean {
  return [date, from, to, week, month].some((typed) => typed !== undefined);
}

/**
 * The days of a list: one date, a week, a month, or a span from today on. A day of the week is the one of this week.
 * @param usualDays the length of a span without an end @throws UsageError
 */
export function readSpan(typed: TypedSpan, today: string, usualDays: number): Span {
  const named = readNamed(typed, today, "nearest");
  return named ?? spanFrom(typed.from ?? "today", typed, today, "nearest", (day) => addDays(day, usualDays - 1));
}

/** The days of a report, which looks back: this month unless told otherwise, and the latest day of a name. @throws UsageError */
export function readReportSpan(typed: TypedSpan, today: string): Span {
  const named = readNamed(typed, today, "last");
  if (named) return named;
  if (typed.from !== undefined) return spanFrom(typed.from, typed, today, "last", () => today);
  if (typed.to === undefined) return monthOf(today);
  const { to } = rangeEdge(typed.to, today, "last");
  return { from: monthOf(to).from, to };
}

/** @param usualEnd the end of a span without one that begins with a day; a week or a month has its own */
function spanFrom(from: string, typed: TypedSpan, today: string, lean: Lean, usualEnd: (day: string) => string): Span {
  const first = rangeEdge(from, today, lean);
  const usual = first.to === first.from ? usualEnd(first.from) : first.to;
  return orderSpan({ from: first.from, to: readLast(typed, first.from, today, lean) ?? usual });
}

/** What `--date`, `--week` or `--month` names; undefined without them. @throws UsageError when there are two */
function readNamed({ date, week, month, from, to }: TypedSpan, today: string, lean: Lean): Span | undefined {
  const given = { "--date": date, "--week": week, "--month": month };
  const flags = Object.entries(given).filter(([, value]) => value !== undefined);
  const [first] = flags;
  if (!first) return undefined;
  const [flag] = first;
  if (flags.length > 1 || from !== undefined || to !== undefined)
    throw new UsageError(
      `Give either ${flags.length > 1 ? flags.map(([name]) => name).join(" or ") : `${flag}, or --from and --to`}.`,
    );
  if (date !== undefined) return rangeEdge(date, today, lean, lean === "last");
  if (week !== undefined) return readWeek(week === true ? "this" : week, today);
  return readMonth(month === undefined || month === true ? "this" : month, today, lean);
}

function readWeek(typed: string, today: string): Span {
  const week = readPeriod(`${typed} week`, today, "nearest") ?? readPeriod(typed, today, "nearest");
  return week ?? weekOf(readDate(typed, () => today, "nearest"));
}

function readMonth(typed: string, today: string, lean: Lean): Span {
  const month = readPeriod(`${typed} month`, today, lean) ?? readPeriod(typed, today, lean);
  if (month) return month;
  throw new UsageError(`${clean(typed)} is not a month: write it like 2026-11, november or last.`);
}

/** A day, or the days of a word like `last week`. @param isOfThisWeek a day of the week is this week's */
function rangeEdge(typed: string, today: string, lean: Lean, isOfThisWeek = true): Span {
  const period = readPeriod(typed, today, lean);
  if (period) return period;
  const weekday = isOfThisWeek ? weekdayNamed(typed) : 0;
  const ofThisWeek = addDays(mondayOf(today), weekday - 1);
  const day =
    weekday > 0
      ? addDays(ofThisWeek, lean === "last" && ofThisWeek > today ? -7 : 0)
      : readDate(typed, () => today, "nearest");
  return { from: day, to: day };
}

/** The typed end; undefined without one. The day of the week at the end is the first after the beginning. */
function readLast({ from = "", to }: TypedSpan, first: string, today: string, lean: Lean): string | undefined {
  if (to === undefined) return undefined;
  const last = rangeEdge(to, today, lean).to;
  const isAfterFirst = weekdayNamed(to) > 0 && (weekdayNamed(from) > 0 || last < first);
  return isAfterFirst ? onOrAfter(to, first) : last;
}

/** The first day of that name, from a date on. */
function onOrAfter(weekday: string, date: string): string {
  const ahead = (weekdayNamed(weekday) - Temporal.PlainDate.from(date).dayOfWeek + 7) % 7;
  return addDays(date, ahead);
}

function orderSpan({ from, to }: Span): Span {
  if (to < from)
    throw new UsageError(`The last day, ${dayAndDate(to, from)}, is before the first, ${dayAndDate(from, to)}.`);
  return { from, to };
}
