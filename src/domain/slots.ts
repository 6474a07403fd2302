/**
 * The slots of a day: possible starts, and the bays that are free for the whole work. Pure: bookings and the time come as
 * arguments.
 */
import { derivedBy } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { mostAtOnce, type Occupancy } from "./bays.ts";
import { closedIn } from "./blocked-hours.ts";
import { type Day, datesFrom, dayOf, hoursOf, MOST_DATES, minutesOf, shopDate, wallClock } from "./schedule.ts";

export const SLOT_STATUSES = ["available", "booked", "blocked", "too_soon", "past"] as const;
export type SlotStatus = (typeof SLOT_STATUSES)[number];

export interface Slot {
  date: string;
  time: string;
  startAt: number;
  endAt: number;
  /** The end plus the buffer in which the bay stays empty. */
  busyUntil: number;
  status: SlotStatus;
  /** Bays that are free for the whole work. */
  remaining: number;
}

/**
 * Every start of a day at which work of this length ends before closing. Starts follow the wall clock: a start inside
 * the gap of a clock change is left out, and a start that occurs twice means the first occurrence.
 *
 * @param busy every booking that may overlap the day
 */
export function slotsOf(
  catalog: Catalog,
  day: Day,
  minutes: number,
  busy: readonly Occupancy[],
  now: Temporal.Instant,
): Slot[] {
  if (day.status === "beyond_horizon" || day.status === "closed") return [];
  const { scheduling } = catalog;
  const nowMs = now.epochMilliseconds;
  const earliest = nowMs + scheduling.lead_minutes * MINUTE_MS;
  const statusAt = (startAt: number, remaining: number, isClosed: boolean): SlotStatus => {
    if (day.status === "blocked" || isClosed) return "blocked";
    if (day.status === "past" || startAt <= nowMs) return "past";
    if (startAt < earliest) return "too_soon";
    return remaining > 0 ? "available" : "booked";
  };
  const fitting = startsOf(catalog, day.date).filter(
    ({ startAt, closesAt }) => startAt + minutes * MINUTE_MS <= closesAt,
  );
  const lasts = (minutes + scheduling.buffer_minutes) * MINUTE_MS;
  const first = fitting[0]?.startAt ?? 0;
  const end = (fitting.at(-1)?.startAt ?? 0) + lasts;
  // Once for the day, because the list may hold the bookings of many days.
  const ofDay = busy.filter((one) => one.startAt < end && one.busyUntil > first);
  return fitting.map(({ time, startAt }) => {
    const endAt = startAt + minutes * MINUTE_MS;
    const busyUntil = startAt + lasts;
    const closed = closedIn(catalog, startAt, busyUntil);
    const remaining = Math.max(0, scheduling.bays - mostAtOnce([...ofDay, ...closed], startAt, busyUntil));
    const status = statusAt(startAt, remaining, mostAtOnce(closed, startAt, busyUntil) >= scheduling.bays);
    return {
      date: day.date,
      time,
      startAt,
      endAt,
      busyUntil,
      status,
      remaining: status === "available" ? remaining : 0,
    };
  });
}

/** The slots of a date that can be booked. @param busy every booking that may overlap the date */
export function openSlots(
  catalog: Catalog,
  date: string,
  minutes: number,
  busy: readonly Occupancy[],
  now: Temporal.Instant,
): Slot[] {
  return slotsOf(catalog, dayOf(catalog, date, now), minutes, busy, now).filter(isOpen);
}

export function isOpen({ status }: Slot): boolean {
  return status === "available";
}

/** The moment up to which time alone changes none of these slots: none begins, and none becomes too soon. */
export function unchangedUntil({ scheduling }: Catalog, slots: readonly Slot[], now: Temporal.Instant): number {
  const lead = scheduling.lead_minutes * MINUTE_MS;
  const changes = slots.flatMap(({ startAt }) => [startAt - lead + 1, startAt]);
  return Math.min(...changes.filter((moment) => moment > now.epochMilliseconds));
}

interface PossibleStart {
  time: string;
  startAt: number;
  /** When the shop next closes. */
  closesAt: number;
}

const startsOf = derivedBy(MOST_DATES, (catalog, date): PossibleStart[] => {
  const { timezone } = catalog.business;
  const midnight = Temporal.PlainDate.from(date);
  return hoursOf(catalog, date).flatMap(({ opens, closes }) => {
    const closesAt = wallClock(midnight, minutesOf(closes)).toZonedDateTime(timezone).epochMilliseconds;
    const starts: PossibleStart[] = [];
    for (let at = minutesOf(opens); at < minutesOf(closes); at += catalog.scheduling.grid_minutes) {
      const wall = wallClock(midnight, at);
      const zoned = wall.toZonedDateTime(timezone, { disambiguation: "earlier" });
      const isInGap = !zoned.toPlainDateTime().equals(wall);
      if (isInGap) continue;
      const time = wall.toPlainTime().toString({ smallestUnit: "minute" });
      starts.push({ time, startAt: zoned.epochMilliseconds, closesAt });
    }
    return starts;
  });
});

/** The first open slot up to the horizon, or null. */
export function firstStart(
  catalog: Catalog,
  now: Temporal.Instant,
  minutes: number,
  busy: readonly Occupancy[],
): { date: string; time: string } | null {
  for (const date of datesFrom(shopDate(catalog, now), catalog.scheduling.horizon_days + 1)) {
    const [slot] = openSlots(catalog, date, minutes, busy, now);
    if (slot) return { date: slot.date, time: slot.time };
  }
  return null;
}
