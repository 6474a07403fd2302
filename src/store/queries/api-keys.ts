/** API keys. Functions that write run inside the transaction of their caller. */
import type { ApiKey, IssuedKey, NewApiKey } from "../store.ts";
import { all, get, run, type Steps } from "./steps.ts";

export function* addKey(key: NewApiKey): Steps<boolean> {
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
  const row = yield* get<{ id: string; rate_per_minute: number | null; revoked_at: number | null }>(
    "SELECT id, rate_per_minute, revoked_at FROM api_keys WHERE hash = ?",
    hash,
  );
  return row && { id: row.id, ratePerMinute: row.rate_per_minute, isRevoked: row.revoked_at !== null };
}

export function* listKeys(): Steps<IssuedKey[]> {
  return yield* all<IssuedKey>(`SELECT id, prefix, name, email, use_case AS useCase, rate_per_minute AS ratePerMinute, network,
         created_at AS createdAt, revoked_at AS revokedAt FROM api_keys ORDER BY created_at DESC, id`);
}

/** A key that is revoked again keeps the time of the first revocation. */
export function* revokeKey(id: string, at: number): Steps<boolean> {
  return (yield* run("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", at, id)) === 1;
}

export function* rotateKey(id: string, { hash, prefix }: Pick<NewApiKey, "hash" | "prefix">): Steps<boolean> {
  const rotated = yield* run(
    "UPDATE api_keys SET hash = ?, prefix = ?, revoked_at = NULL WHERE id = ?",
    hash,
    prefix,
    id,
  );
  return rotated === 1;
}
