/** Dates, times and opening hours as people in the United States write them: `Mon Nov 23`, `2:00 PM`. */
import type { Shop } from "../catalog/shop.ts";
import { WEEKDAYS, type Weekday } from "../constants.ts";
import { capitalized } from "../lib/text.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mon Nov 23`, and `Fri Jan 8, 2027` in another year than today's; without `today` the reader knows the year. */
export function dayAndDate(date: string, today = date): string {
  const ending = date.slice(0, 4) === today.slice(0, 4) ? "" : `, ${yearOf(date)}`;
  return `${weekdayInWords(date)} ${monthName(date)} ${Number(date.slice(8, 10))}${ending}`;
}

/** `Mon`. @param date YYYY-MM-DD */
export function weekdayInWords(date: string): string {
  return DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "";
}

/** `Nov 2026`. @param date YYYY-MM-DD */
export function monthAndYear(date: string): string {
  return `${monthName(date)} ${yearOf(date)}`;
}

function monthName(date: string): string {
  return MONTHS[Number(date.slice(5, 7)) - 1] ?? "";
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/** `Thu Dec 24`, `Thu Dec 24 to Thu Dec 31`, or `Mon Dec 30 to Wed Jan 1, 2031`. @param today as `dayAndDate` takes it */
export function daysInWords(first: string, last: string, today = first): string {
  const from = dayAndDate(first, today);
  return first === last ? from : `${from} to ${dayAndDate(last, first)}`;
}

/** Passed as today to write the year of every date, for lists over several years. */
export const ALWAYS_YEAR = "";

/** `2:00 PM`. @param time HH:MM; 24:00, the end of a day, is 12:00 AM */
export function timeOfDay(time: string): string {
  const hour = Number(time.slice(0, 2)) % 24;
  return `${hour % 12 === 0 ? 12 : hour % 12}:${time.slice(3, 5)} ${hour < 12 ? "AM" : "PM"}`;
}

/** `Mon Nov 23, 2:00 PM`. @see dayAndDate, timeOfDay */
export function dayAndTime(date: string, time: string, today = date): string {
  return `${dayAndDate(date, today)}, ${timeOfDay(time)}`;
}

/** `9:00 AM–6:00 PM` */
export function timeSpan({ opens, closes }: { opens: string; closes: string }): string {
  return `${timeOfDay(opens)}–${timeOfDay(closes)}`;
}

/** A moment as messages name it: `Mon, Nov 23` and `2:10 PM`. @param moment on the clock of the reader, in RFC 3339 */
export function dateAndTime(moment: string): { date: string; time: string } {
  const date = new Date(`${moment.slice(0, 10)}T00:00:00Z`);
  return {
    date: `${DAYS[date.getUTCDay()]}, ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`,
    time: timeOfDay(moment.slice(11, 16)),
  };
}

type Business = Shop["business"];
type Opening = Business["hours"][Weekday];

/** `Monday to Friday 9:00 AM to 6:00 PM, Saturday 9:00 AM to 3:00 PM, Sunday closed`. */
export function weekInWords({ hours }: Business): string {
  const spans: { first: Weekday; last: Weekday; times: string }[] = [];
  for (const day of WEEKDAYS) {
    const times = timesInWords(hours[day]);
    const before = spans.at(-1);
    if (before?.times === times) before.last = day;
    else spans.push({ first: day, last: day, times });
  }
  const days = ({ first, last }: (typeof spans)[number]) =>
    first === last ? capitalized(first) : `${capitalized(first)} to ${capitalized(last)}`;
  return spans.map((span) => `${days(span)} ${span.times}`).join(", ");
}

/** `Thu Nov 26, 2026 closed (Thanksgiving)` for each day that differs from the week, or `none`. */
export function specialDaysInWords({ special_hours: days }: Business): string {
  const spoken = days.map(
    ({ date, hours, reason }) =>
      `${dayAndDate(date, ALWAYS_YEAR)} ${timesInWords(hours)}${reason === undefined ? "" : ` (${reason})`}`,
  );
  return spoken.join("; ") || "none";
}

/** `9:00 AM to 6:00 PM`, or `closed`. */
export function timesInWords(hours: Readonly<Opening>): string {
  return hours.map(({ opens, closes }) => `${timeOfDay(opens)} to ${timeOfDay(closes)}`).join(" and ") || "closed";
}
