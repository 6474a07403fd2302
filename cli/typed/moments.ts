/** Moments of the past as an owner types them. */
import { type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/lib/durations.ts";
import { Misuse } from "../failure.ts";
import { clean } from "../terminal/text.ts";
import { readDate } from "./dates.ts";
import { faultIn } from "./faults.ts";

const UNITS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

const INSTANT_FORM = "a time like 2026-11-24T14:00:00-05:00";

/** The forms that `readMoment` takes, for help pages. */
export const MOMENT_FORMS = `a span back like 30m, 2h or 1d, a date, or ${INSTANT_FORM}`;

/**
 * A span back from now, the beginning of a day at the shop, or a moment in RFC 3339.
 * @returns epoch milliseconds
 * @throws Misuse
 */
export function readMoment(typed: string, clock: ShopClock, now: Temporal.Instant): number {
  const [, count, unit] = /^(\d{1,5})\s*([mhd])$/i.exec(typed.trim()) ?? [];
  if (count && unit) return now.epochMilliseconds - Number(count) * UNITS[unit.toLowerCase() as keyof typeof UNITS];
  const read = () => readDate(typed, () => shopDate(clock, now), "last");
  if (faultIn(read) !== null) return readInstant(typed, MOMENT_FORMS);
  return Temporal.PlainDate.from(read()).toZonedDateTime(clock.business.timezone).epochMilliseconds;
}

/**
 * A moment in RFC 3339.
 * @param forms the ways of writing that the refusal names
 * @returns epoch milliseconds
 * @throws Misuse
 */
export function readInstant(typed: string, forms = INSTANT_FORM): number {
  try {
    return Temporal.Instant.from(typed).epochMilliseconds;
  } catch {
    throw new Misuse(`${clean(typed) || "An empty text"} is not a moment: write ${forms}.`);
  }
}
