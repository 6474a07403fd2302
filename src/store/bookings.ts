/** Bookings in SQLite. `book` runs inside the write transaction of its caller. */
import type { Database } from "bun:sqlite";
import { mostAtOnce, type Occupancy } from "../domain/schedule.ts";
import { insertLead } from "./leads.ts";
import type { BookOutcome, Earlier, NewBooking, Quota, QuotaUse } from "./store.ts";

export function findEarlier(db: Database, scope: string, id: string): Earlier | null {
  const row = db
    .query<{ request_hash: string; answer: string }, [string, string]>(
      "SELECT request_hash, answer FROM bookings WHERE request_scope = ? AND request_id = ?",
    )
    .get(scope, id);
  return row && { bodyHash: row.request_hash, answer: JSON.parse(row.answer) as unknown };
}

/** What a quota counts; cancelled bookings count too. */
const COUNTED = {
  network: "network = ? AND key_id IS NULL",
  phone: "phone = ? AND key_id IS NULL",
  key: "key_id = ?",
} as const;

export function quotaUse(db: Database, quotas: readonly Quota[]): QuotaUse[] {
  return quotas.map((quota) => {
    const row = db
      .query<{ used: number; oldest: number | null }, [string, number]>(
        `SELECT count(*) AS used, min(created_at) AS oldest FROM bookings WHERE ${COUNTED[quota.by]} AND created_at > ?`,
      )
      .get(quota.value, quota.since);
    return { ...quota, used: row?.used ?? 0, oldestAt: row?.oldest ?? null };
  });
}

export function busyBetween(db: Database, from: number, until: number): Occupancy[] {
  return db
    .query<Occupancy, [number, number]>(
      `SELECT start_at AS startAt, busy_until AS busyUntil FROM bookings
       WHERE busy_until > ? AND start_at < ? AND status NOT IN ('cancelled_by_shop', 'cancelled_by_customer')`,
    )
    .all(from, until);
}

export function book(db: Database, booking: NewBooking, bays: number, quotas: readonly Quota[]): BookOutcome {
  const { idempotency, lead } = booking;
  const earlier = idempotency && findEarlier(db, idempotency.scope, idempotency.id);
  if (earlier) return { kind: "earlier", earlier };

  const before = quotaUse(db, quotas);
  if (before.some(({ used, limit }) => used >= limit)) return { kind: "quota", quotas: before };

  const busy = busyBetween(db, booking.startAt, booking.busyUntil);
  if (mostAtOnce(busy, booking.startAt, booking.busyUntil) >= bays) return { kind: "taken" };

  insertLead(db, lead);
  db.query(
    `INSERT INTO bookings (id, confirmation_code, service, date, time, start_at, end_at, busy_until, lead_id, phone, network,
       key_id, request_scope, request_id, request_hash, answer, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    booking.id,
    booking.confirmationCode,
    booking.service,
    booking.date,
    booking.time,
    booking.startAt,
    booking.endAt,
    booking.busyUntil,
    lead.id,
    lead.phone,
    booking.network,
    booking.keyId,
    idempotency?.scope ?? null,
    idempotency?.id ?? null,
    idempotency?.bodyHash ?? null,
    JSON.stringify(booking.answer),
    booking.createdAt,
  );
  return { kind: "booked", quotas: before.map((quota) => ({ ...quota, used: quota.used + 1 })) };
}
