/** The records that the store takes and returns. Times are epoch milliseconds. */

import type { Occupancy } from "../domain/bays.ts";
import type { BookingStatus, LeadStatus } from "../domain/lifecycle.ts";
import type { JobKind, LEAD_KINDS, PaidBy } from "../vocabulary.ts";
import type { Delivery } from "./payloads.ts";

/** A message or reminder that a lead triggers. */
export type NewJob = Delivery & {
  dueAt: number;
  /** The job lapses when the lead reaches this state. */
  unless: LeadStatus | null;
};

/** A job that was claimed for an attempt. */
export type DueJob = Delivery & {
  id: number;
  /** Includes the attempt it was claimed for. */
  attempts: number;
  /** An earlier attempt may have arrived. */
  doubtful: boolean;
  /** When the first attempt was made. */
  firstTriedAt: number;
  /** Time spent on attempts and on the pauses after them, in milliseconds. */
  triedMs: number;
  dueAt: number;
  createdAt: number;
};

/** The result of an attempt, as the store keeps it. */
export type Settled =
  /** `messageSid`: Twilio's id of the message. */
  | { id: number; kind: "done"; messageSid: string | null }
  | (AttemptName & { kind: "failed"; reason: string })
  /** `at`: when the attempt ended; now by the clock of the store when left out. The next attempt is `pauseMs` later. */
  | (AttemptName & {
      kind: "postponed";
      reason: string;
      at?: number | undefined;
      pauseMs: number;
      doubtful: boolean;
      triedMs: number;
    });

/** Names one attempt at a job: a retry by hand counts attempts anew, but makes the job due at another time. */
export type AttemptName = Pick<DueJob, "id" | "attempts" | "dueAt">;

export interface NewLead {
  id: string;
  /** The name people use on the phone, like `Q-7F3A2B`. */
  reference: string;
  kind: (typeof LEAD_KINDS)[number];
  name: string;
  /** E.164. */
  phone: string;
  email: string;
  serviceType: string;
  /** The request after validation. */
  details: object;
  consent: object | null;
  keyId: string | null;
  agentClass: string | null;
  userAgent: string | null;
  createdAt: number;
  jobs: NewJob[];
  /** Of a quote request with an id of the caller's own: its answer is kept for replays. */
  request?: (Idempotency & { answer: object }) | null;
}

export type AddOutcome =
  | { kind: "added" }
  | { kind: "earlier"; earlier: StoredAnswer }
  /** Another lead has the same reference: try again with a new one. */
  | { kind: "code_in_use" };

export interface NewBooking extends Occupancy {
  id: string;
  confirmationCode: string;
  service: string;
  endAt: number;
  /** Date and time of day at the shop. */
  date: string;
  time: string;
  /** The network the booking came from. The quotas count by network and key. */
  network: string;
  keyId: string | null;
  idempotency: Idempotency | null;
  /** The answer to the caller, kept for replays. */
  answer: object;
  createdAt: number;
  lead: NewLead;
  /** Null for bookings that the owner makes. */
  alert: BookingsAlert | null;
}

/**
 * The job that warns the owner when more than `above` bookings were made within `windowMs`. It is written once, and again
 * only when the rate has been at most `above` for as long as the window.
 */
export interface BookingsAlert {
  /** At least 1. */
  above: number;
  windowMs: number;
  job: NewJob;
}

/** `scope` separates callers, so that nobody can fetch another caller's answer by guessing the id. */
export interface Idempotency {
  scope: string;
  id: string;
  /** Hash of the canonical request body. */
  bodyHash: string;
}

/**
 * At most `limit` bookings by one caller or for one customer.
 * - `key`: made with that key after `since`; `network` and `phone`: made without a key after `since`.
 * - `held_by_phone` and `held_by_email`: confirmed bookings of that customer that end after `since`, whoever made them.
 *   E-mail addresses are compared without regard to letter case.
 */
export interface Quota {
  by: "network" | "phone" | "key" | "held_by_phone" | "held_by_email";
  value: string;
  since: number;
  /** Bookings dated later do not count. The dates of such bookings show that the clock went back. */
  until: number;
  limit: number;
}

export interface QuotaUse extends Quota {
  used: number;
  /**
   * When the oldest of the last `limit` bookings was made; for bookings that a customer holds, when it ends. One more is
   * allowed once that booking no longer counts.
   */
  oldestAt: number | null;
}

/** The stored answer to an earlier booking, with the hash of the request. */
export interface StoredAnswer {
  bodyHash: string;
  answer: unknown;
}

export type BookOutcome =
  /** How much of each quota is used now. */
  | { kind: "booked"; used: number[] }
  | { kind: "earlier"; earlier: StoredAnswer }
  | { kind: "quota"; quotas: QuotaUse[] }
  | { kind: "taken" }
  /** Another booking has the same confirmation code, or another lead the same reference: try again with new ones. */
  | { kind: "code_in_use" };

export interface NewApiKey {
  id: string;
  /** SHA-256 of the key. The key itself is never stored. */
  hash: string;
  /** The first 12 characters, so that the owner can recognise the key. */
  prefix: string;
  name: string;
  email: string;
  useCase: string | null;
  /** Requests per minute; null means the catalog's default. */
  ratePerMinute: number | null;
  /** The network that registered the key; null when the owner issued it. */
  network: string | null;
  createdAt: number;
}

