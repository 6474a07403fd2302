/**
 * Arithmetic of the diary: open days, possible starts, free bays. Dates and times follow the shop's clock
 * (`business.timezone`), instants are epoch milliseconds. Pure: bookings and the time come as arguments.
 */
import { derivedBy } from "../catalog/derived.ts";
import type { Catalog, Service } from "../catalog/schema.ts";
import { WEEKDAYS, type Weekday } from "../vocabulary.ts";
import { mostAtOnce, type Occupancy } from "./bays.ts";
import { closedIn } from "./blocked-hours.ts";
import { dateIn, rfc3339In } from "./time-zone.ts";

export const DAY_STATUSES = ["open", "closed", "blocked", "past", "beyond_horizon"] as const;
export type DayStatus = (typeof DAY_STATUSES)[number];

export const SLOT_STATUSES = ["available", "booked", "blocked", "too_soon", "past"] as const;
export type SlotStatus = (typeof SLOT_STATUSES)[number];

const MINUTE = 60_000;

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

export interface Day {
  date: string;
  weekday: Weekday;
  status: DayStatus;
  reason: string | null;
}

export function bookableServices({ services }: Catalog): Service[] {
  return services.filter(({ bookable }) => bookable);
}

/** The part of the catalog that tells the shop's time. */
export interface ShopClock {
  business: Pick<Catalog["business"], "timezone">;
}

/** The shop's own date and time. */
export function shopTime({ business }: ShopClock, instant: Temporal.Instant): Temporal.ZonedDateTime {
  return instant.toZonedDateTimeISO(business.timezone);
}

export function shopDate({ business }: ShopClock, instant: Temporal.Instant): string {
  return dateIn(business.timezone, instant.epochMilliseconds);
}

/** RFC 3339 with the shop's UTC offset, to the second. */
export function rfc3339({ business }: ShopClock, epochMs: number): string {
  return rfc3339In(business.timezone, epochMs);
}

/** Dates in ISO form compare like text. */
export function dayOf(catalog: Catalog, date: string, now: Temporal.Instant): Day {
  const planned = plannedDay(catalog, date);
  const { weekday } = planned;
  const today = shopDate(catalog, now);
  if (date < today) return { date, weekday, status: "past", reason: "This date has passed." };
  if (date > lastDate(catalog, today)) {
    const reason = `Bookings open ${catalog.scheduling.horizon_days} days ahead.`;
    return { date, weekday, status: "beyond_horizon", reason };
  }
  return planned;
}

/** The last date that can be booked. */
const lastDate = derivedBy(2, ({ scheduling }, today) =>
  Temporal.PlainDate.from(today).add({ days: scheduling.horizon_days }).toString(),
);

/** Dates kept: enough for the longest horizon, and for a few callers who ask for dates outside it. */
const MOST_DATES = 500;

/** A date that can be booked, as the catalog has it. */
const plannedDay = derivedBy(MOST_DATES, (catalog, date): Day => {
  const weekday = weekdayOf(Temporal.PlainDate.from(date));
  const blocked = catalog.scheduling.blocked_dates.find((entry) => entry.date === date);
  const special = catalog.business.special_hours.find((entry) => entry.date === date);
  const about = (status: DayStatus, reason: string | null): Day => ({ date, weekday, status, reason });
  if (blocked) return about("blocked", blocked.reason ?? "The shop takes no bookings on this day.");
  if (hoursOf(catalog, date).length === 0)
    return about("closed", special?.reason ?? `The shop is closed on ${capitalised(weekday)}s.`);
  return about("open", special?.reason ?? null);
});

function weekdayOf({ dayOfWeek }: Temporal.PlainDate): Weekday {
  const weekday = WEEKDAYS[dayOfWeek - 1];
  if (!weekday) throw new Error(`no weekday ${dayOfWeek}`);
  return weekday;
}

