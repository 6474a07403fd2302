/** Work that pauses when the shop closes and goes on when it opens again; its bay is kept meanwhile. Pure. */
import { perCatalogAndDate } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { type Ended, workEnd } from "./lifecycle.ts";
import { datesFrom, hoursOf, isCatalog, momentOf, type ShopClock, shopDate } from "./schedule.ts";

export interface WorkPart {
  startAt: number;
  endAt: number;
}

/** The longest that work may take, pauses included: diaries look back so far for what still stands in a bay. */
export const MOST_DAYS = 7;

/** From opening to closing of a date on which the shop is open; null on every other. */
const openDay = perCatalogAndDate((catalog, date): WorkPart | null => {
  const hours = hoursOf(catalog, date);
  const [opens, closes] = [hours[0]?.opens, hours.at(-1)?.closes];
  if (opens === undefined || closes === undefined) return null;
  return { startAt: momentOf(catalog, date, opens), endAt: momentOf(catalog, date, closes) };
});

/** From opening to closing of each day on which work is done, from a moment on. */
function openDays(catalog: Shop, from: number): WorkPart[] {
  const dates = datesFrom(shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(from)), MOST_DAYS);
  return dates.flatMap((date, day) => {
    const open = openDay(catalog, date);
    const isBlocked = day > 0 && catalog.scheduling.blocked_dates.some((entry) => entry.date === date);
    const startAt = Math.max(from, open?.startAt ?? 0);
    return open === null || isBlocked || open.endAt <= startAt ? [] : [{ startAt, endAt: open.endAt }];
  });
}

/** When work of this length ends that pauses overnight; null where it does not begin in opening hours, or takes too long. */
export function endWithPauses(catalog: Shop, startAt: number, minutes: number): number | null {
  const days = openDays(catalog, startAt);
  if (days[0]?.startAt !== startAt) return null;
  let left = minutes * MINUTE_MS;
  for (const day of days) {
    const length = day.endAt - day.startAt;
    if (length >= left) return day.startAt + left;
    left -= length;
  }
  return null;
}

/** The parts of work, a day each. Work that ends on the day it begins, or runs on while the shop is closed, is one part. */
export function partsOf(catalog: Shop, { startAt, endAt }: WorkPart): WorkPart[] {
  const whole = [{ startAt, endAt }];
  const dateOf = (at: number) => shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(at));
  if (dateOf(startAt) === dateOf(endAt)) return whole;
  const parts = openDays(catalog, startAt)
    .filter((day) => day.startAt < endAt)
    .map((day) => ({ startAt: day.startAt, endAt: Math.min(day.endAt, endAt) }));
  const isPaused = parts.length > 1 && parts[0]?.startAt === startAt && parts.at(-1)?.endAt === endAt;
  return isPaused ? parts : whole;
}

/** The parts of a booking's work as it was done, which may be sooner than planned. */
export function doneParts(clock: ShopClock, booking: WorkPart & Ended): WorkPart[] {
  const end = workEnd(booking);
  return partsIn(clock, booking)
    .filter(({ startAt }, i) => i === 0 || startAt < end)
    .map(({ startAt, endAt }) => ({ startAt, endAt: Math.min(endAt, end) }));
}

/** The minutes that are worked, without the pauses. */
export function workedMinutes(clock: ShopClock, work: WorkPart): number {
  return partsIn(clock, work).reduce((sum, { startAt, endAt }) => sum + (endAt - startAt) / MINUTE_MS, 0);
}

/** The parts of work where the hours of the shop are known, which a broken catalog does not tell. */
export function partsIn(clock: ShopClock, work: WorkPart): WorkPart[] {
  return isCatalog(clock) ? partsOf(clock, work) : [work];
}
