/** Warns the owner when many bookings are made within a short time. Runs inside the transaction that writes a booking. */
import type { NewBooking } from "../records/bookings.ts";
import { insertJobs } from "./jobs.ts";
import { get, run, type Steps, together } from "./steps.ts";

/** Clocks of machines that share a database may be this far apart. */
const CLOCKS_APART_MS = 4_000;

/** The oldest of the bookings that are too many for the alert, and how long the alert lasts. */
type Overfull = { at: number; until: number | null } | null;

/** Asked before the new booking is written, so one row less is skipped. */
export function* overfullWith({ alert, createdAt }: NewBooking): Steps<Overfull> {
  return (
    alert &&
    (yield* get<NonNullable<Overfull>>(
      `SELECT created_at AS at, (SELECT lasts_until FROM alerts WHERE name = 'bookings') AS until
         FROM bookings WHERE created_at > ? AND created_at <= ? ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
      createdAt - alert.windowMs,
      createdAt,
      alert.above - 1,
    ))
  );
}

/** Writes the job of an alert when the rate of bookings passes it. */
export function* warnOwner({ alert, lead, createdAt }: NewBooking, overfull: Overfull): Steps<void> {
  if (!alert || !overfull) return;
  const { windowMs, job } = alert;
  const { at, until } = overfull;
  // An alert that seems to last longer than a window was written before the clock went back.
  const isOn = until !== null && until + windowMs > createdAt && until <= createdAt + windowMs + CLOCKS_APART_MS;
  yield* together(
    insertJobs(lead.id, isOn ? [] : [job], createdAt),
    run(
      `INSERT INTO alerts (name, lasts_until) VALUES ('bookings', ?)
       ON CONFLICT (name) DO UPDATE SET lasts_until = excluded.lasts_until`,
      at + windowMs,
    ),
  );
}