/** Opening times of a date: special hours override the week. Empty when closed. */
export function hoursOf({ business }: Catalog, date: string): { opens: string; closes: string }[] {
  const special = business.special_hours.find((entry) => entry.date === date);
  if (special) return special.closed ? [] : special.hours;
  return business.hours[weekdayOf(Temporal.PlainDate.from(date))];
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
  const earliest = nowMs + scheduling.lead_minutes * MINUTE;
  const statusAt = (startAt: number, remaining: number, isClosed: boolean): SlotStatus => {
    if (day.status === "blocked" || isClosed) return "blocked";
    if (day.status === "past" || startAt <= nowMs) return "past";
    if (startAt < earliest) return "too_soon";
    return remaining > 0 ? "available" : "booked";
  };
  const fitting = startsOf(catalog, day.date).filter(({ startAt, closesAt }) => startAt + minutes * MINUTE <= closesAt);
  return fitting.map(({ time, startAt }) => {
    const endAt = startAt + minutes * MINUTE;
    const busyUntil = endAt + scheduling.buffer_minutes * MINUTE;
    const closed = closedIn(catalog, startAt, busyUntil);
    const remaining = Math.max(0, scheduling.bays - mostAtOnce([...busy, ...closed], startAt, busyUntil));
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

/** The moment up to which time alone changes none of these slots: none begins, and none becomes too soon. */
export function unchangedUntil({ scheduling }: Catalog, slots: readonly Slot[], now: Temporal.Instant): number {
  const lead = scheduling.lead_minutes * MINUTE;
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

function wallClock(date: Temporal.PlainDate, minutes: number): Temporal.PlainDateTime {
  return date.toPlainDateTime().add({ minutes });
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

const DAY_MS = 86_400_000;

/** `count` dates in a row, beginning with `first`. */
export function datesFrom(first: string, count: number): string[] {
  // Days of UTC are all of one length, and Temporal takes twenty times as long.
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: count }, (_, days) =>
    new Date(start + days * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length),
  );
}

/** The open slots nearest to a wished moment, the nearest first. */
export function nearestOpen(
  catalog: Catalog,
  wished: { date: string; time: string },
  minutes: number,
  busy: readonly Occupancy[],
  now: Temporal.Instant,
  howMany: number,
): Slot[] {
  const wish = Temporal.PlainDateTime.from(`${wished.date}T${wished.time}`).toZonedDateTime(
    catalog.business.timezone,
  ).epochMilliseconds;
  return datesFrom(shopDate(catalog, now), catalog.scheduling.horizon_days + 1)
    .flatMap((date) => slotsOf(catalog, dayOf(catalog, date, now), minutes, busy, now))
    .filter(({ status }) => status === "available")
    .sort((a, b) => Math.abs(a.startAt - wish) - Math.abs(b.startAt - wish) || a.startAt - b.startAt)
    .slice(0, howMany);
}

/** The first open slot up to the horizon, or null. */
export function firstStart(
  catalog: Catalog,
  now: Temporal.Instant,
  minutes: number,
  busy: readonly Occupancy[],
): { date: string; time: string } | null {
  for (const date of datesFrom(shopDate(catalog, now), catalog.scheduling.horizon_days + 1)) {
    const slot = slotsOf(catalog, dayOf(catalog, date, now), minutes, busy, now).find(
      ({ status }) => status === "available",
    );
    if (slot) return { date: slot.date, time: slot.time };
  }
  return null;
}

/** The moment itself while the shop is open, otherwise the next opening. Without an opening in a year: the moment. */
export function nextOpenMoment(catalog: Catalog, moment: number): number {
  const { timezone } = catalog.business;
  const first = shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(moment));
  for (const date of datesFrom(first, 366)) {
    if (catalog.scheduling.blocked_dates.some((entry) => entry.date === date)) continue;
    for (const { opens, closes } of hoursOf(catalog, date)) {
      const at = (time: string) =>
        wallClock(Temporal.PlainDate.from(date), minutesOf(time)).toZonedDateTime(timezone).epochMilliseconds;
      if (at(closes) > moment) return Math.max(moment, at(opens));
    }
  }
  return moment;
}

/** The end of the last date that can be booked, with a day to spare for work that runs into the next date. */
export function endOfHorizon(catalog: Catalog, now: Temporal.Instant): number {
  const last = Temporal.PlainDate.from(shopDate(catalog, now)).add({ days: catalog.scheduling.horizon_days + 2 });
  return startOfDay(catalog, last.toString());
}

/** The instant at which a shop date begins. */
export function startOfDay({ business }: Catalog, date: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(business.timezone).epochMilliseconds;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
