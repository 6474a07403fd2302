/** Erases people. Functions that write run inside the transaction of their caller. */
import { fieldsOf } from "../../lib/fields.ts";
import type { Phone } from "../../lib/phone.ts";
import { type Booking, findBooking } from "./bookings.ts";
import { erased, type Lead, type RequestRow } from "./leads.ts";
import type { IssuedKey } from "./secrets.ts";
import { all, each, get, run, type Steps, together } from "./steps.ts";

export const forgetQueries = {
  reads: { tracesOf },
  writes: { forget, forgetOld },
};

/** The person to erase: a phone number in E.164, or an e-mail address in any letter case. */
export interface Contact {
  by: "phone" | "email";
  value: string;
  /** Leaves out what is under the person's other contacts alone, as when several people use one address. */
  isAlone?: boolean;
}

export interface Traces {
  /** The given contact, and those that are beside it: the addresses of a phone number, the numbers of an address. */
  contacts: Contact[];
  /** Who stands in each lead and each API key, by the reference of the lead or the beginning of the key. */
  people: ({ of: string; name: string; email: string } & Phone)[];
  leads: number;
  bookings: number;
  /** Confirmed bookings that have not begun, and holds that are not over. */
  upcoming: Booking[];
  /** Messages that wait or failed. */
  messages: number;
  keys: number;
}

type Forgetting =
  /** `traces`: what there was. */
  { kind: "forgotten" | "booked"; traces: Traces } | { kind: "unknown" };

/** The name that lists show in place of an erased one. */
const FORGOTTEN = "(forgotten)";

function* tracesOf(contact: Contact, now: number): Steps<Traces> {
  const contacts = yield* contactsOf(contact);
  const leads = yield* leadsOf(contacts);
  const keys = yield* findKeys(contacts);
  const inLeads = (rest: string) => `FROM leads JOIN json_each(?1) ON leads.id = value ${rest}`;
  const ids = JSON.stringify(leads.map(({ id }) => id));
  const bookings = (yield* all<Pick<Booking, "status" | "startAt" | "heldUntil"> & { code: string }>(
    `SELECT confirmation_code AS code, bookings.status, start_at AS startAt, held_until AS heldUntil
       ${inLeads("JOIN bookings ON lead_id = leads.id")}`,
    [ids],
  )).sort((a, b) => a.startAt - b.startAt);
  const messages = yield* get<{ count: number }>(
    `SELECT count(*) AS count ${inLeads("JOIN jobs ON lead_id = leads.id AND jobs.status IN ('waiting', 'failed')")}`,
    [ids],
  );
  const isUpcoming = ({ status, startAt, heldUntil }: (typeof bookings)[number]) =>
    (status === "confirmed" && startAt > now) || (status === "held" && (heldUntil ?? 0) > now);
  const upcoming = yield* together(...bookings.filter(isUpcoming).map(({ code }) => findBooking(code)));
  return {
    contacts,
    people: [
      ...leads.map(({ reference: of, name, phone, extension, email }) => ({ of, name, phone, extension, email })),
      ...keys.map(({ prefix, name, email }) => ({ of: prefix, name, phone: "", extension: "", email })),
    ],
    leads: leads.length,
    bookings: bookings.length,
    upcoming: upcoming.filter((booking) => booking !== null),
    messages: messages?.count ?? 0,
    keys: keys.length,
  };
}

/** Whether the database holds a person. Quicker than `tracesOf`. */
export function* holds(contact: Contact): Steps<boolean> {
  return (yield* leadsOf([contact])).length + (yield* findKeys([contact])).length > 0;
}

/** Messages that wait lapse, and keys are revoked; times, amounts and the work stay, with bookings to come if `evenIfBooked`. */
function* forget(contact: Contact, at: number, evenIfBooked: boolean): Steps<Forgetting> {
  const traces = yield* tracesOf(contact, at);
  if (traces.leads + traces.keys === 0) return { kind: "unknown" };
  if (traces.upcoming.length > 0 && !evenIfBooked) return { kind: "booked", traces };
  yield* eraseLeads(yield* leadsOf(traces.contacts), at);
  for (const { id } of yield* findKeys(traces.contacts))
    yield* run(
      `UPDATE api_keys SET name = ?, email = '', email_key = id, use_case = NULL, network = NULL, revoked_at = coalesce(revoked_at, ?)
       WHERE id = ?`,
      [FORGOTTEN, at, id],
    );
  return { kind: "forgotten", traces };
}

/** Those whose lead was made and whose booking ended before a moment; oldest first, at most `limit`. Returns how many. */
function* forgetOld(before: number, limit: number, at: number): Steps<number> {
  const old = yield* all<{ id: string }>(
    `SELECT leads.id FROM leads LEFT JOIN bookings ON lead_id = leads.id
       WHERE forgotten_at IS NULL AND leads.created_at < ?1 AND coalesce(end_at, 0) < ?1
       ORDER BY leads.created_at LIMIT ?2`,
    [before, limit],
  );
  yield* eraseLeads(old, at);
  return old.length;
}

