/** The shapes that the store keeps and answers with. Instants are epoch milliseconds. */
import type { BookingStatus, LeadStatus } from "../domain/lifecycle.ts";
import type { Occupancy } from "../domain/schedule.ts";
import type { JobKind } from "../vocabulary.ts";

/** A step that a lead triggers; it waits until it is due and done. */
export interface NewJob {
  kind: JobKind;
  dueAt: number;
  /** The job lapses when its lead has reached this state. */
  unless: string | null;
  /** What is sent, as its kind is delivered from. */
  payload: object;
}

/** A job that was claimed for an attempt. */
export interface DueJob {
  id: number;
  kind: JobKind;
  payload: unknown;
  /** This one included. */
  attempts: number;
  /** An earlier attempt may have arrived. */
  doubtful: boolean;
  /** When the first of all attempts was made. */
  firstTriedAt: number;
  /** How long it has been tried: attempts and the pauses after them, in milliseconds. */
  triedMs: number;
  dueAt: number;
  createdAt: number;
}

/** How an attempt at a claimed job is written down. */
export type Settled = { id: number } & (
  | { kind: "done" /** By which Twilio knows the message. */; messageSid: string | null }
  | { kind: "failed"; reason: string }
  | { kind: "postponed"; reason: string; nextAt: number; doubtful: boolean; triedMs: number }
);

/** What a push to the CRM tells of. */
export interface LeadChange {
  /** Of the event; the same at every attempt. */
  id: string;
  type: "lead.created" | "lead.updated";
  lead: Omit<LeadInFull, "nextFollowUpAt" | "confirmationCode" | "userAgent" | "history">;
  note: string | null;
  at: number;
}

export interface NewLead {
  id: string;
  /** What people call it by, on the phone. */
  reference: string;
  kind: "booking" | "quote_request";
  name: string;
  /** E.164. */
  phone: string;
  email: string;
  serviceType: string;
  /** The request as it was understood. */
  details: object;
  consent: object | null;
  keyId: string | null;
  agentClass: string | null;
  userAgent: string | null;
  createdAt: number;
  jobs: NewJob[];
}

export interface NewBooking extends Occupancy {
  id: string;
  confirmationCode: string;
  service: string;
  endAt: number;
  /** The shop's own date and time of day. */
  date: string;
  time: string;
  /** Where the booking came from; the quotas count by these. */
  network: string;
  keyId: string | null;
  idempotency: Idempotency | null;
  /** The answer the caller gets, kept for replays. */
  answer: object;
  createdAt: number;
  lead: NewLead;
}

/** `scope` separates callers, so that nobody gets another's booking by guessing its id. */
export interface Idempotency {
  scope: string;
  id: string;
  /** Digest of the canonical request body. */
  bodyHash: string;
}

/** At most `limit` bookings by this caller since a moment; `key` counts a key's own, the others anonymous callers'. */
export interface Quota {
  by: "network" | "phone" | "key";
  value: string;
  since: number;
  limit: number;
}

export interface QuotaUse extends Quota {
  used: number;
  /** When the oldest of the last `limit` bookings was made: once it no longer counts, one more is allowed. */
  oldestAt: number | null;
}

/** The answer to a booking made earlier, and the digest of what was asked. */
export interface StoredAnswer {
  bodyHash: string;
  answer: unknown;
}

export type BookOutcome =
  | { kind: "booked"; quotas: QuotaUse[] }
  | { kind: "earlier"; earlier: StoredAnswer }
  | { kind: "quota"; quotas: QuotaUse[] }
  | { kind: "taken" };

export interface NewApiKey {
  id: string;
  /** SHA-256 of the key; the key itself is never stored. */
  hash: string;
  /** The first 12 characters, by which its owner recognises it. */
  prefix: string;
  name: string;
  email: string;
  useCase: string | null;
  /** Requests per minute; null takes the catalog's default. */
  ratePerMinute: number | null;
  createdAt: number;
}

export interface ApiKey {
  id: string;
  ratePerMinute: number | null;
  revoked: boolean;
}

export interface WaitingJob {
  id: number;
  kind: JobKind;
  dueAt: number;
  createdAt: number;
  attempts: number;
  lastError: string | null;
  payload: unknown;
  lead: { id: string; reference: string; kind: string; name: string };
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
  /** The answer its caller got. */
  answer: unknown;
  createdAt: number;
  /** When it was completed, missed or cancelled. */
  endedAt: number | null;
  lead: { id: string; reference: string; name: string; phone: string; email: string };
}

export type BookingMove =
  | { kind: "moved"; booking: Booking }
  | { kind: "refused"; booking: Booking }
  /** It has not begun, and can be neither completed nor missed. */
  | { kind: "too_early"; booking: Booking }
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
  /** When the owner is next reminded; null when no reminder waits. */
  nextFollowUpAt: number | null;
  /** The appointment of a lead that came from a booking. */
  confirmationCode: string | null;
}

export interface LeadInFull extends Lead {
  details: unknown;
  consent: unknown;
  keyId: string | null;
  agentClass: string | null;
  userAgent: string | null;
  /** The oldest first. */
  history: { status: LeadStatus; note: string | null; at: number }[];
}

export type LeadMove =
  | { kind: "moved"; lead: LeadInFull; lapsed: number }
  | { kind: "refused"; lead: LeadInFull }
  | { kind: "unknown" };

/** A key as the owner sees it. */
export interface IssuedKey {
  id: string;
  prefix: string;
  name: string;
  email: string;
  useCase: string | null;
  ratePerMinute: number | null;
  createdAt: number;
  revokedAt: number | null;
}

export type RetryOutcome =
  | { kind: "due" }
  /** A reminder to the owner: shown as due from now on, and never sent. */
  | { kind: "reminder" }
  | { kind: "refused"; status: "done" | "lapsed" }
  | { kind: "unknown" };