export interface ApiKey {
  id: string;
  ratePerMinute: number | null;
  revoked: boolean;
}

/** A job as the owner's lists show it. */
export interface WaitingJob {
  id: number;
  kind: JobKind;
  dueAt: number;
  createdAt: number;
  attempts: number;
  lastError: string | null;
  /** Null when the stored payload cannot be read. */
  delivery: Delivery | null;
  lead: Pick<NewLead, "id" | "reference" | "kind" | "name">;
}

/** A booking as the diary shows it. */
export interface Booking extends Occupancy {
  id: string;
  confirmationCode: string;
  status: BookingStatus;
  service: string;
  endAt: number;
  date: string;
  time: string;
  /** The answer the caller got. */
  answer: unknown;
  createdAt: number;
  /** When the booking was completed, missed or cancelled. */
  endedAt: number | null;
  /** How often the customer has changed it: the SEQUENCE of the calendar entry. */
  changes: number;
  /** Why the customer cancelled, in their words. */
  cancelReason: string | null;
  /** Null until the booking is completed with it. */
  paid: Payment | null;
  /** The network of the caller who made the booking. */
  network: string;
  keyId: string | null;
  agentClass: string | null;
  lead: { id: string; reference: string; name: string; phone: string; email: string };
}

/** What a customer paid, and how. */
export interface Payment {
  /** Cents. */
  amount: number;
  by: PaidBy | null;
}

/** What follows the end of a booking: messages, and what the customer paid. */
export interface Ending {
  jobs?: readonly NewJob[] | undefined;
  paid?: Payment | null | undefined;
}

/** The last booking of a page; the next page begins after it. */
export type BookingCursor = Pick<Booking, "date" | "startAt" | "createdAt" | "id">;

export type BookingMove =
  | { kind: "moved"; booking: Booking }
  | { kind: "refused"; booking: Booking }
  /** The appointment has not begun, so it can be neither completed nor missed. */
  | { kind: "too_early"; booking: Booking }
  | { kind: "unknown" };

export type BookingReopening =
  | { kind: "reopened"; booking: Booking }
  /** The booking is confirmed, so there is nothing to reopen. */
  | { kind: "refused"; booking: Booking }
  /** Other bookings took its time. */
  | { kind: "taken"; booking: Booking }
  | { kind: "unknown" };

/** A lead as the list shows it. */
export interface Lead {
  id: string;
  reference: string;
  kind: NewLead["kind"];
  status: LeadStatus;
  name: string;
  phone: string;
  email: string;
  serviceType: string;
  createdAt: number;
  /** The next reminder to the owner; null when none waits. */
  nextFollowUpAt: number | null;
  /** Set when the lead came from a booking. */
  confirmationCode: string | null;
  /** The class of assistant that sent the request, as the catalog names it. */
  agentClass: string | null;
}

/** The last lead of a page; the next page begins after it. */
export type LeadCursor = Pick<Lead, "createdAt" | "id">;

export interface LeadInFull extends Lead {
  details: unknown;
  consent: unknown;
  keyId: string | null;
  userAgent: string | null;
  /** Oldest first. */
  history: { status: LeadStatus; note: string | null; at: number }[];
}

/** Everybody who gave the same phone number. */
export interface Customer {
  /** E.164. */
  phone: string;
  /** Newest first; at least one. */
  leads: LeadInFull[];
  /** The latest first. */
  bookings: Booking[];
}

export type LeadMove =
  | { kind: "moved"; lead: LeadInFull; lapsed: number }
  | { kind: "refused"; lead: LeadInFull }
  | { kind: "unknown" };

/** `waits`: one of its kind waits already, and nothing was added. */
export type AddedMessage = "added" | "waits" | "unknown";

/** The address under which a phone's calendar reads the diary. */
export interface CalendarLink {
  /** SHA-256 of the secret part. The secret itself is never stored. */
  hash: string;
  madeAt: number;
}

/** An API key as the owner sees it. */
export interface IssuedKey {
  id: string;
  prefix: string;
  name: string;
  email: string;
  useCase: string | null;
  ratePerMinute: number | null;
  network: string | null;
  createdAt: number;
  revokedAt: number | null;
}

export type DropOutcome = { kind: "dropped" } | { kind: "refused"; status: "done" | "lapsed" } | { kind: "unknown" };

export type RetryOutcome =
  | { kind: "due" }
  /** A reminder to the owner: now shown as due, but never sent. */
  | { kind: "reminder" }
  | { kind: "refused"; status: "done" | "lapsed" }
  | { kind: "unknown" };

/** The person to erase: a phone number in E.164, or an e-mail address in any letter case. */
export interface Contact {
  by: "phone" | "email";
  value: string;
}

/** What the database holds of a person. */
export interface Traces {
  names: string[];
  leads: number;
  bookings: number;
  /** Confirmed bookings that have not begun. */
  upcoming: Booking[];
  /** Messages that wait or failed. */
  messages: number;
  keys: number;
}

export type Forgetting =
  /** `traces`: what there was. */
  { kind: "forgotten" | "booked"; traces: Traces } | { kind: "unknown" };