/** The contact, and those that are beside it in leads. One step: the contacts of those are other people's. */
function* contactsOf(contact: Contact): Steps<Contact[]> {
  if (contact.isAlone) return [contact];
  const by = contact.by === "phone" ? "email" : "phone";
  const beside = (yield* leadsOf([contact])).map((lead) => lead[by].toLowerCase()).filter((value) => value !== "");
  return [contact, ...[...new Set(beside)].map((value): Contact => ({ by, value }))];
}

type LeadOf = Pick<Lead, "id" | "reference" | "name" | "phone" | "extension" | "email" | "createdAt">;

/** The oldest first. */
function* leadsOf(contacts: readonly Contact[]): Steps<LeadOf[]> {
  const found = yield* each(contacts, ({ by, value }) =>
    all<LeadOf>(
      `SELECT id, reference, name, phone, phone_extension AS extension, email, created_at AS createdAt FROM leads
         WHERE ${by === "phone" ? "phone = ?" : "lower(email) = ?"}`,
      [value.toLowerCase()],
    ),
  );
  return [...new Map(found.flat().map((lead) => [lead.id, lead])).values()].sort((a, b) => a.createdAt - b.createdAt);
}

type KeyOf = Pick<IssuedKey, "id" | "prefix" | "name" | "email">;

function* findKeys(contacts: readonly Contact[]): Steps<KeyOf[]> {
  const found = yield* each(
    contacts.filter(({ by }) => by === "email"),
    ({ value }) =>
      all<KeyOf>("SELECT id, prefix, name, email FROM api_keys WHERE lower(email) = ?", [value.toLowerCase()]),
  );
  return found.flat();
}

/** Times, amounts and the work stay, for the reports; of the request, a digest by which it is known when it is sent again. */
function* eraseLeads(leads: readonly Pick<Lead, "id">[], at: number): Steps<void> {
  for (const { id } of leads) {
    yield* run("DELETE FROM text_stops WHERE phone = (SELECT phone FROM leads WHERE id = ?)", [id]);
    const lead = yield* get<RequestRow & { details: string }>(
      "SELECT details, request_scope, request_id, request_hash FROM leads WHERE id = ?",
      [id],
    );
    if (!lead) continue;
    yield* run(
      `UPDATE leads SET name = ?, phone = '', phone_extension = '', email = '', details = ?, consent = NULL, user_agent = NULL, forgotten_at = ?,
         request_scope = ?, request_id = ?, request_hash = ?, request_answer = NULL, request_network = NULL
       WHERE id = ?`,
      [FORGOTTEN, JSON.stringify(factsOf(JSON.parse(lead.details))), at, ...erased(lead), id],
    );
    const booking = yield* get<RequestRow & { answer: string }>(
      "SELECT answer, request_scope, request_id, request_hash FROM bookings WHERE lead_id = ?",
      [id],
    );
    if (booking)
      yield* run(
        `UPDATE bookings SET phone = '', email_key = NULL, network = '', request_scope = ?, request_id = ?, request_hash = ?,
           same_hash = NULL, cancel_reason = NULL, first_answer = NULL, answer = ? WHERE lead_id = ?`,
        [...erased(booking), JSON.stringify(factsOfAnswer(JSON.parse(booking.answer))), id],
      );
    yield* run("UPDATE lead_events SET note = NULL WHERE lead_id = ?", [id]);
    yield* run("UPDATE payments SET note = NULL WHERE lead_id = ?", [id]);
    yield* run("UPDATE deposits SET url = '' WHERE booking_id IN (SELECT id FROM bookings WHERE lead_id = ?)", [id]);
    yield* run(
      `UPDATE jobs INDEXED BY jobs_by_lead
       SET status = CASE WHEN status IN ('waiting', 'failed') THEN 'lapsed' ELSE status END, payload = '{}', last_error = NULL
       WHERE lead_id = ?`,
      [id],
    );
  }
}

/** The fields that are kept: the work, the times and the amounts. None holds free text of a caller, as a quote request's vehicle_type does. */
const KEPT = [
  ...["confirmation_code", "booking_id", "lead_id", "status", "location", "timezone"],
  ...["date", "time", "start", "end", "duration_minutes", "duration", "estimate"],
  ...["service", "service_type", "vehicle_year", "film_type", "coverage"],
  ...["addons", "remove_old_film", "shade", "windshield_shade", "jurisdiction", "tint_law", "estimate_id"],
  "accepted_not_legal",
  ...["building_type", "square_footage", "floors", "needs_ladder"],
];

/** The part that stays of the request behind a lead. */
function factsOf(request: unknown): object {
  return Object.fromEntries(Object.entries(fieldsOf(request)).filter(([key]) => KEPT.includes(key)));
}

/** The part that stays of the answer to a booking, in the form that the diary reads. */
function factsOfAnswer(answer: unknown): object {
  const { type = null, year = null } = fieldsOf(fieldsOf(answer).vehicle);
  return {
    ...factsOf(answer),
    vehicle: { type, year, make: null, model: null, description: type },
    special_requests: null,
    customer: { name: FORGOTTEN },
    booking_request_id: null,
  };
}
