/** The free starts nearest to a wished moment. */
import type { Shop } from "../../catalog/shop.ts";
import { type Occupancy, without } from "../../domain/bays.ts";
import { addDays, datesFrom, shopDate, startOfDay } from "../../domain/schedule.ts";
import type { Slot } from "../../domain/slots.ts";
import { DAY_MS } from "../../lib/durations.ts";

/** The shop and its bookings, as the search asks for them. */
export interface Surroundings {
  catalog: Shop;
  now: Temporal.Instant;
  /** Every booking that occupies a bay at some moment from the first up to the second. */
  busyBetween: (from: number, until: number) => Promise<Occupancy[]>;
  /** The free starts of a date. @param busy every booking that may overlap the date */
  startsOn: (date: string, busy: readonly Occupancy[]) => readonly Slot[];
  /** The present time of the work, which counts as free. */
  own?: Occupancy;
  /** The most days, beside the first, that the work may last. */
  lastsDays?: number;
}

/** Days on each side of the wished one that are looked at first. */
const FIRST_DAYS = 1;

/**
 * Up to `howMany` free starts on the dates that can be booked, the nearest first. Reads the days around the wished moment, and
 * twice as many on each side while a day further away could hold a nearer start. A long diary therefore costs no more than an
 * empty one.
 * @param wished epoch milliseconds
 */
export async function nearestStarts(
  wished: number,
  howMany: number,
  { catalog, now, busyBetween, startsOn, own, lastsDays = 1 }: Surroundings,
): Promise<Slot[]> {
  const dates = datesFrom(shopDate(catalog, now), catalog.scheduling.horizon_days + 1);
  const last = dates.length - 1;
  const beginOf = (day: number) => startOfDay(catalog, dates[day] ?? addDays(dates[last] ?? "", day - last));
  const distance = ({ startAt }: Slot) => Math.abs(startAt - wished);
  const middle = Math.min(Math.max(Math.floor((wished - beginOf(0)) / DAY_MS), 0), last);
  for (let days = FIRST_DAYS; ; days *= 2) {
    const first = Math.max(middle - days, 0);
    const end = Math.min(middle + days, last) + 1;
    // Some days more, because work that starts on a date may end on a later one.
    const all = await busyBetween(beginOf(first), beginOf(end + lastsDays));
    const busy = own ? without(own, all) : all;
    const found = dates
      .slice(first, end)
      .flatMap((date) => startsOn(date, busy))
      .sort((a, b) => distance(a) - distance(b) || a.startAt - b.startAt)
      .slice(0, howMany);
    const furthest = found.at(-1);
    const reach = furthest && found.length === howMany ? distance(furthest) : Number.POSITIVE_INFINITY;
    const isEarliest = first === 0 || wished - reach >= beginOf(first);
    const isLatest = end > last || wished + reach < beginOf(end);
    if (isEarliest && isLatest) return found;
  }
}
