/** When to try again: after 1 second, then twice as long each time up to 1 hour, for 3 days. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;
const GIVE_UP_MS = 3 * 24 * 3_600_000;

/**
 * The pause before the next attempt, with jitter so that jobs that failed together do not return together.
 * @param attempts made so far, at least 1
 * @param random from 0 up to 1
 */
export function pauseAfter(attempts: number, random = Math.random()): number {
  const longest = Math.min(LONGEST_MS, 2 * SHORTEST_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(longest * (0.5 + random / 2));
}

/**
 * @param triedMs how long it would have been tried by its next attempt: attempts and pauses alone, so that a job that
 *   waited for a server or for settings still has its days
 */
export function isGivenUp(triedMs: number): boolean {
  return triedMs > GIVE_UP_MS;
}
