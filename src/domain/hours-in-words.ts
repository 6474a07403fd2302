/** Opening times as people in the United States write them. */
import type { Shop } from "../catalog/shop.ts";
import { WEEKDAYS, type Weekday } from "../constants.ts";
import { capitalised } from "../lib/text.ts";
import { ALWAYS_YEAR, dayAndDate, timeOfDay } from "./dates-in-words.ts";

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
    first === last ? capitalised(first) : `${capitalised(first)} to ${capitalised(last)}`;
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

function timesInWords(hours: Opening): string {
  return hours.map(({ opens, closes }) => `${timeOfDay(opens)} to ${timeOfDay(closes)}`).join(" and ") || "closed";
}
