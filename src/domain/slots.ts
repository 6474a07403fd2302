/**
 * The slots of a day: possible starts, and the bays that are free for the whole work. Pure: bookings and the time come as
 * arguments.
 */
import { perCatalogAndDate } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { mostAtOnce, type Occupancy } from "./bays.ts";
import { closedIn } from "./blocked-hours.ts";
import { endWithPauses, partsOf, type WorkPart } from "./paused-work.ts";
import { type Day, datesFrom, dayOf, hoursOf, minutesOf, momentOf, shopDate, wallClock } from "./schedule.ts";

export const SLOT_STATUSES = ["available", "booked", "blocked", "too_soon", "past"] as const;
type SlotStatus = (typeof SLOT_STATUSES)[number];

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
  /** The days of work that pauses over night; absent for work in one piece. */
  parts?: readonly WorkPart[];
}

/** How long work takes, and whether it may pause when the shop closes and go on when it opens again. */
export interface WorkLength {
  minutes: number;
  overNight?: boolean;
}

/** When a slot begins: YYYY-MM-DD and HH:MM, by the shop's clock. */
export type Start = Pick<Slot, "date" | "time">;

/**
 * Every start of a day at which work of this length ends before closing, or may pause over night. Starts follow the wall
 * clock: a start inside the gap of a clock change is left out, and a start that occurs twice means the first occurrence.
 *
 * @param busy every booking that may overlap the day
 */
export function slotsOf(
  catalog: Shop,
  day: Day,
  work: WorkLength,
  busy: readonly Occupancy[],
  now: Temporal.Instant,
): Slot[] {
  return slotsAt(fittingStarts(catalog, day, work), day, busy, catalog, now);
}

/** The slots of starts that are worked out already, as `slotsOf`. */
export function slotsAt(
  starts: readonly FittingStart[],
  day: Day,
  busy: readonly Occupancy[],
  catalog: Shop,
  now: Temporal.Instant,
): Slot[] {
  const span = spanOf(starts, catalog);
  if (!span) return [];
  const { startAt: from, busyUntil: until } = span;
  // Once for the day, because the list may hold the bookings of many days.
  const ofDay = busy.filter((one) => one.startAt < until && one.busyUntil > from);
  return starts.map((start) => slotFrom(start, day, ofDay, catalog, now));
}

/** From the first start of a day to the end of its last work, with the buffer; null without a start. */
export function spanOf(starts: readonly FittingStart[], catalog: Shop): Occupancy | null {
  const [first] = starts;
  const last = starts.at(-1);
  if (!first || !last) return null;
  return {
    startAt: first.startAt,
    busyUntil: last.endAt + catalog.scheduling.buffer_minutes * MINUTE_MS,
  };
}

/** The slot of one time, as in `slotsOf`, without any booking; undefined where work of this length cannot start then. */
export function slotAtTime(
  catalog: Shop,
  day: Day,
  time: string,
  work: WorkLength,
  now: Temporal.Instant,
): Slot | undefined {
  return slotsOf(catalog, day, work, [], now).find((one) => one.time === time);
}

/** A start at which work of some length fits, with its end. */
export type FittingStart = PossibleStart & Pick<Slot, "endAt" | "parts">;

/** The starts of a day at which work of this length ends before closing, or may pause then. */
export function fittingStarts(catalog: Shop, { date, status }: Day, work: WorkLength): FittingStart[] {
  if (status === "beyond_horizon" || status === "closed") return [];
  return startsOf(catalog, date).flatMap((start) => {
    const endAt = start.startAt + work.minutes * MINUTE_MS;
    if (endAt <= start.closesAt) return [{ ...start, endAt }];
    const paused = work.overNight === true ? pausedFrom(catalog, start.startAt, work.minutes) : null;
    return paused === null ? [] : [{ ...start, ...paused }];
  });
}

/** Work that goes on on another day; null where it does not. A break at noon is no night. */
function pausedFrom(catalog: Shop, startAt: number, minutes: number): Required<Pick<Slot, "endAt" | "parts">> | null {
  const endAt = endWithPauses(catalog, startAt, minutes);
  if (endAt === null) return null;
  const parts = partsOf(catalog, { startAt, endAt });
  return parts.length > 1 ? { endAt, parts } : null;
}

/** @param busy every booking that may overlap the work */
function slotFrom(
  { time, startAt, endAt, parts }: FittingStart,
  day: Day,
  busy: readonly Occupancy[],
  catalog: Shop,
  now: Temporal.Instant,
): Slot {
  const { bays, buffer_minutes: buffer } = catalog.scheduling;
  const busyUntil = endAt + buffer * MINUTE_MS;
  const closed = closedIn(catalog, startAt, busyUntil);
  const taken = closed.length === 0 ? busy : [...busy, ...closed];
  const free = Math.max(0, bays - mostAtOnce(taken, startAt, busyUntil));
  const isClosed = day.status === "blocked" || mostAtOnce(closed, startAt, busyUntil) >= bays;
  const status = isClosed ? "blocked" : statusOf(startAt, day, free, catalog, now);
  const remaining = status === "available" ? free : 0;
  return { date: day.date, time, startAt, endAt, busyUntil, status, remaining, ...(parts && { parts }) };
}

function statusOf(
  startAt: number,
  day: Day,
  free: number,
  { scheduling }: Shop,
  { epochMilliseconds: now }: Temporal.Instant,
): SlotStatus {
  if (day.status === "past" || startAt <= now) return "past";
  if (startAt < now + scheduling.lead_minutes * MINUTE_MS) return "too_soon";
  return free > 0 ? "available" : "booked";
}

/** The slots of a date that can be booked. @param busy every booking that may overlap the date */
export function openSlots(
  catalog: Shop,
  date: string,
  work: WorkLength,
  busy: readonly Occupancy[],
  now: Temporal.Instant,
): Slot[] {
  return slotsOf(catalog, dayOf(catalog, date, now), work, busy, now).filter(isOpen);
}

export function isOpen({ status }: Slot): boolean {
  return status === "available";
}

interface PossibleStart {
  time: string;
  startAt: number;
  /** When the shop next closes. */
  closesAt: number;
}

const startsOf = perCatalogAndDate((catalog, date): PossibleStart[] => {
  const { timezone } = catalog.business;
  const midnight = Temporal.PlainDate.from(date);
  return hoursOf(catalog, date).flatMap(({ opens, closes }) => {
    const closesAt = momentOf(catalog, date, closes);
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

/** The first open slot up to the horizon in an empty diary, or null. */
export function firstStart(catalog: Shop, now: Temporal.Instant, work: WorkLength): Start | null {
  for (const date of datesFrom(shopDate(catalog, now), catalog.scheduling.horizon_days + 1)) {
    const [slot] = openSlots(catalog, date, work, [], now);
    if (slot) return { date: slot.date, time: slot.time };
  }
  return null;
}
