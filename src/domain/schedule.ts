/**
 * The shop's clock, its calendar, and what its catalog says of a date. Dates and times follow `business.timezone`, moments are
 * epoch milliseconds. Pure: the time comes as an argument. Only this file asks Temporal, and only for what numbers cannot
 * tell: when clocks change.
 */
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { WEEKDAYS, type Weekday } from "../constants.ts";
import { DAY_MS, MINUTE_MS } from "../lib/durations.ts";
import { capitalized, counted } from "../lib/text.ts";
import { dayAndDate } from "./dates-in-words.ts";

/** The part of the catalog that tells the shop's time. */
export interface ShopClock {
  business: Pick<Shop["business"], "timezone">;
}

/** A shop whose catalog has a mistake knows its time zone alone. */
export function isCatalog(clock: ShopClock): clock is Shop {
  return "scheduling" in clock;
}

export function shopTime({ business }: ShopClock, instant: Temporal.Instant): Temporal.ZonedDateTime {
  return instant.toZonedDateTimeISO(business.timezone);
}

export function shopDate({ business }: ShopClock, moment: Temporal.Instant | number): string {
  return dayAt(business.timezone, typeof moment === "number" ? moment : moment.epochMilliseconds).date;
}

/** RFC 3339 with the shop's UTC offset, to the second. */
export function rfc3339({ business }: ShopClock, moment: number): string {
  const { date, midnight, suffix } = dayAt(business.timezone, moment);
  const seconds = Math.floor((moment - midnight) / 1000);
  const hour = Math.floor(seconds / 3600);
  const minute = Math.floor(seconds / 60) % 60;
  return `${date}T${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[seconds % 60]}${suffix}`;
}
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, "0"));

/** A day of a time zone, or the part of it up to a clock change. */
interface ZoneDay extends Pick<Stretch, "zone" | "from" | "until" | "suffix"> {
  date: string;
  /** Midnight by the clock of this part: the moment at which a day without a clock change would have begun. */
  midnight: number;
}

/** Cached, because every request asks for today, and the times of an answer lie on few days. */
let lastDay: ZoneDay = { zone: "", date: "", from: 0, until: 0, midnight: 0, suffix: "" };

function dayAt(zone: string, moment: number): ZoneDay {
  if (zone === lastDay.zone && moment >= lastDay.from && moment < lastDay.until) return lastDay;
  const { from, until, offset, suffix } = stretchAt(zone, moment);
  const clock = Math.floor((moment + offset) / DAY_MS) * DAY_MS;
  const midnight = clock - offset;
  lastDay = {
    zone,
    date: new Date(clock).toISOString().slice(0, "YYYY-MM-DD".length),
    from: Math.max(from, midnight),
    until: Math.min(until, midnight + DAY_MS),
    midnight,
    suffix,
  };
  return lastDay;
}

/** The moment of a time of day on a date. Where clocks jump over it, as much later as they jump. @param time HH:MM, up to 24:00 */
export function momentOf({ business }: ShopClock, date: string, time: string): number {
  return momentOfWall(business.timezone, midnightUtc(date) + minutesOf(time) * MINUTE_MS);
}

/** The moment of a time of day on a date, the first one where the time comes twice; null where clocks jump over it. */
export function momentShown({ business }: ShopClock, date: string, time: string): number | null {
  const wall = midnightUtc(date) + minutesOf(time) * MINUTE_MS;
  const moment = momentOfWall(business.timezone, wall);
  return isOnClock(business.timezone, moment, wall) ? moment : null;
}

function isOnClock(zone: string, moment: number, wall: number): boolean {
  return moment + stretchAt(zone, moment).offset === wall;
}

/** @param wall what the clocks show, as if it were the time in UTC */
function momentOfWall(zone: string, wall: number): number {
  // No clock is further from UTC than a day, so a day away from clock changes one offset holds for both.
  const { from, until, offset } = stretchAt(zone, wall);
  const moment = wall - offset;
  if (from + DAY_MS < moment && moment < until - DAY_MS) return moment;
  const shown = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO("UTC").toPlainDateTime();
  return shown.toZonedDateTime(zone).epochMilliseconds;
}

