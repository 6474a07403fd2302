/** The diary a day at a time, each booking with the bay that does the work. */
import type { Occupancy } from "../domain/bays.ts";
import { baysClosedByNumber } from "../domain/bays.ts";
import { isOff, stayOf } from "../domain/lifecycle.ts";
import { addDays, type ShopClock } from "../domain/schedule.ts";
import type { Booking, Store } from "./store.ts";

export interface DiaryEntry {
  booking: Booking;
  /** Counted from 1; null for a booking that is off. */
  bay: number | null;
}

const PAGE = 500;
/** So many days before the first one are read, because their work may last into it and keeps its bay. */
export const RUNS_OVER_DAYS = 7;

/** The bookings that begin on the shop's dates [from, to], one day at a time, each by time and bay. @param clock tells which bays are closed */
export async function* diaryDays(
  store: Pick<Store, "bookings">,
  from: string,
  to: string,
  clock: ShopClock,
): AsyncGenerator<DiaryEntry[]> {
  const closed = baysClosedByNumber(clock);
  let taken: TakenBay[] = [];
  for await (const day of bookingDays(store, addDays(from, -RUNS_OVER_DAYS), to)) {
    const entries = withBays(day, taken, closed);
    const own = entries.flatMap(({ booking, bay }) =>
      bay === null ? [] : [{ bay, busyUntil: stayOf(booking).busyUntil }],
    );
    const begins = Math.min(...day.map(({ startAt }) => startAt));
    taken = [...taken.filter(({ busyUntil }) => busyUntil > begins), ...own];
    if (day[0] && day[0].date >= from) yield entries;
  }
}

async function* bookingDays(store: Pick<Store, "bookings">, from: string, to: string): AsyncGenerator<Booking[]> {
  let day: Booking[] = [];
  let page: Booking[] = [];
  do {
    page = await store.bookings({ from, to }, PAGE, page.at(-1));
    for (const booking of page) {
      if (day[0] && day[0].date !== booking.date) {
        yield day;
        day = [];
      }
      day.push(booking);
    }
  } while (page.length === PAGE);
  if (day.length > 0) yield day;
}

/** @param taken by work of the days before */
function withBays(
  bookings: readonly Booking[],
  taken: readonly TakenBay[],
  closed: readonly ClosedBay[],
): DiaryEntry[] {
  const working = bookings.filter(({ status }) => !isOff(status));
  const bays = assignBays(working.map(stayOf), taken, closed);
  const bayOf = new Map(working.map(({ id }, i) => [id, bays[i] ?? null]));
  return bookings
    .map((booking) => ({ booking, bay: bayOf.get(booking.id) ?? null }))
    .sort((a, b) => a.booking.startAt - b.booking.startAt || (a.bay ?? Number.MAX_VALUE) - (b.bay ?? Number.MAX_VALUE));
}

/** A bay, counted from 1, that earlier work keeps. */
interface TakenBay {
  bay: number;
  busyUntil: number;
}

/** A bay, counted from 1, that takes no work for a while. */
interface ClosedBay extends Occupancy {
  bay: number;
}

/**
 * The bay of each booking, counted from 1, in the order given. By start time, each booking takes the lowest free bay that stays
 * open for it, so no more bays are used than bookings overlap, and neither a later booking nor a bay that is closed at another
 * time moves a car. Only where that takes more bays, each takes the one that closes soonest, which leaves the others free.
 * Bays are alike: this is a proposal for the day sheet, and the same bookings always give the same bays.
 *
 * @param taken bays that earlier work is still in
 */
export function assignBays(
  bookings: readonly Occupancy[],
  taken: readonly TakenBay[] = [],
  closed: readonly ClosedBay[] = [],
): number[] {
  const lowest = assign(bookings, taken, closed, ([first]) => first);
  if (closed.length === 0) return lowest;
  const closing = assign(bookings, taken, closed, (open, startAt) => {
    const closes = open.map((bay) => closesAt(closed, bay, startAt));
    return open[closes.indexOf(Math.min(...closes))];
  });
  return Math.max(0, ...closing) < Math.max(0, ...lowest) ? closing : lowest;
}

/** @param choose one of the bays, counted from 0, that are free at a moment and stay open for the booking */
function assign(
  bookings: readonly Occupancy[],
  taken: readonly TakenBay[],
  closed: readonly ClosedBay[],
  choose: (open: readonly number[], startAt: number) => number | undefined,
): number[] {
  const freeFrom: number[] = [];
  for (const { bay, busyUntil } of taken)
    for (let i = 0; i < bay; i++) freeFrom[i] = Math.max(freeFrom[i] ?? 0, i === bay - 1 ? busyUntil : 0);
  const highest = Math.max(0, ...closed.map(({ bay }) => bay));
  const bays: number[] = bookings.map(() => 0);
  const byStart = bookings.map((booking, i) => ({ ...booking, i })).sort((a, b) => a.startAt - b.startAt || a.i - b.i);
  for (const { startAt, busyUntil, i } of byStart) {
    const open = Array.from({ length: Math.max(freeFrom.length, highest) + 1 }, (_, bay) => bay).filter(
      (bay) => (freeFrom[bay] ?? 0) <= startAt && closesAt(closed, bay, startAt) >= busyUntil,
    );
    const bay = choose(open, startAt) ?? 0;
    freeFrom[bay] = busyUntil;
    bays[i] = bay + 1;
  }
  return bays;
}

/** When a bay, counted from 0, is next closed: at once where it is closed at that moment. */
function closesAt(closed: readonly ClosedBay[], bay: number, moment: number): number {
  const next = closed.filter((one) => one.bay === bay + 1 && one.busyUntil > moment);
  return Math.min(Number.POSITIVE_INFINITY, ...next.map(({ startAt }) => startAt));
}
