import { TimedOut, withTimeout } from "../../lib/durations.ts";
import { StoreUnavailable } from "../../store/store-errors.ts";

/** Prices and documents go on while the database is away, so they wait no longer than this. */
const PATIENCE_MS = 250;

/** An answer of the store, for work that goes on without it. @returns null while the store is away */
export async function ifStoreAnswers<Answer>(answer: Promise<Answer>): Promise<{ answer: Answer } | null> {
  try {
    return { answer: await withTimeout(answer, PATIENCE_MS) };
  } catch (error) {
    if (error instanceof TimedOut || error instanceof StoreUnavailable) return null;
    throw error;
  }
}
