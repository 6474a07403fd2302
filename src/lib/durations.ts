/** Lengths of time, in milliseconds, and waiting for no longer than one. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** An answer did not come within the time that it may take. */
export class TimedOut extends Error {}

/** An answer after `ms` is dropped, and `tooLate()` thrown. */
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
