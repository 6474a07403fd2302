/** Bookings. Functions that write run inside the transaction of their caller. */
import { mostAtOnce, type Occupancy } from "../../domain/bays.ts";
import type { BookingStatus } from "../../domain/lifecycle.ts";
import {
  followBooking,
  type Idempotency,
  insertLead,
  type NewLead,
  requestDigest,
  type StoredAnswer,
  sameRequest,
} from "./leads.ts";
import { insertDeposit, type NewDeposit, type Payment, paymentsOf } from "./payments.ts";
import type { BookingsAlert } from "./quotas.ts";
import { overfullWith, type Quota, type QuotaUse, quotaUse, warnOwner } from "./quotas.ts";
import { all, clockOr, get, run, type Steps, storeClock, together } from "./steps.ts";

export const bookingQueries = {
  reads: {
    findEarlier,
    findSame,
    busyBetween,
    bookings: listBookings,
    codesInUse,
    findBooking,
    notClosed,
    payers,
    upcoming,
    hasOverHolds,
  },
  writes: { book, expireHolds },
};

export interface NewBooking
  extends Appointment,
    Pick<Booking, "id" | "confirmationCode" | "service" | "network" | "keyId" | "createdAt"> {
  /** The time is held until then; without it the booking is confirmed. */
  heldUntil?: number | null;
  idempotency: Idempotency | null;
  /** Null for bookings that the owner makes. */
  same?: Sameness | null;
  /** The answer to the caller, kept for replays. */
  answer: object;
  lead: NewLead;
  alert: BookingsAlert | null;
  /** What it waits for, held until then. */
  deposit?: NewDeposit | undefined;
}

/** By what a booking is known that is made a second time, whatever its id. */
export interface Sameness {
  phone: string;
  /** Of work, time and person, without the e-mail address. */
  hash: string;
  /** The first was made later than that; null for one that is a second booking in any case. */
  since: number | null;
  now: number;
  /** Key or network. The first of another caller must have the same e-mail address; empty finds none of others. */
  caller: string;
  email: string;
}

type BookOutcome =
  /** How much of each quota is used now. */
  | { kind: "booked"; used: number[] }
  | { kind: "earlier"; earlier: EarlierBooking }
  | { kind: "quota"; quotas: QuotaUse[] }
  | { kind: "taken" }
  /** Another booking has the same confirmation code, or another lead the same reference: try again with new ones. */
  | { kind: "code_in_use" };

export interface Appointment extends Occupancy {
  endAt: number;
  /** Date and time of day at the shop. */
  date: string;
  time: string;
}

/** A booking as the diary shows it. */
export interface Booking extends Appointment {
  id: string;
  confirmationCode: string;
  status: BookingStatus;
  service: string;
  /** The answer the caller got. */
  answer: unknown;
  createdAt: number;
  /** When the hold ends, or ended; null for one that was never held. */
  heldUntil: number | null;
  /** When the booking was completed, missed or cancelled, or its hold ended. */
  endedAt: number | null;
  /** How often it was moved, corrected, confirmed, cancelled or taken up again: the SEQUENCE of the calendar entry. */
  changes: number;
  /** The shop's date of the customer's latest change, and how many changes they made on that date. */
  changedOn: string | null;
  changedTimes: number;
  cancelReason: string | null;
  /** In the order in which they were paid, with those that were taken back. */
  payments: Payment[];
  /** The network of the caller who made the booking. The quotas count by network and key. */
  network: string;
  keyId: string | null;
  agentClass: string | null;
  lead: Pick<NewLead, "id" | "reference" | "name" | "phone" | "extension" | "email">;
}

/** Who paid in a stretch of time, with all payments of the booking or lead, those of other times too. */
export interface Payer extends Pick<NewLead, "serviceType" | "agentClass" | "keyId"> {
  /** Null for a lead that was won without a booking. */
  booking: Booking | null;
  /** Of the amount for which a lead was won. */
  currency: string | null;
  payments: Payment[];
}

/** The booking that an earlier request made, as it is now. */
export interface EarlierBooking extends StoredAnswer {
  booking: Booking;
  /** It was moved or changed since. */
  isChanged: boolean;
  isSame: boolean;
}

/** The last booking of a page; the next page begins after it. */
type BookingCursor = Pick<Booking, "date" | "startAt" | "createdAt" | "id">;

