/** Changes to a booking that is not over, in SQLite. Functions that write run inside the transaction of their caller. */
import type { Database } from "bun:sqlite";
import { besides, mostAtOnce, type Occupancy } from "../../domain/bays.ts";

import { CUSTOMER_EMAILS, CUSTOMER_TEXTS, MESSAGES_TO_COME } from "../../vocabulary.ts";
import type { BookingContact, BookingEdit, Cancellation, ChangeOutcome, Rescheduling } from "../change-records.ts";
import type { Booking, NewJob } from "../records.ts";
import { tellCrm } from "./booking-events.ts";
import { endBooking } from "./booking-moves.ts";
import { busyBetween, findBooking } from "./bookings.ts";
import { insertJob, lapse } from "./jobs.ts";
import { lapseOldChanges, reword } from "./rewording.ts";

/** Reads the booking with the next code where there is none with this one, so that both take the same time. */
export function contactOf(db: Database, confirmationCode: string): BookingContact | null {
  const found = db
    .query<BookingContact & { code: string }, [string]>(
      `SELECT confirmation_code AS code, phone, coalesce(email_key, '') AS email FROM bookings
       WHERE confirmation_code >= ? ORDER BY confirmation_code LIMIT 1`,
    )
    .get(confirmationCode);
  const { code, ...contact } = found ?? NOBODY;
  return code === confirmationCode ? contact : null;
}

const NOBODY = { code: null, phone: "", email: "" };

export function rescheduleBooking(
  db: Database,
  change: Rescheduling,
  bays: number,
  closed: readonly Occupancy[] = [],
): ChangeOutcome {
  const { confirmationCode, date, time, startAt, endAt, busyUntil, at, jobs, reworded = [] } = change;
  const before = findBooking(db, confirmationCode);
  if (!isAsPlanned(before, change)) return { kind: "outdated" };
  const busy = [...besides(before, busyBetween(db, startAt, busyUntil)), ...closed];
  if (mostAtOnce(busy, startAt, busyUntil) >= bays) return { kind: "taken" };
  db.query(
    `UPDATE bookings SET date = ?, time = ?, start_at = ?, end_at = ?, busy_until = ?, changes = changes + 1
     WHERE id = ?`,
  ).run(date, time, startAt, endAt, busyUntil, before.id);
  // These messages name the old time. A failed one could still be sent again by hand.
  db.query(
    `UPDATE jobs INDEXED BY jobs_by_lead SET ${lapse("its booking was moved")}
     WHERE lead_id = ? AND status IN ('waiting', 'failed') AND kind IN (SELECT value FROM json_each(?))`,
  ).run(before.lead.id, JSON.stringify(MESSAGES_TO_COME));
  lapseOldChanges(db, before.lead.id);
  const isShopToBeTold = reword(db, before.lead.id, reworded);
  for (const job of jobs) if (!(isShopToBeTold && isToShop(job))) insertJob(db, before.lead.id, job, at);
  const booking = { ...before, date, time, startAt, endAt, busyUntil, changes: before.changes + 1 };
  tellCrm(db, "booking.rescheduled", booking, before.startAt, at);
  return { kind: "changed", booking };
}

export function cancelBooking(db: Database, change: Cancellation): ChangeOutcome {
  const { confirmationCode, reason, at, jobs } = change;
  const before = findBooking(db, confirmationCode);
  if (!isAsPlanned(before, change)) return { kind: "outdated" };
  const outcome = endBooking(db, confirmationCode, "cancelled_by_customer", at);
  if (outcome.kind !== "moved") return { kind: "outdated" };
  db.query("UPDATE bookings SET changes = changes + 1, cancel_reason = ? WHERE id = ?").run(reason, before.id);
  // The shop hears nothing of a booking whose first text was never sent.
  for (const job of jobs) if (!(outcome.neverTold && isToShop(job))) insertJob(db, before.lead.id, job, at);
  const booking = { ...outcome.booking, changes: before.changes + 1, cancelReason: reason };
  tellCrm(db, "booking.cancelled", booking, null, at);
  return { kind: "changed", booking };
}

function isToShop({ kind }: NewJob): boolean {
  return kind === "notify_shop_sms";
}

/** @returns null when there is no such booking */
export function editBooking(db: Database, edit: BookingEdit): Booking | null {
  const before = findBooking(db, edit.confirmationCode);
  if (!before) return null;
  const { name, phone, email, details, answer, reworded = [] } = edit;
  db.query(
    `UPDATE bookings SET first_answer = coalesce(first_answer, answer), answer = ?, phone = ?, email_key = lower(?)
     WHERE id = ?`,
  ).run(JSON.stringify(answer), phone, email, before.id);
  db.query("UPDATE leads SET name = ?, phone = ?, email = ?, details = json_patch(details, ?) WHERE id = ?").run(
    name,
    phone,
    email,
    JSON.stringify(details),
    before.lead.id,
  );
  reword(db, before.lead.id, reworded);
  // Messages that wait go to the new number and address.
  const readdress = db.query(
    `UPDATE jobs INDEXED BY jobs_by_lead SET payload = json_set(payload, '$.to', ?)
     WHERE lead_id = ? AND status IN ('waiting', 'failed') AND kind IN (SELECT value FROM json_each(?))`,
  );
  readdress.run(phone, before.lead.id, JSON.stringify(CUSTOMER_TEXTS));
  readdress.run(email, before.lead.id, JSON.stringify(CUSTOMER_EMAILS));
  return findBooking(db, edit.confirmationCode);
}

function isAsPlanned(booking: Booking | null, { changes }: { changes: number }): booking is Booking {
  return booking?.status === "confirmed" && booking.changes === changes;
}
