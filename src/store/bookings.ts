/** Bookings in SQLite. Functions that write run inside the transaction of their caller. */
import type { Database } from "bun:sqlite";
import { type BookingStatus, bookingMayBecome, isTooEarly } from "../domain/lifecycle.ts";
import { mostAtOnce, type Occupancy } from "../domain/schedule.ts";
import { insertLead } from "./leads.ts";
import type {
  Booking,
  BookingCursor,
  BookingMove,
  BookOutcome,
  NewBooking,
  Quota,
  QuotaUse,
  StoredAnswer,
} from "./store.ts";

export function findEarlier(db: Database, scope: string, id: string): StoredAnswer | null {
  const row = db
    .query<{ request_hash: string; answer: string }, [string, string]>(
      "SELECT request_hash, answer FROM bookings WHERE request_scope = ? AND request_id = ?",
    )
    .get(scope, id);
  return row && { bodyHash: row.request_hash, answer: JSON.parse(row.answer) as unknown };
}

/** The bookings that each quota counts. Cancelled bookings count too (contract section 6). */
const COUNTED = {
  network: "network = ? AND key_id IS NULL",
  phone: "phone = ? AND key_id IS NULL",
  key: "key_id = ?",
} as const;

export function quotaUse(db: Database, quotas: readonly Quota[]): QuotaUse[] {
  return quotas.map((quota) => {
    const made = db
      .query<{ at: number }, [string, number, number]>(
        `SELECT created_at AS at FROM bookings WHERE ${COUNTED[quota.by]} AND created_at > ? AND created_at <= ?
         ORDER BY created_at DESC`,
      )
      .all(quota.value, quota.since, quota.until);
    return { ...quota, used: made.length, oldestAt: made[Math.min(quota.limit, made.length) - 1]?.at ?? null };
  });
}

/** The condition of the partial indices on bookings that occupy a bay. */
const OCCUPIES = "status NOT IN ('cancelled_by_shop', 'cancelled_by_customer')";

export function busyBetween(db: Database, from: number, until: number): Occupancy[] {
  // A booking that reaches into the stretch starts at most one longest booking before it, which bounds the index range.
  const longest = db
    .query<{ length: number }, []>(
      `SELECT busy_until - start_at AS length FROM bookings WHERE ${OCCUPIES} ORDER BY busy_until - start_at DESC LIMIT 1`,
    )
    .get();
  if (!longest) return [];
  return db
    .query<Occupancy, [number, number, number]>(
      `SELECT start_at AS startAt, busy_until AS busyUntil FROM bookings
       WHERE start_at > ? AND start_at < ? AND busy_until > ? AND ${OCCUPIES}`,
    )
    .all(from - longest.length, until, from);
}

export function book(db: Database, booking: NewBooking, bays: number, quotas: readonly Quota[]): BookOutcome {
  const { idempotency, lead } = booking;
  const earlier = idempotency && findEarlier(db, idempotency.scope, idempotency.id);
  if (earlier) return { kind: "earlier", earlier };

  const before = quotaUse(db, quotas);
  if (before.some(({ used, limit }) => used >= limit)) return { kind: "quota", quotas: before };

  const busy = busyBetween(db, booking.startAt, booking.busyUntil);
  if (mostAtOnce(busy, booking.startAt, booking.busyUntil) >= bays) return { kind: "taken" };

  if (findBooking(db, booking.confirmationCode) || !insertLead(db, lead)) return { kind: "code_in_use" };
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
  return { kind: "booked", quotas: quotaUse(db, quotas) };
}

type BookingRow = Omit<Booking, "answer" | "lead"> & { answer: string } & {
  leadId: string;
  reference: string;
  name: string;
  phone: string;
  email: string;
};

const BOOKINGS = `SELECT bookings.id, confirmation_code AS confirmationCode, bookings.status, service, date, time, start_at AS startAt,
    end_at AS endAt, busy_until AS busyUntil, answer, bookings.created_at AS createdAt, ended_at AS endedAt, lead_id AS leadId,
    reference, name, leads.phone, email
  FROM bookings JOIN leads ON leads.id = lead_id`;

const DIARY_ORDER = "date, start_at, bookings.created_at, bookings.id";

export function listBookings(
  db: Database,
  { from, to }: { from: string; to: string },
  limit: number,
  after?: BookingCursor,
): Booking[] {
  const start = after ?? { date: from, startAt: Number.MIN_SAFE_INTEGER, createdAt: 0, id: "" };
  return db
    .query<BookingRow, [string, number, number, string, string, number]>(
      `${BOOKINGS} WHERE (${DIARY_ORDER}) > (?, ?, ?, ?) AND date <= ? ORDER BY ${DIARY_ORDER} LIMIT ?`,
    )
    .all(start.date, start.startAt, start.createdAt, start.id, to, limit)
    .map(toBooking);
}

/** Which of these confirmation codes are in use. */
export function codesInUse(db: Database, codes: readonly string[]): string[] {
  return db
    .query<{ code: string }, [string]>(
      "SELECT confirmation_code AS code FROM bookings WHERE confirmation_code IN (SELECT value FROM json_each(?))",
    )
    .all(JSON.stringify(codes))
    .map(({ code }) => code);
}

export function findBooking(db: Database, confirmationCode: string): Booking | null {
  const row = db.query<BookingRow, [string]>(`${BOOKINGS} WHERE confirmation_code = ?`).get(confirmationCode);
  return row && toBooking(row);
}

export function moveBooking(db: Database, confirmationCode: string, to: BookingStatus, at: number): BookingMove {
  const booking = findBooking(db, confirmationCode);
  if (!booking) return { kind: "unknown" };
  if (!bookingMayBecome(booking.status, to)) return { kind: "refused", booking };
  if (isTooEarly(booking, to, at)) return { kind: "too_early", booking };
  db.query("UPDATE bookings SET status = ?, ended_at = ? WHERE id = ?").run(to, at, booking.id);
  // The owner needs no reminder of work that is over. INDEXED BY: SQLite would read all waiting reminders.
  db.query(
    `UPDATE jobs INDEXED BY jobs_by_lead SET status = 'lapsed'
     WHERE lead_id = ? AND kind = 'remind_owner' AND status = 'waiting'`,
  ).run(booking.lead.id);
  return { kind: "moved", booking: { ...booking, status: to, endedAt: at } };
}

function toBooking({ answer, leadId, reference, name, phone, email, ...row }: BookingRow): Booking {
  return {
    ...row,
    answer: JSON.parse(answer) as unknown,
    lead: { id: leadId, reference, name, phone, email },
  };
}
