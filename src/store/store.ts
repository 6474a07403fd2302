/**
 * What the program keeps: bookings, leads, jobs and API keys. The interface is async so that another database can stand
 * behind it; `test/store/conformance.ts` is the suite every implementation must pass. Instants are epoch milliseconds.
 */
import type { BookingStatus, LeadStatus } from "../domain/lifecycle.ts";
import type { Occupancy } from "../domain/schedule.ts";
import type { JobKind } from "../vocabulary.ts";
import type {
  ApiKey,
  Booking,
  BookingMove,
  BookOutcome,
  DueJob,
  IssuedKey,
  Lead,
  LeadInFull,
  LeadMove,
  NewApiKey,
  NewBooking,
  NewLead,
  Quota,
  QuotaUse,
  RetryOutcome,
  Settled,
  StoredAnswer,
  WaitingJob,
} from "./records.ts";

export type * from "./records.ts";

/** The database cannot be written just now: locked past the deadline, disk full, read-only, deleted. Nothing was stored. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

export interface Claim {
  kinds: readonly JobKind[];
  now: number;
  until: number;
  /** At most so many that were never tried, and so many that were. */
  fresh: number;
  retries: number;
}

export interface Store {
  /** What was booked earlier under the same scope and id. */
  findEarlier(scope: string, id: string): Promise<StoredAnswer | null>;
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
  /**
   * Ends a confirmed booking; a cancelled one frees its bay at once. One that has not begun at `at` can only be cancelled.
   * @throws StoreUnavailable
   */
  moveBooking(confirmationCode: string, to: BookingStatus, at: number): Promise<BookingMove>;
  /** Writes a lead with its jobs. @throws StoreUnavailable */
  addLead(lead: NewLead): Promise<void>;
  /** Leads in any of these states, the newest first. */
  leads(statuses: readonly LeadStatus[], limit: number): Promise<Lead[]>;
  /** @param name its id or its reference */
  findLead(name: string): Promise<LeadInFull | null>;
  /**
   * Moves a lead forward, or adds a note to the state it is in. In the same transaction, jobs that wait `unless` a state
   * now reached lapse, and reminders that name none once the lead is contacted; and the change is pushed to the CRM if
   * the making of the lead was.
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
  claimJobs(claim: Claim): Promise<DueJob[]>;
  /**
   * Writes down how attempts ended. A job that is done with a message that another one was done with is left claimed: it
   * comes back as doubtful.
   * @throws StoreUnavailable
   */
  settleJobs(settled: readonly Settled[]): Promise<void>;
  /** Those of these Twilio messages that jobs were done with. */
  settledMessages(sids: readonly string[]): Promise<string[]>;
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
