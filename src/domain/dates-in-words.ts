/** Dates and times as people in the United States write them: `Mon Nov 23`, `2:00 PM`. */

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * `Mon Nov 23`, and `Fri Jan 8, 2027` when that is another year than today's.
 * @param date YYYY-MM-DD
 * @param today YYYY-MM-DD; left out where the reader knows the year
 */
export function dayAndDate(date: string, today = date): string {
  const { month, day, year } = Temporal.PlainDate.from(date);
  const ending = date.slice(0, 4) === today.slice(0, 4) ? "" : `, ${year}`;
  return `${weekdayInWords(date)} ${MONTHS[month - 1]} ${day}${ending}`;
}

/** `Mon`. @param date YYYY-MM-DD */
export function weekdayInWords(date: string): string {
  return WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? "";
}

/** `Nov 2026`. @param date YYYY-MM-DD */
export function monthAndYear(date: string): string {
  const { month, year } = Temporal.PlainDate.from(date);
  return `${MONTHS[month - 1]} ${year}`;
}

/** `Thu Dec 24`, `Thu Dec 24 to Thu Dec 31`, or `Mon Dec 30 to Wed Jan 1, 2031`. */
export function daysInWords(first: string, last: string): string {
  return first === last ? dayAndDate(first) : `${dayAndDate(first)} to ${dayAndDate(last, first)}`;
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
export function momentInWords(moment: string): { date: string; time: string } {
  return { date: dayAndDate(moment.slice(0, 10)).replace(" ", ", "), time: timeOfDay(moment.slice(11, 16)) };
}
