import { orNullAfter } from "../../lib/with-timeout.ts";
import { StoreUnavailable } from "../../store/store.ts";

/** Prices and documents go on while the database is away, so they wait no longer than this. */
const PATIENCE_MS = 250;

/** An answer of the store, for work that goes on without it. @returns null while the store is away */
export function ifStoreAnswers<Answer>(answer: Promise<Answer>): Promise<{ answer: Answer } | null> {
  return orNullAfter(answer, PATIENCE_MS, (error) => error instanceof StoreUnavailable);
}
