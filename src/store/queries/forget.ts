/** Erases people from SQLite. Functions that write run inside the transaction of their caller. */
import type { Database } from "bun:sqlite";
import { z } from "zod";
import type { Contact, Forgetting, Traces } from "../store.ts";
import { findBooking } from "./bookings.ts";

/** The name that lists show in the place of an erased one. */
const NOBODY = "(forgotten)";

/** What the database holds of a person. */
export function tracesOf(db: Database, contact: Contact, now: number): Traces {
  const leads = leadsOf(db, contact);
  const inLeads = (rest: string) => `FROM leads JOIN json_each(?1) ON leads.id = value ${rest}`;
  const ids = JSON.stringify(leads);
  const names = db.query<{ name: string }, [string]>(`SELECT name ${inLeads("GROUP BY name")}`).all(ids);
  const bookings = db
    .query<{ code: string; status: string; startAt: number }, [string]>(
      `SELECT confirmation_code AS code, bookings.status, start_at AS startAt
       ${inLeads("JOIN bookings ON lead_id = leads.id")}`,
    )
    .all(ids)
    .sort((a, b) => a.startAt - b.startAt);
  const messages = db
    .query<{ count: number }, [string]>(
      `SELECT count(*) AS count ${inLeads("JOIN jobs ON lead_id = leads.id AND jobs.status IN ('waiting', 'failed')")}`,
    )
    .get(ids);
  return {
    names: names.map(({ name }) => name),
    leads: leads.length,
    bookings: bookings.length,
    upcoming: bookings
      .filter(({ status, startAt }) => status === "confirmed" && startAt > now)
      .flatMap(({ code }) => findBooking(db, code) ?? []),
    messages: messages?.count ?? 0,
    keys: keysOf(db, contact).length,
  };
}

/** Whether the database holds a person. Quicker than `tracesOf`. */
export function holds(db: Database, contact: Contact): boolean {
  return leadsOf(db, contact).length + keysOf(db, contact).length > 0;
}

export function forget(db: Database, contact: Contact, at: number, evenIfBooked: boolean): Forgetting {
  const traces = tracesOf(db, contact, at);
  if (traces.leads + traces.keys === 0) return { kind: "unknown" };
  if (traces.upcoming.length > 0 && !evenIfBooked) return { kind: "booked", traces };
  eraseLeads(db, leadsOf(db, contact), at);
  for (const id of keysOf(db, contact))
    db.query(
      `UPDATE api_keys SET name = ?, email = '', email_key = id, use_case = NULL, network = NULL, revoked_at = coalesce(revoked_at, ?)
       WHERE id = ?`,
    ).run(NOBODY, at, id);
  return { kind: "forgotten", traces };
}

/** Erases the people of leads whose last date is before a moment, oldest leads first. @returns how many leads */
export function forgetOld(db: Database, before: number, limit: number, at: number): number {
  const old = db
    .query<{ id: string }, [number, number]>(
      `SELECT leads.id FROM leads LEFT JOIN bookings ON lead_id = leads.id
       WHERE forgotten_at IS NULL AND leads.created_at < ?1 AND coalesce(end_at, 0) < ?1
       ORDER BY leads.created_at LIMIT ?2`,
    )
    .all(before, limit);
  eraseLeads(
    db,
    old.map(({ id }) => id),
    at,
  );
  return old.length;
}

function leadsOf(db: Database, { by, value }: Contact): string[] {
  const which = by === "phone" ? "phone = ?" : "lower(email) = ?";
  return db
    .query<{ id: string }, [string]>(`SELECT id FROM leads WHERE ${which}`)
    .all(by === "phone" ? value : value.toLowerCase())
    .map(({ id }) => id);
}

function keysOf(db: Database, { by, value }: Contact): string[] {
  if (by === "phone") return [];
  return db
    .query<{ id: string }, [string]>("SELECT id FROM api_keys WHERE email_key = ?")
    .all(value.toLowerCase())
    .map(({ id }) => id);
}

/** Times, amounts and the work stay, for the reports. */
function eraseLeads(db: Database, ids: readonly string[], at: number): void {
  for (const id of ids) {
    const lead = db.query<{ details: string }, [string]>("SELECT details FROM leads WHERE id = ?").get(id);
    db.query(
      `UPDATE leads SET name = ?, phone = '', email = '', details = ?, consent = NULL, user_agent = NULL, forgotten_at = ?,
         request_scope = NULL, request_id = NULL, request_hash = NULL, request_answer = NULL
       WHERE id = ?`,
    ).run(NOBODY, JSON.stringify(factsOf(JSON.parse(lead?.details ?? "{}"))), at, id);
    const booking = db.query<{ answer: string }, [string]>("SELECT answer FROM bookings WHERE lead_id = ?").get(id);
    if (booking)
      db.query(
        `UPDATE bookings SET phone = '', email_key = NULL, network = '', request_scope = NULL, request_id = NULL, request_hash = NULL,
           cancel_reason = NULL, first_answer = NULL, answer = ? WHERE lead_id = ?`,
      ).run(JSON.stringify(factsOfAnswer(JSON.parse(booking.answer))), id);
    db.query("UPDATE lead_events SET note = NULL WHERE lead_id = ?").run(id);
    db.query(
      `UPDATE jobs INDEXED BY jobs_by_lead
       SET status = iif(status IN ('waiting', 'failed'), 'lapsed', status), payload = '{}', last_error = NULL
       WHERE lead_id = ?`,
    ).run(id);
  }
}

/** Facts of the work, the times and the amounts. Callers write none of them freely. */
const KEPT = [
  ...["confirmation_code", "booking_id", "lead_id", "status", "location", "timezone"],
  ...["date", "time", "start", "end", "duration_minutes", "estimate"],
  ...["service", "service_type", "vehicle_type", "vehicle_year", "film_type", "coverage"],
  ...["addons", "remove_old_film", "shade", "windshield_shade", "jurisdiction", "tint_law", "estimate_id"],
  ...["building_type", "square_footage", "floors", "needs_ladder"],
];
const recordOf = z.record(z.string(), z.unknown()).catch({});

/** What stays of the request behind a lead. */
function factsOf(request: unknown): object {
  return Object.fromEntries(Object.entries(recordOf.parse(request)).filter(([key]) => KEPT.includes(key)));
}

/** What stays of the answer to a booking, in the form that the diary reads. */
function factsOfAnswer(answer: unknown): object {
  const { type = null, year = null } = recordOf.parse(recordOf.parse(answer).vehicle);
  return {
    ...factsOf(answer),
    vehicle: { type, year, make: null, model: null, description: type },
    special_requests: null,
    customer: { name: NOBODY },
    booking_request_id: null,
  };
}
