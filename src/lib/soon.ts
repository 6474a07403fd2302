/**
 * Waits a while for an answer that the caller can do without.
 * @param ms how long
 * @returns null when the answer takes longer, or fails in a way that `isPassing` knows
 */
export async function soon<Answer>(
  answer: Promise<Answer>,
  ms: number,
  isPassing: (error: unknown) => boolean,
): Promise<{ answer: Answer } | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  const asked = answer.then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (isPassing(error)) return null;
      throw error;
    },
  );
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
