import type { Store } from "../../store/store.ts";
import { ifStoreAnswers } from "./diary.ts";

/** The secret that signs estimates and the pages of bookings, at hand so that no estimate waits for the disk. */
export interface SigningSecret {
  /** At most a second old, or the last one that was read while the database is away. */
  recent: () => Promise<string>;
  /** Read anew, because another process may have replaced it. */
  current: () => Promise<string>;
}

const FRESH_MS = 1000;

export function createSigningSecret(store: Pick<Store, "lockSecret">): SigningSecret {
  let last: { secret: Promise<string>; readAt: number } | undefined;
  const current = () => {
    const secret = store.lockSecret();
    last = { secret, readAt: performance.now() };
    return secret;
  };
  // The first estimate must not need the database.
  void current().catch(() => {});
  return {
    current,
    async recent() {
      if (last && performance.now() - last.readAt < FRESH_MS) return last.secret;
      const before = await last?.secret.catch(() => undefined);
      if (before === undefined) return current();
      // Estimates go on while the database cannot be read.
      const secret = ifStoreAnswers(current()).then((read) => read?.answer ?? before);
      last = { secret, readAt: performance.now() };
      return secret;
    },
  };
}
