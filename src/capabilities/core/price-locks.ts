import type { Store } from "../../store/store.ts";
import { ifStoreAnswers } from "./if-store-answers.ts";

/** The secret that signs estimates, at hand so that no estimate waits for the disk. */
export interface PriceLocks {
  /** At most a second old, or the last one that was read while the database is away. */
  secret: () => string | Promise<string>;
  /** Read anew, because another process may have replaced it. */
  current: () => Promise<string>;
}

const FRESH_MS = 1000;

export function createPriceLocks(store: Pick<Store, "lockSecret">): PriceLocks {
  let kept: { secret: string; readAt: number } | undefined;
  let reading: Promise<string> | undefined;
  const current = async () => {
    const secret = await store.lockSecret();
    kept = { secret, readAt: performance.now() };
    return secret;
  };
  // The first estimate must not need the database.
  void current().catch(() => {});
  return {
    current,
    secret() {
      if (kept && performance.now() - kept.readAt < FRESH_MS) return kept.secret;
      const last = kept?.secret;
      if (last === undefined) return current();
      reading ??= newest(last).finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };

  /** Estimates go on while the database cannot be read. */
  async function newest(last: string): Promise<string> {
    const read = await ifStoreAnswers(current());
    if (read) return read.answer;
    kept = { secret: last, readAt: performance.now() };
    return last;
  }
}
