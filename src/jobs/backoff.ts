/** Pauses between attempts: from 1 second, doubled each time up to 1 hour, for 3 days in all. */
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";

const SHORTEST_MS = 1_000;
const LONGEST_MS = HOUR_MS;
const GIVE_UP_MS = 3 * DAY_MS;

/**
 * The pause before the next attempt, in milliseconds. Jitter spreads jobs that failed at the same time.
 * @param attempts made so far, at least 1
 * @param random from 0 up to 1
 */
export function pauseAfter(attempts: number, random = Math.random()): number {
  const longest = Math.min(LONGEST_MS, 2 * SHORTEST_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(longest * (0.5 + random / 2));
}

/**
 * @param triedMs time spent on attempts and pauses, up to the next attempt. Waiting for a server or for settings does not
 *   count.
 */
export function isGivenUp(triedMs: number): boolean {
  return triedMs > GIVE_UP_MS;
}
