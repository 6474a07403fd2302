/** When to try again: from 1 second, doubling, up to 1 hour, for 3 days. */
const FIRST_MS = 1_000;
const LONGEST_MS = 3_600_000;
const GIVE_UP_MS = 3 * 24 * 3_600_000;

/**
 * The pause before the next attempt, with jitter so that jobs that failed together do not return together.
 * @param attempts made so far, at least 1
 * @param random from 0 up to 1
 */
export function pauseAfter(attempts: number, random = Math.random()): number {
  const pause = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(pause * (0.75 + random / 2));
}

/** @param dueAt when the job was first due */
export function isGivenUp(dueAt: number, now: number): boolean {
  return now - dueAt > GIVE_UP_MS;
}
