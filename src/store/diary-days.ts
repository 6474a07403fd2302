/** The diary a day at a time, each booking with the bay that does the work. */
import { assignBays, baysClosedByNumber, type ClosedBay, type TakenBay } from "../domain/bays.ts";
import { isOff, stayOf } from "../domain/lifecycle.ts";
import { addDays, isCatalog, type ShopClock } from "../domain/schedule.ts";
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
  const bays = isCatalog(clock) ? clock.scheduling.bays : undefined;
  let taken: TakenBay[] = [];
  for await (const day of bookingDays(store, addDays(from, -RUNS_OVER_DAYS), to)) {
    const entries = withBays(day, taken, closed, bays);
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
  most: number | undefined,
): DiaryEntry[] {
  const working = bookings.filter(({ status }) => !isOff(status));
  const bays = assignBays(working.map(stayOf), taken, closed, most);
  const bayOf = new Map(working.map(({ id }, i) => [id, bays[i] ?? null]));
  return bookings
    .map((booking) => ({ booking, bay: bayOf.get(booking.id) ?? null }))
    .sort((a, b) => a.booking.startAt - b.booking.startAt || (a.bay ?? Number.MAX_VALUE) - (b.bay ?? Number.MAX_VALUE));
}
