/**
 * The slots of a day: possible starts, the bays that are free for the whole work, and why there is none, in words. Then work
 * that pauses when the shop closes and goes on when it opens again; its bay is kept meanwhile. Pure: bookings and the time
 * come as arguments. Source: contract 5.
 */
import type { Shop } from "../catalog/shop.ts";
import { DAY_MS, MINUTE_MS } from "../lib/durations.ts";
import { capitalized, durationInWords } from "../lib/text.ts";
import { closedIn, mostAtOnce, type Occupancy } from "./bays.ts";
import { dayAndDate, dayAndTime, timeOfDay, timesInWords } from "./dates-in-words.ts";
import { type Ended, workEnd } from "./lifecycle.ts";
import {
  addDays,
  type Day,
  type DayPlan,
  dayOf,
  isCatalog,
  minutesOf,
  momentShown,
  type PossibleStart,
  planOf,
  rfc3339,
  type ShopClock,
  shopDate,
} from "./schedule.ts";

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
  /** A bay would be free, but for the pause between two jobs. */
  isPause?: true;
  /** The days of work that pauses over night; absent for work in one piece. */
  parts?: readonly WorkPart[];
}

/** By which rules work begins; those for customers where they are left out. */
export interface StartRules {
  /** False: at any time that the clocks show, also where the work runs on after closing. */
  grid?: boolean;
  /** False: no notice is needed. */
  notice?: boolean;
}

/** How long work takes, and whether it may pause when the shop closes and go on when it opens again. */
export interface WorkLength extends StartRules {
  minutes: number;
  overNight?: boolean;
  /** Off the grid: when it ends, in epoch milliseconds, in place of the length. */
  until?: number | undefined;
}

/** When a slot begins: YYYY-MM-DD and HH:MM, by the shop's clock. */
export type Start = Pick<Slot, "date" | "time">;

/** A start at which work of some length fits, with its end. */
type FittingStart = PossibleStart & Pick<Slot, "endAt" | "parts">;

/** The starts of a day at which work of this length ends before closing, or may pause then. */
export function fittingStarts(catalog: Shop, { starts }: DayPlan, work: WorkLength): FittingStart[] {
  return starts.flatMap((start) => fitted(start, work, catalog) ?? []);
}

function fitted(start: PossibleStart, { minutes, overNight }: WorkLength, catalog: Shop): FittingStart | undefined {
  const endAt = start.startAt + minutes * MINUTE_MS;
  if (endAt <= start.closesAt) return { ...start, endAt };
  const end = overNight ? endWithPauses(catalog, start.startAt, minutes) : null;
  if (end === null) return undefined;
  const parts = partsOf(catalog, { startAt: start.startAt, endAt: end });
  // A break at noon is no night.
  return parts.length > 1 ? { ...start, endAt: end, parts } : undefined;
}

/** Where work ends before closing, or may pause over night. `busy` holds every booking that may overlap the day. */
export function slotsOf(
  catalog: Shop,
  day: DayPlan,
  work: WorkLength,
  busy: readonly Occupancy[],
  now: Temporal.Instant,
  starts = fittingStarts(catalog, day, work),
): Slot[] {
  const span = spanOf(starts, catalog);
  if (!span) return [];
  // Once for the day, because the list may hold the bookings of many days.
  const ofDay = busy.filter((one) => one.startAt < span.busyUntil && one.busyUntil > span.startAt);
  return starts.map((start) => slotFrom(start, day, work, ofDay, catalog, now));
}

/** From the first start of a day to the end of its last work, with the buffer; null without a start. */
export function spanOf(starts: readonly FittingStart[], { scheduling }: Shop): Occupancy | null {
  const [first] = starts;
  const last = starts.at(-1);
  if (!first || !last) return null;
  return { startAt: first.startAt, busyUntil: last.endAt + scheduling.buffer_minutes * MINUTE_MS };
}

/** The slot of one time, as in `slotsOf`; undefined where work of this length cannot start then, or clocks jump over it. */
export function slotAt(
  catalog: Shop,
  at: Start,
  work: WorkLength,
  now: Temporal.Instant,
  busy: readonly Occupancy[] = [],
): Slot | undefined {
  const day = dayOf(catalog, at.date, now);
  if (work.grid === false) {
    const start = atAnyTime(at, work, catalog);
    return start && slotFrom(start, day, work, busy, catalog, now);
  }
  const start = day.starts.find(({ time }) => time === at.time);
  const fits = start && fitted(start, work, catalog);
  return fits && slotFrom(fits, day, work, busy, catalog, now);
}

function atAnyTime({ date, time }: Start, work: WorkLength, catalog: Shop) {
  const startAt = momentShown(catalog, date, time);
  if (startAt === null) return undefined;
  const endAt = work.until ?? endOfWork(catalog, startAt, work);
  return endAt > startAt ? { time, startAt, endAt } : undefined;
}

/** When work ends that begins at any moment: it pauses overnight where it may, and otherwise runs on after closing. */
export function endOfWork(catalog: Shop, startAt: number, { minutes, overNight }: WorkLength): number {
  return (overNight ? endWithPauses(catalog, startAt, minutes) : null) ?? startAt + minutes * MINUTE_MS;
}

