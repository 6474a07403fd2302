import { DAY_MS } from "../lib/durations.ts";

/**
 * The clock of a time zone, without asking Temporal each time: between two clock changes the offset stays the same.
 * Instants are epoch milliseconds.
 */

interface Stretch {
  /** The clock change at which the offset begins to hold, and the one at which it ends. */
  from: number;
  until: number;
  offset: number;
  /** The offset as RFC 3339 writes it, like `-05:00`. */
  suffix: string;
}

/** The stretches of each time zone that was asked for; a shop has one. */
const known = new Map<string, Stretch[]>();
/** The most stretches cached per time zone. A year has two, but callers may ask for any year. */
const MOST_STRETCHES = 16;

/** A day of the time zone, or the part of it up to a clock change. */
interface ZoneDay {
  zone: string;
  date: string;
  from: number;
  until: number;
  /** Midnight by the clock of this part: the moment at which a day without a clock change would have begun. */
  midnight: number;
  suffix: string;
}

/** RFC 3339 with the offset of the time zone, to the second. */
export function rfc3339In(zone: string, instant: number): string {
  const { date, midnight, suffix } = dayAt(zone, instant);
  const seconds = Math.floor((instant - midnight) / 1000);
  return `${date}T${twoDigits(seconds / 3600)}:${twoDigits((seconds / 60) % 60)}:${twoDigits(seconds % 60)}${suffix}`;
}

/** Two digits of a time, rounded down. */
function twoDigits(value: number): string {
  return TWO_DIGITS[Math.floor(value)] ?? "";
}
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, "0"));

/** The calendar date in the time zone. */
export function dateIn(zone: string, instant: number): string {
  return dayAt(zone, instant).date;
}

function dayAt(zone: string, instant: number): ZoneDay {
  if (zone === lastDay.zone && instant >= lastDay.from && instant < lastDay.until) return lastDay;
  const { from, until, offset, suffix } = stretchAt(zone, instant);
  const clock = Math.floor((instant + offset) / DAY_MS) * DAY_MS;
  const midnight = clock - offset;
  lastDay = {
    zone,
    date: new Date(clock).toISOString().slice(0, "YYYY-MM-DD".length),
    from: Math.max(from, midnight),
    until: Math.min(until, midnight + DAY_MS),
    midnight,
    suffix,
  };
  return lastDay;
}
/** Cached, because every request asks for today, and the times of an answer lie on few days. */
let lastDay: ZoneDay = { zone: "", date: "", from: 0, until: 0, midnight: 0, suffix: "" };

function stretchAt(zone: string, instant: number): Stretch {
  let stretches = known.get(zone);
  if (!stretches) {
    stretches = [];
    known.set(zone, stretches);
  }
  let stretch = stretches.find(({ from, until }) => from <= instant && instant < until);
  if (!stretch) {
    stretch = lookUp(zone, instant);
    if (stretches.length >= MOST_STRETCHES) stretches.length = 0;
    stretches.push(stretch);
  }
  return stretch;
}

function lookUp(zone: string, instant: number): Stretch {
  const moment = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  // One nanosecond later, so that a change at this very moment counts as "previous".
  const change = moment.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  return {
    from: change?.epochMilliseconds ?? -Infinity,
    until: moment.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity,
    offset: moment.offsetNanoseconds / 1_000_000,
    suffix: moment.toString({ timeZoneName: "never" }).slice(-"+00:00".length),
  };
}
