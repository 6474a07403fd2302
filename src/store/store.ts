/**
 * What the program keeps: bookings, leads, jobs and API keys. The interface is async so that another database can stand
 * behind it; `test/store/conformance.ts` is the suite every implementation must pass. Instants are epoch milliseconds.
 */
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
  /** When the oldest booking that counts was made. */
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
  lead: { id: string; reference: string; kind: string; name: string };
}

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
  /** Writes a lead with its jobs. @throws StoreUnavailable */
  addLead(lead: NewLead): Promise<void>;
  /** @returns false when the e-mail address, whatever its case, has a key already. @throws StoreUnavailable */
  addKey(key: NewApiKey): Promise<boolean>;
  findKey(hash: string): Promise<ApiKey | null>;
  /** Jobs not yet done, the longest due first. */
  waitingJobs(limit: number): Promise<WaitingJob[]>;
  countWaitingJobs(): Promise<{ count: number; oldestDueAt: number | null }>;
  /** Writes something of no consequence. @throws StoreUnavailable */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}
