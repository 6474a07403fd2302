/**
 * The secret that signs estimates, made with the database and replaced only to void every estimate given so far; and the
 * digest of the calendar's address.
 */
import { get, run, type Steps } from "./steps.ts";

/** 256 bits, as many as HMAC-SHA-256 uses. */
export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

/** The first secret of a new database, for all bookings up to its replacement. */
export function* addSecret(): Steps<void> {
  yield* run("INSERT INTO secrets (name, value, made_at) VALUES ('price_lock', ?, 0)", newSecret());
}

/** The secret that signs estimates. @throws Error when the database has none */
export function* lockSecret(): Steps<string> {
  const row = yield* get<{ value: string }>("SELECT value FROM secrets WHERE name = 'price_lock'");
  if (!row) throw new Error("the database has no secret for price locks");
  return row.value;
}

/**
 * Puts a new secret in the place of the old one, which voids every estimate given so far.
 * @returns how many bookings were made with such an estimate
 */
export function* rotateLockSecret(secret: string, at: number): Steps<number> {
  const used = yield* get<{ count: number }>(`SELECT count(*) AS count FROM bookings
       WHERE created_at >= (SELECT made_at FROM secrets WHERE name = 'price_lock')
         AND answer LIKE '%"estimate_id":"%'`);
  yield* run("UPDATE secrets SET value = ?, made_at = ? WHERE name = 'price_lock'", secret, at);
  return used?.count ?? 0;
}

const CALENDAR = "calendar";

/** SHA-256 of the secret part of the calendar's address; null while the calendar is off. The secret is never stored. */
export function* calendarHash(): Steps<string | null> {
  return (yield* get<{ value: string }>("SELECT value FROM secrets WHERE name = ?", CALENDAR))?.value ?? null;
}

/**
 * Puts a new address of the calendar in the place of the old one; null switches the calendar off.
 * @returns whether there was an address before
 */
export function* setCalendarHash(hash: string | null, at: number): Steps<boolean> {
  const removed = yield* run("DELETE FROM secrets WHERE name = ?", CALENDAR);
  if (hash !== null) yield* run("INSERT INTO secrets (name, value, made_at) VALUES (?, ?, ?)", CALENDAR, hash, at);
  return removed > 0;
}
