/** Lengths of time, in milliseconds and in words, and waiting for no longer than one. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A length of time: `2 h 15 min`. */
export function durationInWords(minutes: number): string {
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(whole > 0 ? [`${whole} h`] : []), ...(rest > 0 || whole === 0 ? [`${rest} min`] : [])].join(" ");
}

/** An answer did not come within the time that it may take. */
export class TimedOut extends Error {}

/**
 * Waits for an answer. One that comes too late is dropped.
 * @param ms the longest wait, in milliseconds
 * @throws `tooLate()` when the answer takes longer
 */
export async function withTimeout<Answer>(
  answer: Promise<Answer>,
  ms: number,
  tooLate: () => Error = () => new TimedOut(`no answer within ${ms} ms`),
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(tooLate());
  // One more turn: while this process was busy, an answer may have come that it has not read yet.
  let timer = setTimeout(
    () => {
      timer = setTimeout(giveUp, 1);
    },
    Math.max(ms, 0),
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