/** The booking with the same scope and id. @param bodyHash finds the request of a person who was erased, too */
function findEarlier(scope: string, id: string, bodyHash = ""): Steps<EarlierBooking | null> {
  return earlierWhere(EARLIER_BY_ID, [scope, id, requestDigest({ scope, id, bodyHash })], bodyHash);
}
const EARLIER_BY_ID = `SELECT id FROM bookings WHERE ${sameRequest("bookings")}`;

/** A booking of the same that still stands; a held one, whenever it was made. */
function* findSame(same: Sameness | null | undefined): Steps<EarlierBooking | null> {
  if (!same || same.since === null) return null;
  const { phone, hash, since, now, caller, email } = same;
  const found = yield* earlierWhere(EARLIER_BY_WORK, [phone, since, hash, caller, email.toLowerCase(), now]);
  return found && { ...found, isSame: true };
}
/** Bookings end after they were made, so the index of a phone by end serves. */
const EARLIER_BY_WORK = `SELECT id FROM bookings WHERE phone = ?1 AND end_at > ?2 AND same_hash = ?3
  AND (status = 'confirmed' AND created_at > ?2 OR status = 'held' AND held_until > ?6) AND (coalesce(key_id, network) = ?4 OR email_key = ?5) LIMIT 1`;

/**
 * Read in full only where there is one: that takes SQLite ten times as long, even without a row.
 * @param asked the hash of the request that is sent again; an erased one is found by it
 */
function* earlierWhere(which: string, values: readonly (string | number)[], asked = ""): Steps<EarlierBooking | null> {
  const found = yield* get<{ id: string }>(which, values);
  const earlier = found && (yield* get<EarlierRow>(EARLIER, [found.id]));
  if (!earlier) return null;
  const { requestHash, firstAnswer, details, forgottenAt, ...row } = earlier;
  const booking = yield* toBooking(row);
  const isErased = forgottenAt !== null;
  return {
    bodyHash: isErased ? asked : (requestHash ?? ""),
    answer: firstAnswer === null ? booking.answer : (JSON.parse(firstAnswer) as unknown),
    details: Object(JSON.parse(details)),
    network: booking.network,
    isErased,
    isSame: false,
    booking,
    isChanged: booking.changes > 0 || firstAnswer !== null,
  };
}

/** Bookings that occupy a bay. The index by length holds only these. */
const OCCUPIES = "status NOT IN ('cancelled_by_shop', 'cancelled_by_customer', 'expired')";
const LONGEST = `SELECT busy_until - start_at FROM bookings WHERE ${OCCUPIES} ORDER BY busy_until - start_at DESC LIMIT 1`;
/** One that starts at most a longest booking before the stretch can reach into it, which bounds the index range. */
const BUSY = `SELECT start_at AS startAt, CASE WHEN ended_at < busy_until THEN ended_at ELSE busy_until END AS busyUntil
  FROM bookings WHERE start_at > ?1 - (${LONGEST}) AND start_at < ?2 AND busy_until > ?1
    AND (ended_at IS NULL OR ended_at > ?1) AND ${OCCUPIES} AND (status <> 'held' OR held_until > ${clockOr("?3")})`;

/** Every booking that occupies a bay at some moment of [from, until). @param now by which holds are over */
export function busyBetween(from: number, until: number, now?: number): Steps<Occupancy[]> {
  return all<Occupancy>(BUSY, [from, until, now ?? null]);
}

/** Whether the sweep would find anything: it takes the write lock. */
function* hasOverHolds(now?: number): Steps<boolean> {
  const over = `SELECT 1 FROM bookings WHERE status = 'held' AND held_until <= ${clockOr("?1")} LIMIT 1`;
  return (yield* get(over, [now ?? null])) !== null;
}

/** Holds of a stretch that are over. */
const OVER = `SELECT bookings.id, lead_id AS leadId FROM bookings
  WHERE status = 'held' AND held_until <= ?1 AND start_at < ?2 AND busy_until > ?3`;

/** Whoever sells the time of a hold that is over calls this in the same transaction, so that no other clock can confirm it. */
export function* expireHolds(
  now?: number,
  { startAt, busyUntil }: Occupancy = { startAt: Number.MIN_SAFE_INTEGER, busyUntil: Number.MAX_SAFE_INTEGER },
): Steps<number> {
  const at = now ?? (yield* storeClock());
  const over = yield* all<OverHold>(OVER, [at, busyUntil, startAt]);
  yield* expire(over, at);
  return over.length;
}

type OverHold = Record<"id" | "leadId", string>;

function* expire(over: readonly OverHold[], now: number): Steps<void> {
  for (const { id, leadId } of over) {
    yield* run("UPDATE bookings SET status = 'expired', ended_at = held_until WHERE id = ?", [id]);
    yield* followBooking(leadId, "lost", now);
  }
}

