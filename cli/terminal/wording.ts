/** Moments, lengths of time and amounts of money as the owner reads them. @see ../../src/domain/dates-in-words.ts */
import { ALWAYS_YEAR, dayAndDate, dayAndTime, timeOfDay } from "../../src/domain/dates-in-words.ts";
import { rfc3339, type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import type { Start } from "../../src/domain/slots.ts";
import { DAY_MS, MINUTE_MS } from "../../src/lib/durations.ts";
import { printedMoney, toCents } from "../../src/lib/money.ts";

/** `Tue Nov 24, 9:00 AM`, by the shop's clock. @param now leaves out this year; without it no year is written */
export function momentInWords(clock: ShopClock, epochMs: number, now?: Temporal.Instant): string {
  const date = rfc3339(clock, epochMs).slice(0, 10);
  return `${dayAndDate(date, now && shopDate(clock, now))}, ${timeInWords(clock, epochMs)}`;
}

/** `Tue Nov 24`, by the shop's clock, and the year when it is not the one of `now`. */
export function dayInWords(clock: ShopClock, epochMs: number, now: Temporal.Instant): string {
  return dayAndDate(rfc3339(clock, epochMs).slice(0, 10), shopDate(clock, now));
}

/** `Fri Dec 11, 9:00 AM`, with the year in another year than that of `now`, which UTC has but for some hours. */
export function startInWords({ date, time }: Start, now: Temporal.Instant): string {
  return dayAndTime(date, time, now.toString());
}

/** A text of the program with dates as the owner reads them, instead of `2026-11-24` as the catalog writes them. */
export function datesInWords(text: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\d\b/g, (date) => dayAndDate(date, ALWAYS_YEAR));
}

/** `2:00 PM` by the shop's clock; `1:30 AM EDT` in the night in which that time comes twice. */
export function timeInWords(clock: ShopClock, epochMs: number): string {
  const shown = (ms: number) => rfc3339(clock, ms).slice(0, 16);
  const time = timeOfDay(shown(epochMs).slice(11));
  const isTwice = ONE_CHANGE_MS.some((ms) => shown(epochMs + ms) === shown(epochMs));
  return isTwice ? `${time} ${zoneAt(clock, epochMs)}` : time;
}

/** Clocks are changed by an hour, on one island by half of one. */
const ONE_CHANGE_MS = [-60, 60, -30, 30].map((minutes) => minutes * MINUTE_MS);

function zoneAt({ business }: ShopClock, epochMs: number): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: business.timezone, timeZoneName: "short" });
  return format.formatToParts(epochMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** How long ago something was, to the largest unit: `3 h`. */
export function age(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** How far off a moment is: `in 3 h`, `2 d late`. */
export function dueIn(at: number, now: number): string {
  return at >= now ? `in ${age(at - now)}` : `${age(now - at)} late`;
}

/** A moment of the days around by its weekday, `Fri 9:00 AM`; any other by its date, `Fri Dec 4`. */
export function shortMoment(clock: ShopClock, epochMs: number, now: Temporal.Instant): string {
  const isNear = Math.abs(epochMs - now.epochMilliseconds) < 6 * DAY_MS;
  const day = dayInWords(clock, epochMs, now);
  return isNear ? `${day.slice(0, day.indexOf(" "))} ${timeInWords(clock, epochMs)}` : day;
}

/** Makes the function that writes an amount, in units of the currency as in answers of the API: `$599.00`, `−$29.00`. */
export function moneyIn(currency: string, decimals: 0 | 2 = 2): (units: number) => string {
  return (units) => printedMoney(toCents(units), currency, decimals);
}

/** `$16.00–$18.00`, or one amount where both ends are the same. @param money writes an amount */
export function rangeInWords(min: number, max: number, money: (units: number) => string): string {
  return min === max ? money(min) : `${money(min)}–${money(max)}`;
}

/** The first of some words, and how many more. */
export function firstOf(words: readonly string[], most: number): string[] {
  const more = words.length - most;
  return more > 0 ? [...words.slice(0, most), `${more} more`] : [...words];
}
