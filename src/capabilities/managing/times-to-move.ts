/** The times to which a booking can move, for its page. */
import { addDays, laterDate, shopDate } from "../../domain/schedule.ts";
import { isOpen } from "../../domain/slots.ts";
import type { Booking } from "../../store/store.ts";
import { toCompactDay } from "../booking/open-times.ts";
import type { Context } from "../core/capability.ts";
import { bookedLength } from "./changed-work.ts";

/**
 * Days with the times at which the booking's own length fits. Its own bay counts as free, and the time that it has is left out.
 * @param from the first of `count` days; by default today
 * @returns the days, and where none of them has a time, the next one that has
 */
export async function timesToMove(booking: Booking, from: string | undefined, count: number, ctx: Context<never>) {
  const { catalog, now, diary } = ctx;
  const work = bookedLength(booking, catalog);
  const today = shopDate(catalog, now);
  const found = await diary.days(from ?? today, count, work, { catalog, now }, booking);
  const others = found.map(({ slots, ...day }) => ({
    ...day,
    open: slots.filter((slot) => isOpen(slot) && slot.startAt !== booking.startAt),
  }));
  const hasTime = others.some(({ open }) => open.length > 0);
  const first = hasTime ? null : await diary.firstOpen(work, { catalog, now });
  const next = first && laterDate(first.date, addDays(found.at(-1)?.date ?? today, 1));
  const isBookable = next !== null && next <= addDays(today, catalog.scheduling.horizon_days);
  return { days: others.map(toCompactDay), next: isBookable ? next : undefined };
}
