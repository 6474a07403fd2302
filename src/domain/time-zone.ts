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

/** RFC 3339 with the offset of the time zone, to the second. */
export function rfc3339In(zone: string, instant: number): string {
  const { offset, suffix } = stretchAt(zone, instant);
  const moment = instant + offset;
  const seconds = Math.floor((moment - Math.floor(moment / DAY_MS) * DAY_MS) / 1000);
  const time = `${digits(seconds / 3600)}:${digits((seconds / 60) % 60)}:${digits(seconds % 60)}`;
  return `${dateIn(zone, instant)}T${time}${suffix}`;
}

/** Two digits of a time, rounded down. */
function digits(value: number): string {
  return value < 10 ? `0${Math.floor(value)}` : String(Math.floor(value));
}

/** The calendar date in the time zone. */
export function dateIn(zone: string, instant: number): string {
  if (zone === lastDay.zone && instant >= lastDay.from && instant < lastDay.until) return lastDay.date;
  const { from, until, offset } = stretchAt(zone, instant);
  const midnight = Math.floor((instant + offset) / DAY_MS) * DAY_MS;
  const date = new Date(midnight).toISOString().slice(0, "YYYY-MM-DD".length);
  const end = midnight - offset + DAY_MS;
  lastDay = { zone, date, from: Math.max(from, midnight - offset), until: Math.min(until, end) };
  return date;
}
/** Cached, because every request asks for today, and the times of an answer lie on few days. */
let lastDay = { zone: "", date: "", from: 0, until: 0 };

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
