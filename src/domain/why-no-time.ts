/** Why no time of a day, or not this one, can be had for work of some length, in words. Source: contract 5. */
import type { Shop } from "../catalog/shop.ts";
import { DAY_MS, durationInWords, MINUTE_MS } from "../lib/durations.ts";
import { counted } from "../lib/text.ts";
import { type Day, hoursOf, minutesOf } from "./schedule.ts";
import { isOpen, type Slot, type WorkLength } from "./slots.ts";

/**
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
  if (slots.length === 0) return tooLong(date, minutes, catalog);
  const left = slots.filter((slot) => slot.status !== "past");
  if (left.length === 0) return "No time is left on this day.";
  const inTime = left.filter((slot) => slot.status !== "too_soon");
  if (inTime.length === 0) return `The shop needs ${notice(catalog)} of notice.`;
  const isBusy = inTime.some((slot) => slot.status === "booked");
  return isBusy
    ? `Every bay is taken for work of ${durationInWords(minutes)}.`
    : "The shop takes no bookings at this time.";
}

/** Why work of this length cannot start at a time of an open day. @param time HH:MM that is no start of `slotsOf` */
export function whyNoStart(
  date: string,
  time: string,
  { minutes, overNight = false }: WorkLength,
  catalog: Shop,
): string {
  const at = minutesOf(time);
  const hours = hoursOf(catalog, date);
  const open = hours.find(({ opens, closes }) => minutesOf(opens) <= at && at < minutesOf(closes));
  if (!overNight && hours.every(({ opens, closes }) => minutesOf(closes) - minutesOf(opens) < minutes))
    return tooLong(date, minutes, catalog);
  if (!open) return `The shop is open ${hours.map(({ opens, closes }) => `${opens} to ${closes}`).join(" and ")}.`;
  if (!overNight && at + minutes > minutesOf(open.closes))
    return `This work takes ${durationInWords(minutes)}, and the shop closes at ${open.closes}.`;
  return `Work starts every ${counted(catalog.scheduling.grid_minutes, "minute")} from ${open.opens}.`;
}

function tooLong(date: string, minutes: number, catalog: Shop): string {
  const stretches = hoursOf(catalog, date).map(({ opens, closes }) => minutesOf(closes) - minutesOf(opens));
  const longest = durationInWords(Math.max(...stretches));
  const open = stretches.length > 1 ? `${longest} at a stretch` : longest;
  return `This work takes ${durationInWords(minutes)}, and the shop is open for ${open}.`;
}

function notice({ scheduling: { lead_minutes: minutes } }: Shop): string {
  const days = (minutes * MINUTE_MS) / DAY_MS;
  return days > 1 && Number.isInteger(days) ? `${days} days` : durationInWords(minutes);
}