/** @param busy every booking that may overlap the work */
function slotFrom(
  { time, startAt, endAt, parts }: Omit<FittingStart, "closesAt">,
  { date, status: day }: DayPlan,
  { notice = true }: WorkLength,
  busy: readonly Occupancy[],
  catalog: Shop,
  { epochMilliseconds: now }: Temporal.Instant,
): Slot {
  const { bays, buffer_minutes: buffer, lead_minutes: lead } = catalog.scheduling;
  const busyUntil = endAt + buffer * MINUTE_MS;
  const closed = closedIn(catalog, startAt, busyUntil);
  const taken = closed.length === 0 ? busy : [...busy, ...closed];
  const free = Math.max(0, taken.length === 0 ? bays : bays - mostAtOnce(taken, startAt, busyUntil));
  let status: SlotStatus = free > 0 ? "available" : "booked";
  if (day === "blocked" || (closed.length > 0 && mostAtOnce(closed, startAt, busyUntil) >= bays)) status = "blocked";
  else if (day === "past" || startAt <= now) status = "past";
  else if (notice && startAt < now + lead * MINUTE_MS) status = "too_soon";
  const remaining = status === "available" ? free : 0;
  const slot: Slot = { date, time, startAt, endAt, busyUntil, status, remaining, ...(parts && { parts }) };
  if (status === "booked" && isPauseAlone(catalog, slot, busy)) slot.isPause = true;
  return slot;
}

/** Whether work finds no bay, but would without the pause between two jobs. @param busy every booking that overlaps the work */
export function isPauseAlone(
  catalog: Shop,
  { startAt, endAt, busyUntil }: Pick<Slot, "startAt" | "endAt" | "busyUntil">,
  busy: readonly Occupancy[],
): boolean {
  const { bays, buffer_minutes: buffer } = catalog.scheduling;
  if (buffer === 0) return false;
  const closed = closedIn(catalog, startAt, busyUntil);
  const worked = busy.map((one) => ({ ...one, busyUntil: one.busyUntil - buffer * MINUTE_MS }));
  return (
    mostAtOnce([...busy, ...closed], startAt, busyUntil) >= bays &&
    mostAtOnce([...worked, ...closed], startAt, endAt) < bays
  );
}

