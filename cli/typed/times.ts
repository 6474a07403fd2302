/** Times of day, moments of the past, and new starts of a booking, as an owner types them. */
import { momentOf, type ShopClock, shopDate, shopTime } from "../../src/domain/schedule.ts";
import type { Start } from "../../src/domain/slots.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/lib/durations.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { type Lean, readDate } from "./dates.ts";
import { issueIn, notRead } from "./values.ts";

export const TIME_FORMS = "9am, 2:30pm, noon, now or 14:00";

/**
 * A time of day as `HH:MM`. Without `am` and `pm`, `9` is in the morning and `2:30` in the afternoon, as a shop opens.
 * @param now HH:MM, called only when needed; without it, `now` is refused @throws UsageError
 */
export function readTime(typed: string, now?: () => string): string {
  const word = typed.trim().toLowerCase();
  if (word === "noon") return "12:00";
  if (word === "now" && now !== undefined) return now();
  const [, hour = "", minute = "00", half] = /^(\d{1,2})(?:[:.](\d{2}))? ?([ap])?\.?m?\.?$/.exec(word) ?? [];
  const isTwelve = half !== undefined && Number(hour) >= 1 && Number(hour) <= 12;
  const isTwentyFour = half === undefined && Number(hour) <= 23 && (/[:.]/.test(word) || Number(hour) > 0);
  if (hour === "" || Number(minute) > 59 || !(isTwelve || isTwentyFour))
    throw notRead(typed, "a time of day", TIME_FORMS);
  const isAfternoon = half === "p" || (half === undefined && /^[1-6]$/.test(hour));
  const hours = half === undefined && !isAfternoon ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return `${String(hours).padStart(2, "0")}:${minute}`;
}

const UNITS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

const INSTANT_FORM = "a time like 2026-11-24T14:00:00-05:00";

export const MOMENT_FORMS = `a span back like 30m, 2h or 1d, a date, or ${INSTANT_FORM}`;

/** A span back from now, the beginning of a day, or a moment in RFC 3339. @returns epoch milliseconds @throws UsageError */
export function readMoment(typed: string, clock: ShopClock, now: Temporal.Instant): number {
  const [, count, unit] = /^(\d{1,5})\s*([mhd])$/i.exec(typed.trim()) ?? [];
  if (count && unit) return now.epochMilliseconds - Number(count) * UNITS[unit.toLowerCase() as keyof typeof UNITS];
  const read = () => readDate(typed, () => shopDate(clock, now), "last");
  if (issueIn(read) !== null) return readInstant(typed, MOMENT_FORMS);
  return Temporal.PlainDate.from(read()).toZonedDateTime(clock.business.timezone).epochMilliseconds;
}

/** A moment in RFC 3339. @param forms named by the refusal @returns epoch milliseconds @throws UsageError */
export function readInstant(typed: string, forms = INSTANT_FORM): number {
  try {
    return Temporal.Instant.from(typed).epochMilliseconds;
  } catch {
    throw new UsageError(
      typed.trim() === "" ? `Type a moment: ${forms}.` : `${clean(typed)} is not a moment: write ${forms}.`,
    );
  }
}

/** A length of work as typed: `90`, `90 min`, `4h` or `1h 30`. @returns minutes @throws UsageError */
export function readLength(typed: string): number {
  const [, hours, minutes] =
    /^(?:(\d{1,3}(?:\.\d)?) ?h(?:ours?)?)?\s*(?:(\d{1,4}) ?(?:m|min|minutes)?)?$/i.exec(typed.trim()) ?? [];
  const length = Math.round(Number(hours ?? 0) * 60) + Number(minutes ?? 0);
  if (length < 1 || length > MOST_MINUTES) throw notRead(typed, "a length of work", "90, 4h or 1h 30");
  return length;
}

/** A week of long days. */
const MOST_MINUTES = 7 * 12 * 60;

/** `12h` or `until wednesday noon`, for work that begins then; nothing for an empty text. @throws UsageError */
export function readWorkLength(typed: string, start: Start, clock: ShopClock, now: Temporal.Instant) {
  if (typed.trim() === "") return {};
  const [, end] = /^until (.*)$/i.exec(typed.trim()) ?? [];
  if (end === undefined) return { minutes: readLength(typed) };
  const last = readStart(end, startNow(clock, now), start);
  return { until: momentOf(clock, last.date, last.time) };
}

export function startNow(clock: ShopClock, instant: Temporal.Instant): Start {
  const now = shopTime(clock, instant);
  return { date: now.toPlainDate().toString(), time: now.toPlainTime().toString().slice(0, "HH:MM".length) };
}

/** `friday 9am`. A day alone keeps the time of the booking, and a time alone the day; `now` is both. @throws UsageError */
export function readStart(typed: string, now: Start, { date, time }: Start, lean: Lean = "next"): Start {
  const text = typed.trim().replace(/ at /i, " ");
  if (text.toLowerCase() === "now") return now;
  const day = (words: string) => readDate(words, () => now.date, lean);
  if (issueIn(() => readTime(text)) === null) return { date, time: readTime(text) };
  if (issueIn(() => day(text)) === null) return { date: day(text), time };
  const words = text.split(/ +/);
  const last = words.splice(/^[ap]\.?m\.?$/i.test(words.at(-1) ?? "") ? -2 : -1).join(" ");
  const first = words.join(" ");
  // A number behind what is no day belongs to it: Feb 30 is not of the calendar.
  const isOfDay = /^\d/.test(last) && [() => day(first), () => readTime(last)].every((read) => issueIn(read) !== null);
  return { date: day(isOfDay ? text : first || text), time: readTime(last) };
}
