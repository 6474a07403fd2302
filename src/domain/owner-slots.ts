/** The times that the owner can book: without notice time, on days beyond the horizon, and off the grid of starts. */
import type { Shop } from "../catalog/shop.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { mostAtOnce, type Occupancy } from "./bays.ts";
import { closedIn } from "./blocked-hours.ts";
import { dayAndDate, dayAndTime, timeOfDay } from "./dates-in-words.ts";
import { dayOf, hoursOf, momentShown, rfc3339, shopDate } from "./schedule.ts";
import { endWithPauses, openSlots, partsOf, type Slot, type Start } from "./slots.ts";

export type OwnerSlot = Pick<Slot, "date" | "time" | "startAt" | "endAt" | "busyUntil">;

/**
 * Work of this length at any time of any date; null where clocks jump over that time.
 * @param pauses whether it pauses overnight where it does not fit before closing; otherwise it runs on
 */
export function slotAtAnyTime(
  catalog: Shop,
  date: string,
  time: string,
  minutes: number,
  pauses = false,
): OwnerSlot | null {
  const startAt = momentShown(catalog, date, time);
  if (startAt === null) return null;
  const endAt = (pauses ? endWithPauses(catalog, startAt, minutes) : null) ?? startAt + minutes * MINUTE_MS;
  return slotUntil({ date, time, startAt }, endAt, catalog);
}

/** Work from a start to an end, with the buffer behind it. */
export function slotUntil(
  start: Pick<OwnerSlot, "date" | "time" | "startAt">,
  endAt: number,
  { scheduling }: Shop,
): OwnerSlot {
  return { ...start, endAt, busyUntil: endAt + scheduling.buffer_minutes * MINUTE_MS };
}

/** How long the owner says that work takes, or when it ends, in epoch milliseconds. */
interface OwnLength {
  minutes?: number;
  until?: number;
}

/** Work of the owner's own length, which pauses overnight; null where it would end before it begins. */
export function ownSlot(catalog: Shop, { date, time }: Start, { minutes = 0, until }: OwnLength): OwnerSlot | null {
  const slot = slotAtAnyTime(catalog, date, time, minutes, true);
  if (!slot || until === undefined) return slot;
  return until > slot.startAt ? slotUntil(slot, until, catalog) : null;
}

/**
 * The usual starts of a date at which a bay is free for work of the owner's own length. Where it can be done in one
 * piece that day, only those.
 * @param lengthAt the length at a start @param busy every booking that may overlap the work
 */
export function openOwnSlots(
  catalog: Shop,
  date: string,
  lengthAt: (start: Start) => OwnLength,
  busy: readonly Occupancy[],
  now: Temporal.Instant,
): Slot[] {
  const { bays } = catalog.scheduling;
  const found = openSlots(catalog, date, { minutes: 0, withoutNotice: true }, busy, now).flatMap((start) => {
    const slot = ownSlot(catalog, start, lengthAt(start));
    if (!slot || whyUnusual(catalog, slot, now) !== null) return [];
    const taken = [...busy, ...closedIn(catalog, slot.startAt, slot.busyUntil)];
    const remaining = bays - mostAtOnce(taken, slot.startAt, slot.busyUntil);
    return remaining > 0 ? [{ ...start, ...slot, remaining }] : [];
  });
  const inOnePiece = found.filter((slot) => partsOf(catalog, slot).length === 1);
  return inOnePiece.length > 0 ? inOnePiece : found;
}

/** A walk-in is often written down after the work has begun: a start up to this long ago is a usual one. */
const WALK_IN_MS = 15 * MINUTE_MS;

/** Why a customer could not book this time, as the end of a sentence; null for a usual time. Notice time does not count. */
export function whyUnusual(catalog: Shop, slot: OwnerSlot, now: Temporal.Instant): string | null {
  const { status, reason } = dayOf(catalog, slot.date, now);
  if (status === "blocked") return `that day is blocked (${reason?.replace(/\.$/, "")})`;
  // A day of the past that was typed without a year is one of the next year: the owner reads which.
  if (status === "beyond_horizon")
    return `${dayAndDate(slot.date, shopDate(catalog, now))} is further ahead than bookings are taken`;
  if (status !== "open") return DAYS[status];
  if (slot.startAt <= now.epochMilliseconds - WALK_IN_MS) return "that time has passed";
  // Work that pauses overnight is checked by its first day.
  const [first = slot] = partsOf(catalog, slot);
  const [endsOn = "", clock = ""] = rfc3339(catalog, first.endAt).split("T");
  const endTime = clock.slice(0, "HH:MM".length);
  const endsAt = endsOn === slot.date ? endTime : "24:00";
  const hours = hoursOf(catalog, slot.date);
  if (hours.some(({ opens, closes }) => opens <= slot.time && endsAt <= closes)) return null;
  const open = hours.map(({ opens, closes }) => `${timeOfDay(opens)} to ${timeOfDay(closes)}`).join(" and ");
  const until = endsOn === slot.date ? timeOfDay(endTime) : dayAndTime(endsOn, endTime);
  return `the work would last until ${until}, and the shop is open ${open}`;
}

const DAYS = {
  closed: "the shop is closed that day",
  past: "that day has passed",
};