/** Between two clock changes the offset from UTC stays the same. */
interface Stretch {
  zone: string;
  /** The clock change at which the offset begins to hold, and the one at which it ends. */
  from: number;
  until: number;
  offset: number;
  /** The offset as RFC 3339 writes it, like `-05:00`. */
  suffix: string;
}

/** The stretches that were asked for, the last one first: all times of an answer lie in one or two. */
let stretches: readonly Stretch[] = [];
/** A year has two, but callers may ask for any year. */
const MOST_STRETCHES = 16;

function stretchAt(zone: string, moment: number): Stretch {
  for (const known of stretches) if (known.from <= moment && moment < known.until && known.zone === zone) return known;
  const time = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
  // One nanosecond later, so that a change at this very moment counts as "previous".
  const change = time.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  const stretch = {
    zone,
    from: change?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: time.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: time.offsetNanoseconds / 1_000_000,
    suffix: time.toString({ timeZoneName: "never" }).slice(-"+00:00".length),
  };
  stretches = [stretch, ...stretches.slice(0, MOST_STRETCHES - 1)];
  return stretch;
}

/** Minutes after midnight. @param time like `09:30` */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** `09:30`. @param minutes after midnight */
function clockText(minutes: number): string {
  return `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}`;
}

/** Years have four digits, so that dates compare like text. */
const LAST_DATE = "9999-12-31";

