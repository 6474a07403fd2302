/** The diary: bookings in order, each with the bay that does the work; and one booking by its code. */
import { assignBays } from "../../src/domain/bays.ts";
import { isCancelled } from "../../src/domain/lifecycle.ts";
import { readCode } from "../../src/lib/ids.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { CliError, clean } from "../terminal/output.ts";
import { didYouMeanCode } from "../typed/values.ts";

export interface DiaryEntry {
  booking: Booking;
  /** Counted from 1; null for a cancelled booking. */
  bay: number | null;
}

const PAGE = 500;

/** The diary of the shop's dates [from, to], one day at a time, each by time and bay. */
export async function* diaryDays(store: Store, from: string, to: string): AsyncGenerator<DiaryEntry[]> {
  let day: Booking[] = [];
  let page: Booking[] = [];
  do {
    page = await store.bookings({ from, to }, PAGE, page.at(-1));
    for (const booking of page) {
      if (day[0] && day[0].date !== booking.date) {
        yield withBays(day);
        day = [];
      }
      day.push(booking);
    }
  } while (page.length === PAGE);
  if (day.length > 0) yield withBays(day);
}

/** The diary of the shop's dates [from, to], by day, time and bay. */
export async function readDiary(store: Store, from: string, to: string): Promise<DiaryEntry[]> {
  return (await Array.fromAsync(diaryDays(store, from, to))).flat();
}

function withBays(bookings: readonly Booking[]): DiaryEntry[] {
  const working = bookings.filter(({ status }) => !isCancelled(status));
  const bays = assignBays(working);
  const bayOf = new Map(working.map(({ id }, i) => [id, bays[i] ?? null]));
  return bookings
    .map((booking) => ({ booking, bay: bayOf.get(booking.id) ?? null }))
    .sort((a, b) => a.booking.startAt - b.booking.startAt || (a.bay ?? Number.MAX_VALUE) - (b.bay ?? Number.MAX_VALUE));
}

/** A booking with its bay, which depends on the other jobs of the day. */
export async function diaryEntryOf(store: Store, booking: Booking): Promise<DiaryEntry> {
  const day = await readDiary(store, booking.date, booking.date);
  return { booking, bay: day.find((entry) => entry.booking.id === booking.id)?.bay ?? null };
}

/** A booking by the code that an owner typed. @throws Failure that suggests the nearest code there is */
export async function findBooking(store: Store, typed: string): Promise<Booking> {
  const code = readCode(typed);
  const booking = await store.findBooking(code);
  if (booking) return booking;
  throw new CliError(noSuchBooking(code, await didYouMeanCode(code, store.codesInUse)));
}

/** @param hint a sentence that names the code that was probably meant */
export function noSuchBooking(code: string, hint = ""): string {
  return `There is no booking ${clean(code)}.${hint} See tint bookings.`;
}
