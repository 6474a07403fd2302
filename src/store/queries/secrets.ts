/**
 * The secret that signs estimates, made with the database and replaced only to void every estimate given so far; and the
 * digest of the calendar's address.
 */
import type { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import type { CalendarLink } from "../records.ts";

/** 256 bits, as many as HMAC-SHA-256 uses. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The first secret, for all bookings up to its replacement. */
export function addSecret(db: Database): void {
  db.query("INSERT OR IGNORE INTO secrets (name, value, made_at) VALUES ('price_lock', ?, 0)").run(newSecret());
}

/** @throws Error when the database has none */
export function lockSecret(db: Database): string {
  const row = db.query<{ value: string }, []>("SELECT value FROM secrets WHERE name = 'price_lock'").get();
  if (!row) throw new Error("the database has no secret for price locks");
  return row.value;
}

/** @returns how many bookings were made with an estimate that the old secret signed */
export function rotateLockSecret(db: Database, secret: string, at: number): number {
  const used = db
    .query<{ count: number }, []>(
      `SELECT count(*) AS count FROM bookings
       WHERE created_at >= (SELECT made_at FROM secrets WHERE name = 'price_lock')
         AND json_extract(answer, '$.estimate_id') IS NOT NULL`,
    )
    .get();
  db.query("UPDATE secrets SET value = ?, made_at = ? WHERE name = 'price_lock'").run(secret, at);
  return used?.count ?? 0;
}

const CALENDAR = "calendar";

/** The calendar's address; null while the calendar is off. */
export function calendarLink(db: Database): CalendarLink | null {
  return db
    .query<CalendarLink, [string]>("SELECT value AS hash, made_at AS madeAt FROM secrets WHERE name = ?")
    .get(CALENDAR);
}

/** @returns whether there was an address before */
export function setCalendarLink(db: Database, hash: string | null, at: number): boolean {
  const { changes } = db.query("DELETE FROM secrets WHERE name = ?").run(CALENDAR);
  if (hash !== null) db.query("INSERT INTO secrets (name, value, made_at) VALUES (?, ?, ?)").run(CALENDAR, hash, at);
  return changes > 0;
}
