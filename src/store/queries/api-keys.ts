/** API keys in SQLite. Functions that write run inside the transaction of their caller. */
import type { Database } from "bun:sqlite";
import type { ApiKey, IssuedKey, NewApiKey } from "../store.ts";

export function addKey(db: Database, key: NewApiKey): boolean {
  const { changes } = db
    .query(
      `INSERT INTO api_keys (id, hash, prefix, name, email, email_key, use_case, rate_per_minute, network, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
    )
    .run(
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
  return changes === 1;
}

export function findKey(db: Database, hash: string): ApiKey | null {
  const row = db
    .query<{ id: string; rate_per_minute: number | null; revoked_at: number | null }, [string]>(
      "SELECT id, rate_per_minute, revoked_at FROM api_keys WHERE hash = ?",
    )
    .get(hash);
  return row && { id: row.id, ratePerMinute: row.rate_per_minute, revoked: row.revoked_at !== null };
}

export function listKeys(db: Database): IssuedKey[] {
  return db
    .query<IssuedKey, []>(
      `SELECT id, prefix, name, email, use_case AS useCase, rate_per_minute AS ratePerMinute, network,
         created_at AS createdAt, revoked_at AS revokedAt FROM api_keys ORDER BY created_at DESC, id`,
    )
    .all();
}

/** A key that is revoked again keeps the time of the first revocation. */
export function revokeKey(db: Database, id: string, at: number): boolean {
  return db.query("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?").run(at, id).changes === 1;
}

export function rotateKey(db: Database, id: string, { hash, prefix }: Pick<NewApiKey, "hash" | "prefix">): boolean {
  const { changes } = db
    .query("UPDATE api_keys SET hash = ?, prefix = ?, revoked_at = NULL WHERE id = ?")
    .run(hash, prefix, id);
  return changes === 1;
}
