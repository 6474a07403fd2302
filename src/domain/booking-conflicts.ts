/** The bookings that a change of days, hours or bays leaves without a place. */
import type { Shop } from "../catalog/shop.ts";
import { closedIn, mostAtOnce, type Occupancy } from "./bays.ts";
import { planOf, shopDate } from "./schedule.ts";
import { partsOf } from "./slots.ts";

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

/** The parts of the catalog that decide when work is taken and how much at once, as one text: all of a section, so that no list is missed. */
function openingsOf({ business, scheduling }: Shop): string {
  return JSON.stringify([business.hours, business.special_hours, scheduling]);
}

function conflictsOf(catalog: Shop, booking: BookedTime, all: readonly Occupancy[]): string[] {
  const { startAt, busyUntil } = booking;
  let isBlocked = false;
  let isOpen = true;
  // Work that pauses over night is judged by each of its days.
  for (const [i, part] of partsOf(catalog, booking).entries()) {
    const day = planOf(catalog, i === 0 ? booking.date : shopDate(catalog, part.startAt));
    isBlocked ||= day.status === "blocked";
    isOpen &&= day.openings.some(({ opensAt, closesAt }) => opensAt <= part.startAt && part.endAt <= closesAt);
  }
  const atOnce = mostAtOnce([...all, ...closedIn(catalog, startAt, busyUntil)], startAt, busyUntil);
  return [
    ...(isBlocked ? ["day"] : []),
    ...(isOpen ? [] : ["hours"]),
    ...(atOnce > catalog.scheduling.bays ? ["bays"] : []),
  ];
}
