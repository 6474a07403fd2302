import type { Store } from "../../store/store.ts";

/** The secret that signs estimates, at hand so that no estimate waits for the disk. */
export interface PriceLocks {
  /** At most a second old. */
  secret: () => string | Promise<string>;
  /** Read anew, because another process may have replaced it. */
  current: () => Promise<string>;
}

const FRESH_MS = 1000;

export function createPriceLocks(store: Pick<Store, "lockSecret">): PriceLocks {
  let kept: { secret: string; readAt: number } | undefined;
  const current = async () => {
    const secret = await store.lockSecret();
    kept = { secret, readAt: performance.now() };
    return secret;
  };
  return {
    current,
    secret() {
      if (kept && performance.now() - kept.readAt < FRESH_MS) return kept.secret;
      const last = kept?.secret;
      // Estimates go on while the database cannot be read.
      return last === undefined ? current() : current().catch(() => last);
    },
  };
}
