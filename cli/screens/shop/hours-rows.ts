/** The rows of the hours screen, and the changes of the catalog that they lead to. */
import type { SpecialDay } from "../../../src/catalog/edit/everyday.ts";
import { WEEKDAYS, type Weekday } from "../../../src/constants.ts";
import { blockInWords } from "../../../src/domain/bays.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { byDate, type OpeningTimes, openingTimesInWords } from "../../catalog/opening-times.ts";
import { type Change, specialDaysIn } from "../editor/change.ts";
import { type Draft, latest } from "../editor/draft.ts";

export type HoursRow =
  | { kind: "weekday"; day: Weekday; times: string }
  | { kind: "special"; date: string; times: string; reason: string }
  /** Days and hours without bookings; the diary blocks and unblocks them. */
  | { kind: "blocked"; date: string; what: string; reason: string };

export function hoursRows(draft: Draft): HoursRow[] {
  const { catalog } = latest(draft);
  const { business, scheduling } = catalog;
  return [
    ...WEEKDAYS.map((day): HoursRow => ({ kind: "weekday", day, times: openingTimesInWords(business.hours[day]) })),
    ...[
      ...business.special_hours.map(({ date, hours, reason = "" }) => {
        return { kind: "special" as const, date, times: openingTimesInWords(hours), reason };
      }),
      ...scheduling.blocked_dates.map(({ date, reason = "" }) => {
        return { kind: "blocked" as const, date, what: "no bookings", reason };
      }),
      ...scheduling.blocked_hours.map(({ reason = "", ...entry }) => {
        return { kind: "blocked" as const, date: entry.date, what: blockInWords(entry, catalog), reason };
      }),
    ].sort(byDate),
  ];
}

export function weekChange(draft: Draft, day: Weekday, times: OpeningTimes): Change {
  const path = ["business", "hours", day];
  return { kind: "value", what: day, path, was: valueAt(latest(draft).source, path), now: times };
}

/** @param times null takes the day away: the hours of the week hold again */
export function specialChange(draft: Draft, date: string, times: OpeningTimes | null, reason: string): Change {
  const now: SpecialDay | null = times && {
    date,
    ...(times.length === 0 ? { closed: true } : { hours: times }),
    ...(reason !== "" && { reason }),
  };
  const was = specialDaysIn(latest(draft).source).find((day) => day.date === date) ?? null;
  return { kind: "special", what: date, date, was, now };
}
