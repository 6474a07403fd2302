/** Blocked days, hours and bays in the diary, each at its time. */
import { derive, type Shop } from "../../src/catalog/shop.ts";
import { type BlockedHours, blocksOn, isWholeDay } from "../../src/domain/bays.ts";
import { conflictsWith } from "../../src/domain/booking-conflicts.ts";
import { dayAndDate, timeOfDay } from "../../src/domain/dates-in-words.ts";
import { datesFrom, isCatalog, momentOf, type ShopClock } from "../../src/domain/schedule.ts";
import { counted } from "../../src/lib/text.ts";
import type { DiaryEntry } from "../../src/store/diary-days.ts";
import type { Booking } from "../../src/store/store.ts";
import { clean } from "../terminal/output.ts";
import type { Span } from "../typed/date-ranges.ts";

/** A line of the diary: a booking, or what is blocked. */
export type DiaryRow = DiaryEntry | { block: BlockedHours };

export function isBlock(row: DiaryRow): row is { block: BlockedHours } {
  return "block" in row;
}

/** Longer lists have the blocks of their first days. */
const MOST_DAYS = 366;

/** The bookings, with what is blocked on the dates [from, to] among them. @param entries by day and time */
export function withBlocks(entries: readonly DiaryEntry[], { from, to }: Span, clock: ShopClock): DiaryRow[] {
  if (!isCatalog(clock)) return [...entries];
  const dates = datesFrom(from, MOST_DAYS).filter((date) => date <= to);
  const blocks = dates.flatMap((date) => blocksOn(clock, date)).map((block) => ({ block }));
  const at = (row: DiaryRow) =>
    isBlock(row) ? momentOf(clock, row.block.date, row.block.from ?? "00:00") : row.booking.startAt;
  return [...blocks, ...entries].sort((a, b) => at(a) - at(b));
}

/** Names a block among others, for lists that are drawn again and again. */
export function blockKey({ date, from = "", to = "", bay }: BlockedHours): string {
  return [date, from, to, bay ?? ""].join(" ");
}

/** The cells of a row of the diary under its heads. @param today leaves out this year */
export function blockCells(block: BlockedHours, { scheduling }: Shop, today: string) {
  const { date, from, to, bay, bays = scheduling.bays, reason = "" } = block;
  const isSome = bay === undefined && bays < scheduling.bays;
  const isDay = from === undefined && to === undefined;
  return {
    date: dayAndDate(date, today),
    time: from === undefined ? (isDay ? "all day" : "opening") : timeOfDay(from),
    bay: bay === undefined ? (isSome ? "" : "all") : String(bay),
    customer: `${isSome ? `${counted(bays, "bay")} ` : ""}closed${isDay ? "" : ` to ${to === undefined ? "closing" : shortTime(to)}`}`,
    job: clean(reason),
    status: "blocked",
  };
}

/** `bay 2`, `1 of 2 bays` or `all bays`. */
export function whichBays({ bay, bays }: BlockedHours, { scheduling: { bays: all } }: Shop): string {
  if (bay !== undefined) return `bay ${bay}`;
  return bays === undefined || bays >= all ? "all bays" : `${bays} of ${all} bays`;
}

/** `1:00 PM–3:00 PM`, `until 3:00 PM`, `from 1:00 PM` or `all day`. */
export function blockedTime({ from, to }: BlockedHours): string {
  if (from !== undefined && to !== undefined) return `${timeOfDay(from)}–${timeOfDay(to)}`;
  if (from !== undefined) return `from ${timeOfDay(from)}`;
  return to === undefined ? "all day" : `until ${timeOfDay(to)}`;
}

/** `3 PM`, `3:30 PM`: for tables that are narrow. */
function shortTime(time: string): string {
  return timeOfDay(time).replace(":00", "");
}

/** `bay 2 closed 1–3 PM`, for the cell of a week. */
export function blockInShort(block: BlockedHours, catalog: Shop): string {
  const { from, to } = block;
  const which = whichBays(block, catalog).replace("all bays", "");
  const [begins, ends] = [from, to].map((time) => (time === undefined ? "" : shortTime(time)));
  const isOneHalf = begins?.slice(-2) === ends?.slice(-2);
  const span =
    begins && ends
      ? `${isOneHalf ? begins.slice(0, -3) : begins}–${ends}`
      : begins
        ? `from ${begins}`
        : ends && `until ${ends}`;
  return [which, "closed", span].filter(Boolean).join(" ");
}

export function blockJson({ from, to, bay, bays, reason }: BlockedHours) {
  return { from: from ?? null, to: to ?? null, bay: bay ?? null, bays: bays ?? null, reason: reason ?? null };
}

/** The confirmed bookings of these that a block would stand in the way of. They stay all the same. */
export function touchedBy(block: BlockedHours, bookings: readonly Booking[], catalog: Shop): Booking[] {
  const { scheduling } = catalog;
  const blocked = isWholeDay(block)
    ? { blocked_dates: [...scheduling.blocked_dates, { date: block.date }] }
    : { blocked_hours: [...scheduling.blocked_hours, block] };
  const confirmed = bookings.filter(({ status }) => status === "confirmed");
  return conflictsWith(catalog, derive({ ...catalog, scheduling: { ...scheduling, ...blocked } }), confirmed);
}
