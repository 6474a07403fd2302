/** Dates as an owner types them. */
import { date } from "../../src/schema/fields.ts";
import { Misuse } from "../failure.ts";
import { clean } from "../terminal/text.ts";

/** A date of the calendar. @throws Misuse */
function calendarDate(typed: string): string {
  const read = date().safeParse(typed);
  if (read.success) return read.data;
  if (/^\d{4}-\d{2}-\d{2}$/.test(typed)) throw new Misuse(`${clean(typed)} is not a date of the calendar.`);
  const [, month = "12", day = "24", year = "2026"] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed) ?? [];
  const like = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  throw new Misuse(`${clean(typed)} is not a date: write YYYY-MM-DD, like ${like}, or today or tomorrow.`);
}

/** The same, or today or tomorrow. @param today asked for only when it is needed @throws Misuse */
export function readDate(typed: string, today: () => string): string {
  const word = typed.toLowerCase();
  if (word === "today") return today();
  if (word === "tomorrow") return Temporal.PlainDate.from(today()).add({ days: 1 }).toString();
  return calendarDate(typed);
}
