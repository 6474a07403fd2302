/** Bounds on how long an answer is waited for. */

/**
 * Waits for an answer. One that comes too late is dropped.
 * @param ms how long
 * @throws `tooLate()` when the answer takes longer
 */
export async function withTimeout<Answer>(answer: Promise<Answer>, ms: number, tooLate: () => Error): Promise<Answer> {
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

/**
 * Waits a while for an answer that the caller can do without.
 * @param ms how long
 * @returns null when the answer takes longer, or fails in a way that `isPassing` knows
 */
export async function orNullAfter<Answer>(
  answer: Promise<Answer>,
  ms: number,
  isPassing: (error: unknown) => boolean,
): Promise<{ answer: Answer } | null> {
  const late = new Error("no answer in time");
  try {
    return { answer: await withTimeout(answer, ms, () => late) };
  } catch (error) {
    if (error === late || isPassing(error)) return null;
    throw error;
  }
}
