import { ifStoreAnswers } from "../capabilities/core/if-store-answers.ts";
import { DAY_MS } from "../lib/durations.ts";
import type { ApiKey, Store } from "../store/store.ts";

export type FindKey = Store["findKey"];

/** The most keys that are cached. */
const MOST_KNOWN = 1_000;

/**
 * Looks keys up in the store. While the database is away, a key counts as it did when it was last looked up, so that callers
 * with a key get prices and documents like those without.
 */
export function cachedKeys(store: Pick<Store, "findKey">): FindKey {
  const known = new Map<string, ApiKey>();

  const remember = (hash: string, key: ApiKey | null): ApiKey | null => {
    known.delete(hash);
    if (!key) return null;
    known.set(hash, key);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return key;
  };

  return async (hash) => {
    const last = known.get(hash);
    const asked = store.findKey(hash);
    if (!last) return remember(hash, await asked);
    const found = await ifStoreAnswers(asked);
    return found ? remember(hash, found.answer) : last;
  };
}

/** Notes once a day that a key was used that ends without use. What cannot be noted is noted with the next request. */
export function markUsed(
  { id, isSelfRegistered, lastUsedAt }: ApiKey,
  { epochMilliseconds: now }: Temporal.Instant,
  store: Pick<Store, "touchKey">,
): void {
  if (isSelfRegistered && now - lastUsedAt >= DAY_MS) store.touchKey(id, now).catch(() => {});
}
