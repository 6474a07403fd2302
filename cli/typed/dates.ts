/** Dates as an owner types them. */
import { date } from "../../src/schema/fields.ts";
import { Misuse } from "../failure.ts";
import { clean } from "../terminal/text.ts";

function calendarDate(typed: string): string {
  const read = date().safeParse(typed);
  if (read.success) return read.data;
  if (/^\d{4}-\d{2}-\d{2}$/.test(typed)) throw new Misuse(`${clean(typed)} is not a date of the calendar.`);
  const [, month = "12", day = "24", year = "2026"] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed) ?? [];
  const like = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  throw new Misuse(
    `${clean(typed) || "An empty text"} is not a date: write YYYY-MM-DD, like ${like}, or today or tomorrow.`,
  );
}

/** The forms that `readDate` takes, for help pages. */
export const DATE_FORMS = "YYYY-MM-DD, today or tomorrow";

/**
 * A date of the calendar, `today` or `tomorrow`.
 * @param today called only for a word, because it reads the catalog
 * @throws Misuse
 */
export function readDate(typed: string, today: () => string): string {
  const word = typed.toLowerCase();
  if (word === "today") return today();
  if (word === "tomorrow") return addDays(today(), 1);
  return calendarDate(typed);
}

export interface TypedSpan {
  date?: string;
  from?: string;
  to?: string;
}

/**
 * The first and last day that were asked for: one date, or a span that begins today and has the usual length.
 * @param usualDays the length of a span without an end
 * @throws Misuse
 */
export function readSpan(
  { date, from, to }: TypedSpan,
  today: string,
  usualDays: number,
): { from: string; to: string } {
  const read = (typed: string) => readDate(typed, () => today);
  if (date !== undefined) {
    if (from !== undefined || to !== undefined) throw new Misuse("Give either --date, or --from and --to.");
    return { from: read(date), to: read(date) };
  }
  const first = read(from ?? "today");
  const last = to === undefined ? addDays(first, usualDays - 1) : read(to);
  if (last < first) throw new Misuse(`The last day, ${last}, is before the first, ${first}.`);
  return { from: first, to: last };
}

function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}
