/** The diary: bookings in order, each with the bay that does the work. */
import { assignBays } from "../../src/domain/bays.ts";
import { isCancelled } from "../../src/domain/lifecycle.ts";
import type { Booking, Store } from "../../src/store/store.ts";

export interface DiaryEntry {
  booking: Booking;
  /** Counted from 1; null for a cancelled booking. */
  bay: number | null;
}

/** The diary of the shop's dates [from, to], by day, time and bay. */
export async function readDiary(store: Store, from: string, to: string): Promise<DiaryEntry[]> {
  const bookings = await store.bookings({ from, to });
  const working = bookings.filter(({ status }) => !isCancelled(status));
  const bays = assignBays(working);
  const bayOf = new Map(working.map(({ id }, i) => [id, bays[i] ?? null]));
  return bookings
    .map((booking) => ({ booking, bay: bayOf.get(booking.id) ?? null }))
    .sort((a, b) => a.booking.startAt - b.booking.startAt || (a.bay ?? Number.MAX_VALUE) - (b.bay ?? Number.MAX_VALUE));
}

/** A booking with its bay, which depends on the other jobs of the day. */
export async function entryOf(store: Store, booking: Booking): Promise<DiaryEntry> {
  const day = await readDiary(store, booking.date, booking.date);
  return { booking, bay: day.find((entry) => entry.booking.id === booking.id)?.bay ?? null };
}