/**
 * Looks for an earlier answer, checks the quotas, looks for a free bay, and writes booking, lead and jobs. Only the outcome
 * `booked` writes anything.
 * @param quotas those of the booking's own caller and customer, which count it
 * @param closed bays that take no work for a while, as if work were in them
 */
function* book(
  booking: NewBooking,
  bays: number,
  quotas: readonly Quota[],
  closed: readonly Occupancy[] = [],
): Steps<BookOutcome> {
  const { idempotency, same, lead, createdAt } = booking;
  const [asked, alike, before, busy, over, inUse, overfull] = yield* together(
    idempotency ? findEarlier(idempotency.scope, idempotency.id, idempotency.bodyHash) : findSame(null),
    findSame(same),
    quotaUse(quotas),
    busyBetween(booking.startAt, booking.busyUntil, createdAt),
    all<OverHold>(OVER, [createdAt, booking.busyUntil, booking.startAt]),
    get(IN_USE, [booking.confirmationCode, lead.reference]),
    overfullWith(booking),
  );
  const earlier = asked ?? alike;
  if (earlier) return { kind: "earlier", earlier };
  if (before.some(({ used, limit }) => used >= limit)) return { kind: "quota", quotas: before };
  if (mostAtOnce([...busy, ...closed], booking.startAt, booking.busyUntil) >= bays) return { kind: "taken" };
  if (inUse) return { kind: "code_in_use" };
  if (over.length > 0) yield* expire(over, createdAt);
  yield* together(insertLead(lead), insertBooking(booking), warnOwner(booking, overfull));
  if (booking.deposit) yield* insertDeposit(booking.id, booking.deposit, createdAt);
  // Every quota belongs to this booking's own caller or customer, so every quota counts the new booking.
  return { kind: "booked", used: before.map(({ used }) => used + 1) };
}

/** Both names of a booking that people read out. */
const IN_USE = `SELECT 1 FROM bookings WHERE confirmation_code = ?1
  UNION ALL SELECT 1 FROM leads WHERE reference = ?2`;

