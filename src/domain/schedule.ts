/**
 * The shop's clock and its open days. Dates and times follow `business.timezone`, instants are epoch milliseconds. Pure: the
 * time comes as an argument.
 */
import { perCatalog, perCatalogAndDate } from "../catalog/per-catalog.ts";
import type { Service } from "../catalog/schema.ts";
import { derive, type Shop } from "../catalog/shop.ts";
import { WEEKDAYS, type Weekday } from "../constants.ts";
import { DAY_MS } from "../lib/durations.ts";
import { capitalised, counted } from "../lib/text.ts";
import { dayAndDate } from "./dates-in-words.ts";
import { dateIn, rfc3339In } from "./time-zone.ts";

export const DAY_STATUSES = ["open", "closed", "blocked", "past", "beyond_horizon"] as const;
type DayStatus = (typeof DAY_STATUSES)[number];

export interface Day {
  date: string;
  weekday: Weekday;
  status: DayStatus;
  reason: string | null;
}

export function bookableServices({ services }: Shop): Service[] {
  return services.filter(({ bookable }) => bookable);
}

/** The part of the catalog that tells the shop's time. */
export interface ShopClock {
  business: Pick<Shop["business"], "timezone">;
}

/** A shop whose catalog has a mistake knows its time zone alone. */
export function isCatalog(clock: ShopClock): clock is Shop {
  return "scheduling" in clock;
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
export function dayOf(catalog: Shop, date: string, now: Temporal.Instant): Day {
  const planned = plannedDay(catalog, date);
  const { weekday } = planned;
  const today = shopDate(catalog, now);
  if (date < today) return { date, weekday, status: "past", reason: "This date has passed." };
  if (date > lastDate(catalog, today)) {
    const { horizon_days: days } = catalog.scheduling;
    const reason = `Bookings open ${counted(days, "day")} ahead.`;
    return { date, weekday, status: "beyond_horizon", reason };
  }
  return planned;
}

/** The last date that can be booked. */
const lastDate = perCatalogAndDate(({ scheduling }, today) =>
  Temporal.PlainDate.from(today).add({ days: scheduling.horizon_days }).toString(),
);

/** What the catalog says of a date: open, closed or blocked. */
const plannedDay = perCatalogAndDate((catalog, date): Day => {
  const weekday = weekdayOf(date);
  const blocked = catalog.scheduling.blocked_dates.find((entry) => entry.date === date);
  const special = catalog.business.special_hours.find((entry) => entry.date === date);
  const about = (status: DayStatus, reason: string | null): Day => ({ date, weekday, status, reason });
  if (blocked) return about("blocked", blocked.reason ?? "The shop takes no bookings on this day.");
  if (hoursOf(catalog, date).length === 0) {
    // A holiday is no rule of the week.
    const when = special ? dayAndDate(date).replace(" ", ", ") : `${capitalised(weekday)}s`;
    return about("closed", special?.reason ?? `The shop is closed on ${when}.`);
  }
  return about("open", special?.reason ?? null);
});

export function weekdayOf(date: string): Weekday {
  const { dayOfWeek } = Temporal.PlainDate.from(date);
  const weekday = WEEKDAYS[dayOfWeek - 1];
  if (!weekday) throw new Error(`no weekday ${dayOfWeek}`);
  return weekday;
}

/** Opening times of a date: special hours override the week. Empty when closed. */
export function hoursOf({ business }: Shop, date: string): { opens: string; closes: string }[] {
  const special = business.special_hours.find((entry) => entry.date === date);
  if (special) return special.closed ? [] : special.hours;
  return business.hours[weekdayOf(date)];
}

/** The catalog without some special days, made once for all days that have the same ones to come. */
const daysToCome = perCatalog(() => new Map<number, Shop>());

/** The catalog without the special days that have passed, for answers that list them. */
export function withDaysToCome(catalog: Shop, now: Temporal.Instant): Shop {
  const { business } = catalog;
  const today = shopDate(catalog, now);
  const ahead = business.special_hours.filter(({ date }) => date >= today);
  if (ahead.length === business.special_hours.length) return catalog;
  const made = daysToCome(catalog);
  const reduced = made.get(ahead.length) ?? derive({ ...catalog, business: { ...business, special_hours: ahead } });
  made.clear();
  made.set(ahead.length, reduced);
  return reduced;
}

/** Years have four digits, so that dates compare like text. */
const LAST_DATE = "9999-12-31";

/** The date so many days later, or earlier; the last of all dates where there is none. */
export function addDays(date: string, days: number): string {
  const last = Temporal.PlainDate.from(LAST_DATE);
  const moved = Temporal.PlainDate.from(date).add({ days });
  return (Temporal.PlainDate.compare(moved, last) > 0 ? last : moved).toString();
}

/** A time of day, in minutes after midnight by the clock on the wall. */
export function wallClock(date: Temporal.PlainDate, minutes: number): Temporal.PlainDateTime {
  return date.toPlainDateTime().add({ minutes });
}

/** A time of day on a date, by the shop's clock. @returns epoch milliseconds @param time HH:MM, up to 24:00 */
export function momentOf({ business }: ShopClock, date: string, time: string): number {
  const wall = wallClock(Temporal.PlainDate.from(date), minutesOf(time));
  return wall.toZonedDateTime(business.timezone).epochMilliseconds;
}

/** Minutes after midnight. @param time like `09:30` */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

export function laterDate(a: string, b: string): string {
  return a > b ? a : b;
}

/** `count` dates in a row, beginning with `first`; fewer at the end of all dates. */
export function datesFrom(first: string, count: number): string[] {
  // Days of UTC are all of one length, and Temporal takes twenty times as long.
  const start = Date.parse(`${first}T00:00:00Z`);
  const length = Math.min(count, (Date.parse(`${LAST_DATE}T00:00:00Z`) - start) / DAY_MS + 1);
  return Array.from({ length }, (_, days) =>
    new Date(start + days * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length),
  );
}

/** The moment itself while the shop is open, otherwise the next opening. Without an opening in a year: the moment. */
export function nextOpenMoment(catalog: Shop, moment: number): number {
  const first = shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(moment));
  for (const date of datesFrom(first, 366)) {
    if (catalog.scheduling.blocked_dates.some((entry) => entry.date === date)) continue;
    for (const { opens, closes } of hoursOf(catalog, date)) {
      if (momentOf(catalog, date, closes) > moment) return Math.max(moment, momentOf(catalog, date, opens));
    }
  }
  return moment;
}

/** The end of the last date that can be booked, with a day to spare for work that runs into the next date. */
export function endOfHorizon(catalog: Shop, now: Temporal.Instant): number {
  const last = Temporal.PlainDate.from(shopDate(catalog, now)).add({ days: catalog.scheduling.horizon_days + 2 });
  return startOfDay(catalog, last.toString());
}

/** At least 1. */
export function secondsToMidnight(catalog: Shop, now: Temporal.Instant): number {
  return Math.ceil((startOfDay(catalog, addDays(shopDate(catalog, now), 1)) - now.epochMilliseconds) / 1000);
}

/** The instant at which a shop date begins. */
export const startOfDay = perCatalogAndDate(
  ({ business }, date) => Temporal.PlainDate.from(date).toZonedDateTime(business.timezone).epochMilliseconds,
);