/** Dates are counted in days of UTC, which are all of one length. */
function midnightUtc(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** The date so many days later, or earlier; the last of all dates where there is none. */
export function addDays(date: string, days: number): string {
  const moved = Math.min(midnightUtc(date) + days * DAY_MS, midnightUtc(LAST_DATE));
  return new Date(moved).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** `count` dates in a row, beginning with `first`; fewer at the end of all dates. */
export function datesFrom(first: string, count: number): string[] {
  const length = Math.min(count, daysBetween(first, LAST_DATE) + 1);
  return Array.from({ length }, (_, days) => addDays(first, days));
}

/** Days from one date to a later one; negative to an earlier one. */
export function daysBetween(from: string, to: string): number {
  return (midnightUtc(to) - midnightUtc(from)) / DAY_MS;
}

export function laterDate(a: string, b: string): string {
  return a > b ? a : b;
}

export function weekdayOf(date: string): Weekday {
  // UTC counts days of the week from Sunday.
  const weekday = WEEKDAYS[(new Date(midnightUtc(date)).getUTCDay() + 6) % 7];
  if (!weekday) throw new Error(`no date ${date}`);
  return weekday;
}

export const DAY_STATUSES = ["open", "closed", "blocked", "past", "beyond_horizon"] as const;
type DayStatus = (typeof DAY_STATUSES)[number];

export interface Day {
  date: string;
  weekday: Weekday;
  status: DayStatus;
  reason: string | null;
}

export interface PossibleStart {
  /** HH:MM */
  time: string;
  startAt: number;
  /** When the shop next closes. */
  closesAt: number;
}

/** A date of the shop's calendar, with all that the catalog says of it: the one reading of a date. */
export interface DayPlan extends Day {
  /** Opening times: special hours override the week. Empty when closed; a blocked day has its usual ones. */
  hours: readonly { opens: string; closes: string }[];
  special: Shop["business"]["special_hours"][number] | undefined;
  block: Shop["scheduling"]["blocked_dates"][number] | undefined;
  beginsAt: number;
  /** `hours` in moments. */
  openings: readonly { opensAt: number; closesAt: number }[];
  /** Starts follow the clock on the wall: one that clocks jump over is left out, and one that comes twice is the first. */
  starts: readonly PossibleStart[];
  /** The last date that can be booked on this one. */
  horizon: string;
  /** The last date on which a price of this one holds, and its last second in RFC 3339. */
  priceHolds: { date: string; until: string };
}

/** Kept, because an answer about open times needs 30 of them, each with a dozen moments, and the next opening up to a year. */
const plans = perCatalog(() => new Map<string, DayPlan>());
/** Enough for the longest horizon, and for a few callers who ask for dates outside it. */
const MOST_PLANS = 500;

export function planOf(catalog: Shop, date: string): DayPlan {
  const known = plans(catalog);
  const plan = known.get(date);
  if (plan) return plan;
  const made = plannedDay(catalog, date);
  if (known.size >= MOST_PLANS) known.clear();
  known.set(date, made);
  return made;
}

function plannedDay(catalog: Shop, date: string): DayPlan {
  const { business, scheduling, automotive } = catalog;
  const { timezone } = business;
  const weekday = weekdayOf(date);
  const block = scheduling.blocked_dates.find((entry) => entry.date === date);
  const special = business.special_hours.find((entry) => entry.date === date);
  const hours = special ? (special.closed ? [] : special.hours) : business.hours[weekday];
  const openings: { opensAt: number; closesAt: number }[] = [];
  const starts: PossibleStart[] = [];
  const midnight = midnightUtc(date);
  for (const { opens, closes } of hours) {
    const closing = minutesOf(closes);
    const closesAt = momentOfWall(timezone, midnight + closing * MINUTE_MS);
    openings.push({ opensAt: momentOfWall(timezone, midnight + minutesOf(opens) * MINUTE_MS), closesAt });
    for (let minutes = minutesOf(opens); minutes < closing; minutes += scheduling.grid_minutes) {
      const wall = midnight + minutes * MINUTE_MS;
      const startAt = momentOfWall(timezone, wall);
      if (isOnClock(timezone, startAt, wall)) starts.push({ time: clockText(minutes), startAt, closesAt });
    }
  }
  const lastOfPrice = addDays(date, automotive.estimate_valid_days);
  const plan = {
    date,
    weekday,
    hours,
    special,
    block,
    beginsAt: beginOf(date, timezone),
    openings,
    starts,
    horizon: addDays(date, scheduling.horizon_days),
    priceHolds: {
      date: lastOfPrice,
      until: rfc3339(catalog, beginOf(addDays(lastOfPrice, 1), timezone) - 1000),
    },
  };
  if (block) {
    return { ...plan, status: "blocked", reason: block.reason ?? "The shop takes no bookings on this day." };
  }
  if (hours.length === 0) {
    // A holiday is no rule of the week.
    const when = special ? dayAndDate(date).replace(" ", ", ") : `${capitalized(weekday)}s`;
    return { ...plan, status: "closed", reason: special?.reason ?? `The shop is closed on ${when}.` };
  }
  return { ...plan, status: "open", reason: special?.reason ?? null };
}

function beginOf(date: string, zone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
}

export function startOfDay(catalog: Shop, date: string): number {
  return planOf(catalog, date).beginsAt;
}

/** A date as it is now: the catalog's plan of it, unless it has passed or is too far ahead. Dates compare like text. */
export function dayOf(catalog: Shop, date: string, now: Temporal.Instant): DayPlan {
  const plan = planOf(catalog, date);
  const today = shopDate(catalog, now);
  if (date < today) return { ...plan, status: "past", reason: "This date has passed." };
  if (date <= planOf(catalog, today).horizon) return plan;
  const reason = `Bookings open ${counted(catalog.scheduling.horizon_days, "day")} ahead.`;
  return { ...plan, status: "beyond_horizon", reason, starts: [] };
}

/** When the shop closes that is open at this moment; null while it is closed. */
export function closingTime(catalog: Shop, moment: number): number | null {
  const { openings } = planOf(catalog, shopDate(catalog, moment));
  return openings.find(({ opensAt, closesAt }) => opensAt <= moment && moment < closesAt)?.closesAt ?? null;
}

/** The moment itself while the shop is open, otherwise the next opening. Without an opening in a year: the moment. */
export function nextOpenMoment(catalog: Shop, moment: number): number {
  const first = shopDate(catalog, moment);
  for (let days = 0; days <= 365; days++) {
    const { status, openings } = planOf(catalog, addDays(first, days));
    if (status === "blocked") continue;
    for (const { opensAt, closesAt } of openings) if (closesAt > moment) return Math.max(moment, opensAt);
  }
  return moment;
}

/** The end of the last date that can be booked, with a day to spare for work that runs into the next date. */
export function endOfHorizon(catalog: Shop, now: Temporal.Instant): number {
  return startOfDay(catalog, addDays(shopDate(catalog, now), catalog.scheduling.horizon_days + 2));
}

/** At least 1. */
export function secondsToMidnight(catalog: Shop, now: Temporal.Instant): number {
  return Math.ceil((startOfDay(catalog, addDays(shopDate(catalog, now), 1)) - now.epochMilliseconds) / 1000);
}
