/** API keys, the secret that signs estimates, and the digest of the calendar's address. Writes run inside a transaction. */
import { all, get, run, type Steps } from "./steps.ts";

export const secretQueries = {
  reads: { findKey, keys: listKeys, calendarHash, lockSecret },
  writes: { addKey, touchKey, revokeKey, rotateKey, rotateLockSecret, setCalendarHash },
};

export interface NewApiKey {
  id: string;
  /** SHA-256 of the key. The key itself is never stored. */
  hash: string;
  /** The first 12 characters, so that the owner can recognize the key. */
  prefix: string;
  name: string;
  email: string;
  useCase: string | null;
  /** Requests per minute; null means the catalog's default. */
  ratePerMinute: number | null;
  /** The network that registered the key; null when the owner issued it. */
  network: string | null;
  createdAt: number;
}

export interface ApiKey extends Pick<NewApiKey, "id" | "ratePerMinute"> {
  isRevoked: boolean;
  /** A caller registered it; the owner did not issue it. */
  isSelfRegistered: boolean;
  /** To the day; when it was made, as long as it was not used. */
  lastUsedAt: number;
}

export type IssuedKey = Omit<NewApiKey, "hash"> & { revokedAt: number | null };

/** 256 bits, as many as HMAC-SHA-256 uses. */
export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

/** The first secret of a new database, for all bookings up to its replacement. */
export function* addSecret(): Steps<void> {
  yield* run("INSERT INTO secrets (name, value, made_at) VALUES ('price_lock', ?, 0)", [newSecret()]);
}

/** The secret that signs estimates. @throws Error when the database has none */
function* lockSecret(): Steps<string> {
  const row = yield* get<{ value: string }>("SELECT value FROM secrets WHERE name = 'price_lock'");
  if (!row) throw new Error("the database has no secret for price locks");
  return row.value;
}

/** Voids every estimate given so far. Returns how many bookings were made with such an estimate. */
export function* rotateLockSecret(secret: string, at: number): Steps<number> {
  const used = yield* get<{ count: number }>(`SELECT count(*) AS count FROM bookings
       WHERE created_at >= (SELECT made_at FROM secrets WHERE name = 'price_lock')
         AND answer LIKE '%"estimate_id":"%'`);
  yield* run("UPDATE secrets SET value = ?, made_at = ? WHERE name = 'price_lock'", [secret, at]);
  return used?.count ?? 0;
}

const CALENDAR = "calendar";

/** SHA-256 of the secret part of the calendar's address; null while the calendar is off. The secret is never stored. */
function* calendarHash(): Steps<string | null> {
  return (yield* get<{ value: string }>("SELECT value FROM secrets WHERE name = ?", [CALENDAR]))?.value ?? null;
}

/** Null switches the calendar off. Returns whether there was an address before. */
function* setCalendarHash(hash: string | null, at: number): Steps<boolean> {
  const removed = yield* run("DELETE FROM secrets WHERE name = ?", [CALENDAR]);
  if (hash !== null) yield* run("INSERT INTO secrets (name, value, made_at) VALUES (?, ?, ?)", [CALENDAR, hash, at]);
  return removed > 0;
}

/** The address of a revoked key, or of one that registered itself and is unused since `endedBefore`, is free. False when it has a key. */
function* addKey(key: NewApiKey, endedBefore = 0): Steps<boolean> {
  yield* run(
    `UPDATE api_keys SET email_key = id WHERE email_key = ?
       AND (revoked_at IS NOT NULL OR (network IS NOT NULL AND coalesce(last_used_at, created_at) < ?))`,
    [key.email.toLowerCase(), endedBefore],
  );
  const added = yield* run(
    `INSERT INTO api_keys (id, hash, prefix, name, email, email_key, use_case, rate_per_minute, network, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
    [
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
    ],
  );
  return added === 1;
}

function* findKey(hash: string): Steps<ApiKey | null> {
  const row = yield* get<ApiKey>(
    `SELECT id, rate_per_minute AS ratePerMinute, revoked_at IS NOT NULL AS isRevoked, network IS NOT NULL AS isSelfRegistered,
         coalesce(last_used_at, created_at) AS lastUsedAt
       FROM api_keys WHERE hash = ?`,
    [hash],
  );
  // SQLite has numbers for yes and no.
  return row && { ...row, isRevoked: Boolean(row.isRevoked), isSelfRegistered: Boolean(row.isSelfRegistered) };
}

function* touchKey(id: string, at: number): Steps<boolean> {
  return (yield* run("UPDATE api_keys SET last_used_at = ? WHERE id = ?", [at, id])) === 1;
}

function* listKeys(): Steps<IssuedKey[]> {
  return yield* all<IssuedKey>(`SELECT id, prefix, name, email, use_case AS useCase, rate_per_minute AS ratePerMinute, network,
         created_at AS createdAt, revoked_at AS revokedAt FROM api_keys ORDER BY created_at DESC, id`);
}

/** A key that is revoked again keeps the time of the first revocation. @returns false when there is no such key */
function* revokeKey(id: string, at: number): Steps<boolean> {
  return (yield* run("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", [at, id])) === 1;
}

/** The old secret is invalid at once, and a revoked key valid again. False when there is no such key. */
function* rotateKey(id: string, { hash, prefix }: Pick<NewApiKey, "hash" | "prefix">): Steps<boolean> {
  return (
    (yield* run("UPDATE api_keys SET hash = ?, prefix = ?, revoked_at = NULL WHERE id = ?", [hash, prefix, id])) === 1
  );
}