/** `the bay needs 15 minutes between jobs`. */
export function pauseInWords({ scheduling }: Shop): string {
  return `the bay needs ${durationInWords(scheduling.buffer_minutes)} between jobs`;
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

/** Usual starts at which a bay is free for the owner's own length; where it can be done in one piece that day, only those. */
export function openOwnSlots(
  catalog: Shop,
  date: string,
  lengthAt: (start: Start) => Partial<WorkLength>,
  busy: readonly Occupancy[],
  now: Temporal.Instant,
): Slot[] {
  const found = dayOf(catalog, date, now).starts.flatMap(({ time }) => {
    const slot = slotAt(catalog, { date, time }, ownLength(lengthAt({ date, time })), now, busy);
    return slot && isOpen(slot) && whyUnusual(catalog, slot, now) === null ? [slot] : [];
  });
  const inOnePiece = found.filter((slot) => partsOf(catalog, slot).length === 1);
  return inOnePiece.length > 0 ? inOnePiece : found;
}

/** Work of the owner's own length, at any time; it pauses overnight. */
export function ownLength(length: Partial<WorkLength>): WorkLength {
  return { minutes: 0, ...length, overNight: true, ...ANY_TIME };
}

/** The owner's rules. */
export const ANY_TIME = { grid: false, notice: false } as const satisfies StartRules;

export function isOpen({ status }: Slot): boolean {
  return status === "available";
}

/** The first open slot up to the horizon in an empty diary, or null. */
export function firstStart(catalog: Shop, now: Temporal.Instant, work: WorkLength): Start | null {
  const today = shopDate(catalog, now);
  for (let days = 0; days <= catalog.scheduling.horizon_days; days++) {
    const [slot] = openSlots(catalog, addDays(today, days), work, [], now);
    if (slot) return { date: slot.date, time: slot.time };
  }
  return null;
}

/**
 * Why no time of a day can be had for work of some length.
 * @param minutes length of the work
 * @param slots all starts of the day
 * @returns undefined where there is an open time, and on a day that is not open, which has its own reason
 */
export function whyNoTime(
  { status, date }: Pick<Day, "status" | "date">,
  minutes: number,
  slots: readonly Slot[],
  catalog: Shop,
): string | undefined {
  if (status !== "open" || slots.some(isOpen)) return undefined;
  if (slots.length === 0) return `${tooLong(date, minutes, catalog)}.`;
  const left = slots.filter((slot) => slot.status !== "past");
  if (left.length === 0) return DAY_OVER;
  const inTime = left.filter((slot) => slot.status !== "too_soon");
  if (inTime.length === 0) return `${capitalized(noticeInWords(catalog))}.`;
  const taken = inTime.filter((slot) => slot.status === "booked");
  if (taken.length === 0) return "The shop takes no bookings at this time.";
  const work = `for work of ${durationInWords(minutes)}`;
  const pauses = taken.filter(({ isPause }) => isPause).length;
  if (pauses === taken.length) return `${capitalized(pauseInWords(catalog))}, which leaves no time ${work}.`;
  return `${TAKEN} ${work}${pauses > 0 ? `; ${pauseInWords(catalog)}` : ""}.`;
}

/** What `whyNoTime` says of a day that is over. */
export const DAY_OVER = "No time is left on this day.";
const TAKEN = "Every bay is taken";

/** Whether jobs fill a day, by its reason of `whyNoTime`: one that is over, or too short, is not full. */
export function saysFull(reason: string, catalog: Shop): boolean {
  return [TAKEN, capitalized(pauseInWords(catalog))].some((one) => reason.includes(one));
}

/** Why work of this length cannot start at a time of an open day, without the full stop. @param time HH:MM that is no start of `slotsOf` */
export function whyNoStart(
  date: string,
  time: string,
  { minutes, overNight = false }: WorkLength,
  catalog: Shop,
): string {
  if (momentShown(catalog, date, time) === null) return clocksJump(date, time);
  const at = minutesOf(time);
  const hours = planOf(catalog, date).hours;
  const open = hours.find(({ opens, closes }) => minutesOf(opens) <= at && at < minutesOf(closes));
  if (!overNight && hours.every(({ opens, closes }) => minutesOf(closes) - minutesOf(opens) < minutes))
    return tooLong(date, minutes, catalog);
  if (!open) return `The shop is open ${timesInWords(hours)}`;
  if (!overNight && at + minutes > minutesOf(open.closes))
    return `This work takes ${durationInWords(minutes)}, and the shop closes at ${timeOfDay(open.closes)}`;
  const { grid_minutes: grid } = catalog.scheduling;
  const every = `Work starts every ${grid === 60 ? "hour" : durationInWords(grid)} from ${timeOfDay(open.opens)}`;
  const starts = fittingStarts(catalog, planOf(catalog, date), { minutes, overNight }).map((start) => start.time);
  const beside = [starts.findLast((start) => start < time), starts.find((start) => start > time)];
  const near = beside
    .filter((start) => start !== undefined)
    .map(timeOfDay)
    .join(" or ");
  return near === "" ? every : `${every}, here at ${near}`;
}

/** A time of day that a date does not have, because clocks are put forward. */
export function clocksJump(date: string, time: string): string {
  return `Clocks jump over ${timeOfDay(time)} on ${date}`;
}

/** A walk-in is often written down after the work has begun: a start up to this long ago is a usual one. */
const WALK_IN_MS = 15 * MINUTE_MS;

export type Appointed = Start & WorkPart;

/** Why a customer could not book this time, as the end of a sentence; null for a usual time. Notice time does not count. */
export function whyUnusual(catalog: Shop, slot: Appointed, now: Temporal.Instant): string | null {
  const { status, block } = dayOf(catalog, slot.date, now);
  if (status === "blocked") return `that day is blocked${block?.reason ? ` (${block.reason})` : ""}`;
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
  const hours = planOf(catalog, slot.date).hours;
  if (hours.some(({ opens, closes }) => opens <= slot.time && endsAt <= closes)) return null;
  const open = timesInWords(hours);
  const until = endsOn === slot.date ? timeOfDay(endTime) : dayAndTime(endsOn, endTime);
  return `the work would last until ${until}, and the shop is open ${open}`;
}

const DAYS = {
  closed: "the shop is closed that day",
  past: "that day has passed",
};

function tooLong(date: string, minutes: number, catalog: Shop): string {
  const stretches = planOf(catalog, date).hours.map(({ opens, closes }) => minutesOf(closes) - minutesOf(opens));
  const longest = durationInWords(Math.max(...stretches));
  const open = stretches.length > 1 ? `${longest} at a stretch` : longest;
  return `This work takes ${durationInWords(minutes)}, and the shop is open for ${open}`;
}

/** `the shop needs 2 h of notice`. */
export function noticeInWords({ scheduling: { lead_minutes: minutes } }: Shop): string {
  const days = (minutes * MINUTE_MS) / DAY_MS;
  const notice = days > 1 && Number.isInteger(days) ? `${days} days` : durationInWords(minutes);
  return `the shop needs ${notice} of notice`;
}

/** A day of work that pauses, or all of other work. */
export interface WorkPart {
  startAt: number;
  endAt: number;
}

/** The longest that work may take, pauses included: diaries look back so far for what is still in a bay. */
export const MOST_WORKDAYS = 7;

/** From opening to closing of each day on which work is done, from a moment on. */
function openDays(catalog: Shop, from: number): WorkPart[] {
  const first = shopDate(catalog, from);
  const days: WorkPart[] = [];
  for (let day = 0; day < MOST_WORKDAYS; day++) {
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
  if (shopDate(catalog, startAt) === shopDate(catalog, endAt)) return whole;
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
