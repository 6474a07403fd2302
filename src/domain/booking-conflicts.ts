/** The bookings that a change of days, hours or bays leaves without a place. */
import type { Catalog } from "../catalog/schema.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { mostAtOnce, type Occupancy } from "./bays.ts";
import { closedIn } from "./blocked-hours.ts";
import { hoursOf, minutesOf } from "./schedule.ts";

interface BookedTime extends Occupancy {
  date: string;
  time: string;
  endAt: number;
}

/** The bookings that a change of the catalog brings into conflict with its days, hours or bays. They stay booked. */
export function conflictsWith<T extends BookedTime>(before: Catalog, after: Catalog, bookings: readonly T[]): T[] {
  return bookings.filter((booking) => {
    const known = conflictsOf(before, booking, bookings);
    return conflictsOf(after, booking, bookings).some((conflict) => !known.includes(conflict));
  });
}

export function changesOpenings(before: Catalog, after: Catalog): boolean {
  return openingsOf(before) !== openingsOf(after);
}

/** The parts of the catalog that decide when work is taken, and how much at once, as one text. */
function openingsOf({ business, scheduling }: Catalog): string {
  const { bays, blocked_dates, blocked_hours, buffer_minutes } = scheduling;
  return JSON.stringify([business.hours, business.special_hours, bays, blocked_dates, blocked_hours, buffer_minutes]);
}

function conflictsOf(catalog: Catalog, booking: BookedTime, all: readonly Occupancy[]): string[] {
  const { date, time, startAt, endAt, busyUntil } = booking;
  const begins = minutesOf(time);
  const ends = begins + (endAt - startAt) / MINUTE_MS;
  const isOpen = hoursOf(catalog, date).some(
    ({ opens, closes }) => minutesOf(opens) <= begins && ends <= minutesOf(closes),
  );
  const atOnce = mostAtOnce([...all, ...closedIn(catalog, startAt, busyUntil)], startAt, busyUntil);
  return [
    ...(catalog.scheduling.blocked_dates.some((entry) => entry.date === date) ? ["day"] : []),
    ...(isOpen ? [] : ["hours"]),
    ...(atOnce > catalog.scheduling.bays ? ["bays"] : []),
  ];
}