function insertBooking(booking: NewBooking): Steps<number> {
  const { idempotency, same, lead } = booking;
  return run(
    `INSERT INTO bookings (id, confirmation_code, service, date, time, start_at, end_at, busy_until, lead_id, phone, email_key,
       network, key_id, request_scope, request_id, request_hash, same_hash, answer, created_at, status, held_until)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
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
      lead.email.toLowerCase(),
      booking.network,
      booking.keyId,
      idempotency?.scope ?? null,
      idempotency?.id ?? null,
      idempotency?.bodyHash ?? null,
      same?.hash ?? null,
      JSON.stringify(booking.answer),
      booking.createdAt,
      booking.heldUntil == null ? "confirmed" : "held",
      booking.heldUntil ?? null,
    ],
  );
}

type BookingRow = Omit<Booking, "answer" | "lead" | "payments"> &
  Omit<Booking["lead"], "id"> & { answer: string; leadId: string };

const COLUMNS = `bookings.id, confirmation_code AS confirmationCode, bookings.status, service, date, time, start_at AS startAt,
    end_at AS endAt, busy_until AS busyUntil, answer, bookings.created_at AS createdAt, held_until AS heldUntil, ended_at AS endedAt, changes,
    changed_on AS changedOn, changed_times AS changedTimes, cancel_reason AS cancelReason, lead_id AS leadId,
    reference, name, leads.phone, phone_extension AS extension, email, network, bookings.key_id AS keyId, agent_class AS agentClass`;
const JOINED = "bookings JOIN leads ON leads.id = lead_id";
const BOOKINGS = `SELECT ${COLUMNS} FROM ${JOINED}`;

/** A booking with the request that made it. */
const EARLIER = `SELECT ${COLUMNS}, bookings.request_hash AS requestHash, first_answer AS firstAnswer, details,
    forgotten_at AS forgottenAt FROM ${JOINED} WHERE bookings.id = ?`;
type EarlierRow = BookingRow & {
  requestHash: string | null;
  firstAnswer: string | null;
  details: string;
  forgottenAt: number | null;
};

const DIARY_ORDER = "date, start_at, bookings.created_at, bookings.id";

/** A page of the bookings on the shop's dates [from, to], by start. @param after the last booking of the page before */
function* listBookings(
  { from, to }: { from: string; to: string },
  limit: number,
  after?: BookingCursor,
): Steps<Booking[]> {
  const start = after ?? { date: from, startAt: Number.MIN_SAFE_INTEGER, createdAt: 0, id: "" };
  const rows = yield* all<BookingRow>(
    `${BOOKINGS} WHERE (${DIARY_ORDER}) > (?, ?, ?, ?) AND date <= ? ORDER BY ${DIARY_ORDER} LIMIT ?`,
    [start.date, start.startAt, start.createdAt, start.id, to, limit],
  );
  return yield* toBookings(rows);
}

function* codesInUse(codes: readonly string[]): Steps<string[]> {
  return (yield* all<{ code: string }>(
    "SELECT confirmation_code AS code FROM bookings WHERE confirmation_code IN (SELECT value FROM json_each(?))",
    [JSON.stringify(codes)],
  )).map(({ code }) => code);
}

/** Those of people who were not erased. */
export function* bookingsById(ids: readonly string[]): Steps<Booking[]> {
  const rows = yield* all<BookingRow>(
    `${BOOKINGS} WHERE bookings.id IN (SELECT value FROM json_each(?)) AND forgotten_at IS NULL`,
    [JSON.stringify(ids)],
  );
  return yield* toBookings(rows);
}

export function* findBooking(confirmationCode: string): Steps<Booking | null> {
  const row = yield* get<BookingRow>(`${BOOKINGS} WHERE confirmation_code = ?`, [confirmationCode]);
  return row && (yield* toBooking(row));
}

/** Every booking of a customer, the latest first. @param leadId the only lead of a customer without a phone */
export function* bookingsOfCustomer(phone: string, leadId: string): Steps<Booking[]> {
  const [by, value] = phone === "" ? ["leads.id", leadId] : ["leads.phone", phone];
  const rows = yield* all<BookingRow>(`${BOOKINGS} WHERE ${by} = ?`, [value]);
  return yield* toBookings(rows.sort((a, b) => b.startAt - a.startAt));
}

/** Bookings in one of these states that begin after a moment, by start. */
function* upcoming(after: number, statuses: readonly BookingStatus[]): Steps<Booking[]> {
  return yield* byStart(
    `${BOOKINGS} WHERE start_at > ? AND bookings.status IN (SELECT value FROM json_each(?))`,
    after,
    JSON.stringify(statuses),
  );
}

/** Confirmed bookings whose work was to be done by a moment, by start: nobody said what became of them. */
function notClosed(before: number): Steps<Booking[]> {
  return byStart(`${BOOKINGS} WHERE start_at < ?1 AND bookings.status = 'confirmed' AND end_at <= ?1`, before);
}

function* byStart(text: string, ...values: (string | number)[]): Steps<Booking[]> {
  const rows = yield* all<BookingRow>(text, values);
  return yield* toBookings(
    rows.sort((a, b) => a.startAt - b.startAt || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
  );
}

type PayerRow = Omit<Payer, "booking" | "payments"> & { leadId: string };

/** The bookings and won leads for which something was paid, or paid back, in [from, until). */
function* payers(from: number, until: number): Steps<Payer[]> {
  const leads = yield* all<PayerRow>(
    `SELECT id AS leadId, service_type AS serviceType, agent_class AS agentClass, key_id AS keyId, won_currency AS currency
     FROM leads WHERE id IN (SELECT lead_id FROM payments WHERE paid_at >= ? AND paid_at < ?)`,
    [from, until],
  );
  const ids = leads.map(({ leadId }) => leadId);
  const rows = yield* all<BookingRow>(`${BOOKINGS} WHERE lead_id IN (SELECT value FROM json_each(?))`, [
    JSON.stringify(ids),
  ]);
  const [bookings, paid] = yield* together(toBookings(rows), paymentsOf(ids));
  const ofLead = new Map(bookings.map((booking) => [booking.lead.id, booking]));
  return leads.map(({ leadId, ...lead }) => ({
    ...lead,
    booking: ofLead.get(leadId) ?? null,
    payments: paid(leadId),
  }));
}

function* toBookings(rows: readonly BookingRow[]): Steps<Booking[]> {
  const paid = yield* paymentsOf(rows.map(({ leadId }) => leadId));
  return rows.map(({ answer, leadId, reference, name, phone, extension, email, ...row }) => ({
    ...row,
    answer: JSON.parse(answer) as unknown,
    payments: paid(leadId),
    lead: { id: leadId, reference, name, phone, extension, email },
  }));
}

function* toBooking(row: BookingRow): Steps<Booking> {
  const [booking] = yield* toBookings([row]);
  if (!booking) throw new Error("a row is no booking");
  return booking;
}
