/** Work that pauses when the shop closes and goes on when it opens again; its bay is kept meanwhile. Pure. */
import type { Shop } from "../catalog/shop.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { type Ended, workEnd } from "./lifecycle.ts";
import { addDays, dateAt, isCatalog, planOf, type ShopClock } from "./schedule.ts";

export interface WorkPart {
  startAt: number;
  endAt: number;
}

/** The longest that work may take, pauses included: diaries look back so far for what still stands in a bay. */
export const MOST_DAYS = 7;

/** From opening to closing of each day on which work is done, from a moment on. */
function openDays(catalog: Shop, from: number): WorkPart[] {
  const first = dateAt(catalog, from);
  const days: WorkPart[] = [];
  for (let day = 0; day < MOST_DAYS; day++) {
    const { openings, status } = planOf(catalog, addDays(first, day));
    const startAt = Math.max(from, openings[0]?.opensAt ?? 0);
    const endAt = openings.at(-1)?.closesAt ?? 0;
    // Work that was taken before its first day was blocked is done all the same.
    if (endAt > startAt && (day === 0 || status !== "blocked")) days.push({ startAt, endAt });
  }
  return days;
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
  if (dateAt(catalog, startAt) === dateAt(catalog, endAt)) return whole;
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
