/** The diary: bookings in order, each with the bay that does the work; and one booking by its code. */
import { isOff, workEnd } from "../../src/domain/lifecycle.ts";
import { addDays, momentOf, type ShopClock } from "../../src/domain/schedule.ts";
import { isCode, readCode } from "../../src/lib/ids.ts";
import { type DiaryEntry, diaryDays, RUNS_OVER_DAYS } from "../../src/store/diary-days.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { clean } from "../terminal/output.ts";
import type { Span } from "../typed/date-ranges.ts";
import { noSuchCode } from "../typed/values.ts";

/** The diary of the shop's dates [from, to], by day, time and bay. */
export async function readDiary(store: Store, from: string, to: string, clock: ShopClock): Promise<DiaryEntry[]> {
  return (await Array.fromAsync(diaryDays(store, from, to, clock))).flat();
}

/** What stands on the shop's dates [from, to]: the bookings that begin there, and before them earlier ones that last into them. */
export async function readStanding(store: Store, { from, to }: Span, clock: ShopClock): Promise<DiaryEntry[]> {
  const entries = await readDiary(store, addDays(from, -RUNS_OVER_DAYS), to, clock);
  return entries.filter(({ booking }) => booking.date >= from || standsOn(booking, from, clock));
}

/** Whether a booking begins on a date, or its work lasts into it. */
export function standsOn(booking: Booking, date: string, clock: ShopClock): boolean {
  const lastsInto = booking.date < date && workEnd(booking) > momentOf(clock, date, "00:00");
  return booking.date === date || (lastsInto && !isOff(booking.status));
}

/** A booking with its bay, which depends on the other jobs of the day. */
export async function diaryEntryOf(store: Store, booking: Booking, clock: ShopClock): Promise<DiaryEntry> {
  const day = await readDiary(store, booking.date, booking.date, clock);
  return { booking, bay: day.find((entry) => entry.booking.id === booking.id)?.bay ?? null };
}

/** A booking by the code that an owner typed. @throws CliError that suggests the nearest code there is, or the customer of that name */
export async function requireBooking(store: Store, typed: string): Promise<Booking> {
  const code = readCode(typed);
  const booking = await store.findBooking(code);
  if (booking) return booking;
  throw await noSuchCode(store, typed, code, {
    ...{ inUse: store.codesInUse, canBe: isCode(code), none: noSuchBooking },
    form: "the code of a booking, which is like 7F3A2B9C",
  });
}

/** @param hint a sentence that names the code that was probably meant */
export function noSuchBooking(code: string, hint = ""): string {
  return `There is no booking ${clean(code)}.${hint} See tint bookings.`;
}
