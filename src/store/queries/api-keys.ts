/** API keys. Functions that write run inside the transaction of their caller. */
import type { ApiKey, IssuedKey, NewApiKey } from "../records/people.ts";
import { all, get, run, type Steps } from "./steps.ts";

/**
 * The address of a key that was revoked, or that registered itself and has ended, is free for another key.
 * @param endedBefore keys that registered themselves and were not used since have ended
 * @returns false when this e-mail address, in any letter case, has a key
 */
export function* addKey(key: NewApiKey, endedBefore = 0): Steps<boolean> {
  yield* run(
    `UPDATE api_keys SET email_key = id WHERE email_key = ?
       AND (revoked_at IS NOT NULL OR (network IS NOT NULL AND coalesce(last_used_at, created_at) < ?))`,
    key.email.toLowerCase(),
    endedBefore,
  );
  const added = yield* run(
    `INSERT INTO api_keys (id, hash, prefix, name, email, email_key, use_case, rate_per_minute, network, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
    key.id,
    key.hash,
    key.prefix,
    key.name,
    key.email,
    key.email.toLowerCase(),
    key.useCase,
    key.ratePerMinute,
    key.network,
    key.createdAt,
  );
  return added === 1;
}

export function* findKey(hash: string): Steps<ApiKey | null> {
  const row = yield* get<ApiKey>(
    `SELECT id, rate_per_minute AS ratePerMinute, revoked_at IS NOT NULL AS isRevoked, network IS NOT NULL AS isSelfRegistered,
         coalesce(last_used_at, created_at) AS lastUsedAt
       FROM api_keys WHERE hash = ?`,
    hash,
  );
  // SQLite has numbers for yes and no.
  return row && { ...row, isRevoked: Boolean(row.isRevoked), isSelfRegistered: Boolean(row.isSelfRegistered) };
}

/** Notes that a key was used. */
export function* touchKey(id: string, at: number): Steps<boolean> {
  return (yield* run("UPDATE api_keys SET last_used_at = ? WHERE id = ?", at, id)) === 1;
}

/** Every key, newest first. */
export function* listKeys(): Steps<IssuedKey[]> {
  return yield* all<IssuedKey>(`SELECT id, prefix, name, email, use_case AS useCase, rate_per_minute AS ratePerMinute, network,
         created_at AS createdAt, revoked_at AS revokedAt FROM api_keys ORDER BY created_at DESC, id`);
}

/** A key that is revoked again keeps the time of the first revocation. @returns false when there is no such key */
export function* revokeKey(id: string, at: number): Steps<boolean> {
  return (yield* run("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", at, id)) === 1;
}

/**
 * Replaces the secret of a key; the old secret is invalid at once. A revoked key becomes valid again.
 * @returns false when there is no such key
 */
export function* rotateKey(id: string, { hash, prefix }: Pick<NewApiKey, "hash" | "prefix">): Steps<boolean> {
  return (
    (yield* run("UPDATE api_keys SET hash = ?, prefix = ?, revoked_at = NULL WHERE id = ?", hash, prefix, id)) === 1
  );
}
