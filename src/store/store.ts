/**
 * What the program keeps: bookings, leads, jobs and API keys. The interface is async so that another database can stand
 * behind it; `test/store/conformance.ts` is the suite every implementation must pass. Instants are epoch milliseconds.
 */
import type { BookingStatus, LeadStatus } from "../domain/lifecycle.ts";
import type { Occupancy } from "../domain/schedule.ts";
import type { JobKind } from "../vocabulary.ts";

/** The database cannot be written just now: locked past the deadline, disk full, read-only. Nothing was stored. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** A step that a lead sets going; it waits until it is due and done. */
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
  dueAt: number;
  createdAt: number;
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

export interface Earlier {
  bodyHash: string;
  answer: unknown;
}

export type BookOutcome =
  | { kind: "booked"; quotas: QuotaUse[] }
  | { kind: "earlier"; earlier: Earlier }
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

export type RetryOutcome = { kind: "due" } | { kind: "refused"; status: "done" | "lapsed" } | { kind: "unknown" };

export interface Store {
  /** What was booked earlier under the same scope and id. */
  findEarlier(scope: string, id: string): Promise<Earlier | null>;
  quotaUse(quotas: readonly Quota[]): Promise<QuotaUse[]>;
  /** Jobs that occupy a bay at some moment of [from, until). */
  busyBetween(from: number, until: number): Promise<Occupancy[]>;
  /**
   * Books if it may: in one transaction looks for an earlier answer, counts the quotas, looks for a free bay, and writes
   * booking, lead and jobs. Nothing is written unless the outcome is `booked`.
   * @throws StoreUnavailable
   */
  book(booking: NewBooking, bays: number, quotas: readonly Quota[]): Promise<BookOutcome>;
  /** Bookings of the shop's dates [from, to], in order of their start. */
  bookings(dates: { from: string; to: string }): Promise<Booking[]>;
  findBooking(confirmationCode: string): Promise<Booking | null>;
  /** Ends a confirmed booking; a cancelled one frees its bay at once. @throws StoreUnavailable */
  moveBooking(confirmationCode: string, to: BookingStatus, at: number): Promise<BookingMove>;
  /** Writes a lead with its jobs. @throws StoreUnavailable */
  addLead(lead: NewLead): Promise<void>;
  /** Leads in any of these states, the newest first. */
  leads(statuses: readonly LeadStatus[], limit: number): Promise<Lead[]>;
  /** @param name its id or its reference */
  findLead(name: string): Promise<LeadInFull | null>;
  /**
   * Moves a lead forward, or adds a note to the state it is in. Jobs that wait `unless` a state now reached lapse in the
   * same transaction.
   * @throws StoreUnavailable
   */
  moveLead(id: string, to: LeadStatus, note: string | null, at: number): Promise<LeadMove>;
  /** @returns false when the e-mail address, whatever its case, has a key already. @throws StoreUnavailable */
  addKey(key: NewApiKey): Promise<boolean>;
  findKey(hash: string): Promise<ApiKey | null>;
  /** Every key, the newest first. */
  keys(): Promise<IssuedKey[]>;
  /** @returns false when there is no such key. @throws StoreUnavailable */
  revokeKey(id: string, at: number): Promise<boolean>;
  /**
   * Puts a new key in the place of an old one, which is invalid from then on; a revoked one is valid again.
   * @returns false when there is no such key. @throws StoreUnavailable
   */
  rotateKey(id: string, key: Pick<NewApiKey, "hash" | "prefix">): Promise<boolean>;
  /** Jobs of these kinds, or of all, that are not yet done; the longest due first. */
  waitingJobs(limit: number, kinds?: readonly JobKind[]): Promise<WaitingJob[]>;
  /** Jobs of these kinds that are due and not done. */
  countDueJobs(kinds: readonly JobKind[], now: number): Promise<{ count: number; oldestDueAt: number | null }>;
  /** Jobs given up, the longest due first. */
  failedJobs(limit: number): Promise<WaitingJob[]>;
  /**
   * Claims jobs that are due for one attempt each; a claim that is not settled until `until` runs out, and its job comes
   * back as doubtful. Messages to the customer lapse instead when the booking has begun or is no longer confirmed.
   * @throws StoreUnavailable
   */
  claimJobs(claim: { kinds: readonly JobKind[]; now: number; until: number; limit: number }): Promise<DueJob[]>;
  /** @throws StoreUnavailable */
  finishJob(id: number, status: "done" | "failed", reason: string | null): Promise<void>;
  /** Lets a claimed job wait for its next attempt. @throws StoreUnavailable */
  postponeJob(id: number, nextAt: number, reason: string, doubtful: boolean): Promise<void>;
  /** Makes a job that waits or failed due at a moment, as if it had not been tried, but doubtful if it was. @throws StoreUnavailable */
  retryJob(id: number, at: number): Promise<RetryOutcome>;
  /** A number that changes when another process has written: a screen polls it. */
  dataVersion(): Promise<number>;
  /** Writes a consistent copy to a new or empty file, while others go on writing. */
  copyTo(file: string): Promise<void>;
  /** Writes something of no consequence. @throws StoreUnavailable */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}
