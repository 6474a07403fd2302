/** The bookings that a change of days, hours or bays leaves without a place. */
import type { Shop } from "../catalog/shop.ts";
import { mostAtOnce, type Occupancy } from "./bays.ts";
import { closedIn } from "./blocked-hours.ts";
import { partsOf, type WorkPart } from "./paused-work.ts";
import { hoursOf, momentOf, shopDate } from "./schedule.ts";

interface BookedTime extends Occupancy {
  date: string;
  time: string;
  endAt: number;
}

/** The bookings that a change of the catalog brings into conflict with its days, hours or bays. They stay booked. */
export function conflictsWith<T extends BookedTime>(before: Shop, after: Shop, bookings: readonly T[]): T[] {
  return bookings.filter((booking) => {
    const known = conflictsOf(before, booking, bookings);
    return conflictsOf(after, booking, bookings).some((conflict) => !known.includes(conflict));
  });
}

export function changesOpenings(before: Shop, after: Shop): boolean {
  return openingsOf(before) !== openingsOf(after);
}

/** The parts of the catalog that decide when work is taken, and how much at once, as one text. */
function openingsOf({ business, scheduling }: Shop): string {
  const { bays, blocked_dates, blocked_hours, buffer_minutes } = scheduling;
  return JSON.stringify([business.hours, business.special_hours, bays, blocked_dates, blocked_hours, buffer_minutes]);
}

function conflictsOf(catalog: Shop, booking: BookedTime, all: readonly Occupancy[]): string[] {
  const { startAt, busyUntil } = booking;
  const parts = partsOf(catalog, booking);
  const dateOf = ({ startAt: at }: WorkPart) => shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(at));
  const days = parts.map((part, i) => ({ part, date: i === 0 ? booking.date : dateOf(part) }));
  // Work that pauses over night is judged by each of its days.
  const isOpen = days.every(({ part, date }) =>
    hoursOf(catalog, date).some(
      ({ opens, closes }) =>
        momentOf(catalog, date, opens) <= part.startAt && part.endAt <= momentOf(catalog, date, closes),
    ),
  );
  const atOnce = mostAtOnce([...all, ...closedIn(catalog, startAt, busyUntil)], startAt, busyUntil);
  return [
    ...(catalog.scheduling.blocked_dates.some((entry) => days.some(({ date }) => date === entry.date)) ? ["day"] : []),
    ...(isOpen ? [] : ["hours"]),
    ...(atOnce > catalog.scheduling.bays ? ["bays"] : []),
  ];
}
