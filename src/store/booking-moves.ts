/** Ending and reopening bookings in SQLite. These functions run inside the transaction of their caller. */
import type { Database } from "bun:sqlite";
import { type BookingStatus, bookingMayBecome, isCancelled, isTooEarly, reachedBy } from "../domain/lifecycle.ts";
import { mostAtOnce } from "../domain/schedule.ts";
import { busyBetween, findBooking } from "./bookings.ts";
import { findLead } from "./leads.ts";
import type { BookingMove, BookingReopening } from "./store.ts";

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

export function reopenBooking(db: Database, confirmationCode: string, bays: number): BookingReopening {
  const booking = findBooking(db, confirmationCode);
  if (!booking) return { kind: "unknown" };
  const { id, status, startAt, busyUntil, lead } = booking;
  if (status === "confirmed") return { kind: "refused", booking };
  // Completed and missed bookings never gave their bay away.
  const busy = isCancelled(status) ? busyBetween(db, startAt, busyUntil) : [];
  if (mostAtOnce(busy, startAt, busyUntil) >= bays) return { kind: "taken", booking };
  db.query("UPDATE bookings SET status = 'confirmed', ended_at = NULL, cancel_reason = NULL WHERE id = ?").run(id);
  // Restore the reminders that lapsed with the booking, unless the lead has moved on meanwhile.
  db.query(
    `UPDATE jobs SET status = 'waiting' WHERE lead_id = ? AND kind = 'remind_owner' AND status = 'lapsed'
       AND coalesce(unless, 'contacted') NOT IN (SELECT value FROM json_each(?))`,
  ).run(lead.id, JSON.stringify(reachedBy(findLead(db, lead.id)?.status ?? "lost")));
  return { kind: "reopened", booking: { ...booking, status: "confirmed", endedAt: null, cancelReason: null } };
}
