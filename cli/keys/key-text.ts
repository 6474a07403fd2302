/** Keys as the owner reads them, and as `--json` prints them. */
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import type { IssuedKey } from "../../src/store/store.ts";
import { clean } from "../terminal/text.ts";
import { dayInWords } from "../terminal/times.ts";

/** The part of the catalog that a list of keys needs. */
export interface KeyTerms {
  clock: ShopClock;
  now: Temporal.Instant;
  /** Requests per minute for keys without their own limit; null when the catalog is faulty. */
  limit: number | null;
}

export const KEYS_HEAD = ["id", "key", "name", "email", "per minute", "issued", "from", "state"];

/** The columns that a narrow terminal does without, the least needed first. */
export const KEYS_LEAST_NEEDED = ["from", "key", "per minute", "email", "issued", "state"];

export function keyRow(key: IssuedKey, terms: KeyTerms): string[] {
  return [
    key.id,
    `${key.prefix}…`,
    clean(key.name),
    clean(key.email),
    String(key.ratePerMinute ?? terms.limit ?? "unknown"),
    dayInWords(terms.clock, key.createdAt, terms.now),
    key.network ?? "the shop",
    key.revokedAt === null ? "valid" : `revoked ${dayInWords(terms.clock, key.revokedAt, terms.now)}`,
  ];
}

export function keyJson(key: IssuedKey, terms: KeyTerms) {
  return {
    key_id: key.id,
    prefix: key.prefix,
    name: key.name,
    email: key.email,
    use_case: key.useCase,
    rate_limit_per_minute: key.ratePerMinute ?? terms.limit,
    created_at: rfc3339(terms.clock, key.createdAt),
    network: key.network,
    revoked_at: key.revokedAt === null ? null : rfc3339(terms.clock, key.revokedAt),
  };
}
