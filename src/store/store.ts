/**
 * The interface to the database: bookings, leads, jobs and API keys. It is async so that other engines fit behind it.
 * Every engine passes `test/store/conformance.ts`. Times are epoch milliseconds.
 */

import type { JobKind } from "../constants.ts";
import type { Occupancy } from "../domain/bays.ts";
import type { BookingStatus, LeadStatus } from "../domain/lifecycle.ts";
import type { ApiKey, IssuedKey, NewApiKey } from "./records/api-keys.ts";
import type {
  BookingContact,
  BookingEdit,
  Cancellation,
  ChangeOutcome,
  Rescheduling,
} from "./records/booking-changes.ts";
import type {
  Booking,
  BookingCursor,
  BookingMove,
  BookingReopening,
  BookOutcome,
  EarlierBooking,
  Ending,
  NewBooking,
  Quota,
  QuotaUse,
} from "./records/bookings.ts";
import type {
  DeliveryClaim,
  DeliveryReport,
  DeliveryStatus,
  OptOut,
  UnconfirmedText,
} from "./records/delivery-status.ts";
import type { AddedMessage, Claim, DueJob, NewJob, Settled } from "./records/jobs.ts";
import type {
  AddOutcome,
  EarlierLead,
  Lead,
  LeadCursor,
  LeadInFull,
  LeadMove,
  NewLead,
  WonAmount,
} from "./records/leads.ts";
import type { DropOutcome, JobFilter, RetryOutcome, WaitingJob } from "./records/outbox.ts";
import type { Contact, Customer, Forgetting, Traces } from "./records/people.ts";

export type * from "./records/api-keys.ts";
export type * from "./records/booking-changes.ts";
export type * from "./records/bookings.ts";
export type * from "./records/delivery-status.ts";
export type * from "./records/idempotency.ts";
export type * from "./records/jobs.ts";
export type * from "./records/leads.ts";
export type * from "./records/outbox.ts";
export type { JobContent, LeadChange, Mail, ShopNews, Sms } from "./records/payloads.ts";
export type * from "./records/people.ts";

export interface Store {
  /** The booking with the same scope and id. @param bodyHash finds the request of a person who was erased, too */
  findEarlier(scope: string, id: string, bodyHash?: string): Promise<EarlierBooking | null>;
  /** A booking of the same body that was made since a moment and still stands. */
  findSame(scope: string, bodyHash: string, since: number): Promise<EarlierBooking | null>;
  quotaUse(quotas: readonly Quota[]): Promise<QuotaUse[]>;
  /** Every booking that occupies a bay at some moment of [from, until). */
  busyBetween(from: number, until: number): Promise<Occupancy[]>;
  /**
   * Looks for an earlier answer, checks the quotas, looks for a free bay, and writes booking, lead and jobs, all in one
   * transaction. Only the outcome `booked` writes anything.
   * @param quotas those of the booking's own caller and customer, which count it
   * @param closed bays that take no work for a while, as if work stood in them
   * @throws StoreUnavailable
   */
  book(
    booking: NewBooking,
    bays: number,
    quotas: readonly Quota[],
    closed?: readonly Occupancy[],
  ): Promise<BookOutcome>;
  /** A page of the bookings on the shop's dates [from, to], by start. @param after the last booking of the page before */
  bookings(dates: { from: string; to: string }, limit: number, after?: BookingCursor): Promise<Booking[]>;
  findBooking(confirmationCode: string): Promise<Booking | null>;
  /** Which of these confirmation codes are in use. */
  codesInUse(codes: readonly string[]): Promise<string[]>;
  /**
   * Ends a confirmed booking. Its bay is free from then on. Before the appointment begins, a booking can only be
   * cancelled. The lead follows: won when completed, otherwise lost. A CRM that knows of the booking is told.
   * @throws StoreUnavailable
   */
  changeBookingStatus(confirmationCode: string, to: BookingStatus, at: number, ending?: Ending): Promise<BookingMove>;
  /**
   * Moves several bookings, as `changeBookingStatus` does, in one transaction.
   * @param jobs the messages of each booking, by its code
   * @returns outcomes in the same order
   */
  moveBookings(
    confirmationCodes: readonly string[],
    to: BookingStatus,
    at: number,
    jobs?: Readonly<Record<string, readonly NewJob[]>>,
  ): Promise<BookingMove[]>;
  /**
   * Makes ended bookings confirmed again, one after the other, in one transaction; a cancelled one only while a bay is
   * free for its whole time, another one for what is left of it. Reminders to the owner that lapsed with the booking wait again, and its lead is open again.
   * @param jobs the messages of each booking, by its code, for a customer who was told that it was cancelled
   * @returns outcomes in the same order
   * @throws StoreUnavailable
   */
  reopenBookings(
    confirmationCodes: readonly string[],
    bays: number,
    at: number,
    jobs?: Readonly<Record<string, readonly NewJob[]>>,
  ): Promise<BookingReopening[]>;
  /** Who may change a booking; null when there is no such code. */
  contactOf(confirmationCode: string): Promise<BookingContact | null>;
  /**
   * Moves a confirmed booking to another time, if a bay is free there when its old time is left out. In the same
   * transaction, messages that name the old time lapse or get new words, the new ones are written, and a push tells the CRM
   * if it knows of the booking.
   * @param closed bays that take no work for a while, as in `book`
   * @throws StoreUnavailable
   */
  rescheduleBooking(change: Rescheduling, bays: number, closed?: readonly Occupancy[]): Promise<ChangeOutcome>;
  /**
   * Cancels a confirmed booking for its customer, with messages and push as in `rescheduleBooking`.
   * @throws StoreUnavailable
   */
  cancelBooking(change: Cancellation): Promise<ChangeOutcome>;
  /** The secret that signs estimates. It is made with the database. */
  lockSecret(): Promise<string>;
  /**
   * Puts a new secret in the place of the old one, which voids every estimate given so far.
   * @returns how many bookings were made with such an estimate
   * @throws StoreUnavailable
   */
  rotateLockSecret(secret: string, at: number): Promise<number>;
  /** SHA-256 of the secret part of the calendar's address; null while the calendar is off. The secret is never stored. */
  calendarHash(): Promise<string | null>;
  /**
   * Puts a new address of the calendar in the place of the old one; null switches the calendar off.
   * @returns whether there was an address before
   * @throws StoreUnavailable
   */
  setCalendarHash(hash: string | null, at: number): Promise<boolean>;
  /**
   * Corrects who comes, with which car, and the agreed price. Messages that wait go to the new number and address.
   * @returns null when there is no such booking
   * @throws StoreUnavailable
   */
  editBooking(edit: BookingEdit): Promise<Booking | null>;
  /** Adds a message to a booking's customer, unless one of its kind waits. @throws StoreUnavailable */
  addMessage(confirmationCode: string, job: NewJob, at: number): Promise<AddedMessage>;
  /**
   * When an appointment began before the first of its moves whose message still waits; null when none waits.
   * @param leadId of the booking
   */
  unannouncedStart(leadId: string): Promise<number | null>;
  /** Bookings in one of these states that begin after a moment, by start. */
  upcoming(after: number, statuses: readonly BookingStatus[]): Promise<Booking[]>;
  /** The quote request with the same scope and id. @param bodyHash as in `findEarlier` */
  findEarlierLead(scope: string, id: string, bodyHash?: string): Promise<EarlierLead | null>;
  /** Writes a lead with the jobs it triggers, unless its request was answered before. @throws StoreUnavailable */
  addLead(lead: NewLead): Promise<AddOutcome>;
  /**
   * A page of the leads in any of these states, newest first.
   * @param after the last lead of the page before
   * @param kinds of both kinds when left out
   */
  leads(
    statuses: readonly LeadStatus[],
    limit: number,
    after?: LeadCursor,
    kinds?: readonly NewLead["kind"][],
  ): Promise<Lead[]>;
  /**
   * The customers, by `id`, about whom every one of these texts stands, newest lead first. Name, e-mail, phone and
   * vehicle are searched, without regard to letter case and accents.
   */
  findCustomers(texts: readonly string[], limit: number): Promise<string[]>;
  /** @param id a phone in E.164, or the reference of the lead of a customer without one. @returns null when there is none */
  customer(id: string): Promise<Customer | null>;
  /** Which of these references are in use. */
  referencesInUse(references: readonly string[]): Promise<string[]>;
  /** @param name the id or the reference */
  findLead(name: string): Promise<LeadInFull | null>;
  /**
   * Moves a lead forward, or adds a note without moving it. In the same transaction, jobs lapse whose `unless` state is
   * now reached; a reminder without `unless` lapses when the lead is contacted. If the CRM was told of the lead, a push
   * tells it of the change.
   * @throws StoreUnavailable
   */
  moveLead(id: string, to: LeadStatus, note: string | null, at: number, won?: WonAmount | null): Promise<LeadMove>;
  /**
   * Undoes the last step of a lead; the reminders that stopped with it wait again.
   * @param from the state that the caller has seen; refused where the lead is in another one, or has taken no step
   * @throws StoreUnavailable
   */
  undoLeadMove(id: string, from: LeadStatus, at: number): Promise<LeadMove>;
  /**
   * Puts one reminder for the owner in the place of those that wait. It lapses with the lead's next step.
   * @returns the lead; refused when it has ended
   * @throws StoreUnavailable
   */
  callLeadAt(id: string, dueAt: number | null, at: number): Promise<LeadMove>;
  /** @returns false when this e-mail address, in any letter case, has a key. @throws StoreUnavailable */
  addKey(key: NewApiKey, endedBefore?: number): Promise<boolean>;
  findKey(hash: string): Promise<ApiKey | null>;
  /** Notes that a key was used. */
  touchKey(id: string, at: number): Promise<boolean>;
  /** Every key, newest first. */
  keys(): Promise<IssuedKey[]>;
  /** @returns false when there is no such key. @throws StoreUnavailable */
  revokeKey(id: string, at: number): Promise<boolean>;
  /**
   * Replaces the secret of a key; the old secret is invalid at once. A revoked key becomes valid again.
   * @returns false when there is no such key. @throws StoreUnavailable
   */
  rotateKey(id: string, key: Pick<NewApiKey, "hash" | "prefix">): Promise<boolean>;
  /** Jobs that wait, longest due first. */
  waitingJobs(limit: number, filter?: JobFilter): Promise<WaitingJob[]>;
  /** Waiting jobs of these kinds that are due; counted up to 10,000. */
  countDueJobs(kinds: readonly JobKind[], now: number): Promise<{ count: number; oldestDueAt: number | null }>;
  /** Jobs that were given up, longest due first. */
  failedJobs(limit: number): Promise<WaitingJob[]>;
  /** Jobs of these kinds that lapsed and are never sent, the newest first; `lastError` says why. */
  lapsedJobs(kinds: readonly JobKind[], limit: number): Promise<WaitingJob[]>;
  /**
   * Claims due jobs for one attempt each. Messages over a limit of `limits` wait, or go out in one text. A claim that
   * is not settled within `lastsMs` expires, and the job is doubtful from then on. A message to a customer lapses
   * instead when the booking has begun or is no longer confirmed.
   * @throws StoreUnavailable
   */
  claimJobs(claim: Claim): Promise<DueJob[]>;
  /**
   * Writes the results of attempts. A delivered attempt ends its job even when its result comes late: nobody should
   * send the message again. Any other result counts only while the attempt is the job's latest: a process that slept
   * past its claim must not settle the attempt of another. When another job owns the same `messageSid`, the job stays
   * claimed and later comes back as doubtful.
   * @param isMailOn whether a confirmation or reminder that failed as a text goes by e-mail
   * @returns whether each result was written
   * @throws StoreUnavailable
   */
  settleJobs(settled: readonly Settled[], isMailOn?: boolean): Promise<boolean[]>;
  /**
   * Claims texts whose delivery status is to be asked of Twilio. A claim that is not settled within `lastsMs` expires:
   * then another process asks.
   * @throws StoreUnavailable
   */
  claimUnconfirmedTexts(claim: DeliveryClaim): Promise<UnconfirmedText[]>;
  /**
   * Writes what became of texts. An undelivered one is failed from then on, with the reason; the rest as in `settleJobs`.
   * @returns whether each report was new
   * @throws StoreUnavailable
   */
  settleDeliveryReports(reports: readonly DeliveryReport[], isMailOn: boolean, at?: number): Promise<boolean[]>;
  /** How many texts since a moment have each delivery status. */
  countTextsByStatus(since: number): Promise<Record<DeliveryStatus, number>>;
  /** Why texts since a moment did not arrive, the commonest reason first. */
  whyUndelivered(since: number): Promise<{ reason: string; count: number }[]>;
  /** Whether, since when and why a customer gets no texts. @param phone E.164 */
  optOutOf(phone: string): Promise<OptOut | null>;
  /** How many numbers an update freed: a carrier's filter had been taken for a STOP. */
  countFreedNumbers(): Promise<number>;
  /** Lets texts go to a number again. @returns whether they were stopped @throws StoreUnavailable */
  allowTexts(phone: string): Promise<boolean>;
  /** Which of these Twilio messages belong to another job that is done. @param except the id of the job that asks */
  settledMessages(sids: readonly string[], except: number): Promise<string[]>;
  /**
   * Makes a waiting or failed job due at `at`, with the attempts counted anew; doubtful if it was tried.
   * @throws StoreUnavailable
   */
  retryJob(id: number, at: number): Promise<RetryOutcome>;
  /** Gives up a waiting or failed job: it is never sent. @throws StoreUnavailable */
  dropJob(id: number): Promise<DropOutcome>;
  tracesOf(contact: Contact, now: number): Promise<Traces>;
  /**
   * Erases a person: names, contacts, free text, consent, stored answers and messages. Messages that wait lapse,
   * and API keys of an e-mail address are revoked. Times, amounts and the work stay.
   * @param evenIfBooked also when the person has bookings to come, which then stay in the diary without a name
   * @throws StoreUnavailable
   */
  forget(contact: Contact, at: number, evenIfBooked: boolean): Promise<Forgetting>;
  /**
   * Erases the people of leads that were made, and whose booking ended, before a moment; oldest leads first.
   * @returns how many leads, at most `limit`
   * @throws StoreUnavailable
   */
  forgetOld(before: number, limit: number, at: number): Promise<number>;
  /**
   * Removes what was erased from unused parts of the database's files, and from SQLite's log. Writes wait meanwhile.
   * @param mostBytes a larger database is left as it is, except that SQLite's log is emptied
   * @returns whether nothing remains; false also while another program reads, or when the disk is full
   */
  cleanFile(mostBytes?: number): Promise<boolean>;
  /**
   * How far this machine's clock is ahead of the database's, in milliseconds; negative when it is behind. Always 0 with
   * SQLite.
   */
  clockAhead(): Promise<number>;
  /**
   * A number that changes when another connection writes: of another process, or of the thread that writes for this one.
   * It has changed before a write of the thread is acknowledged. Writes that this process makes without a thread do not
   * change it. Screens poll it.
   */
  dataVersion(): Promise<number>;
  /** Writes a consistent copy to a new or empty file. Other processes can write meanwhile. */
  copyTo(file: string): Promise<void>;
  /** Tries a harmless write. @throws StoreUnavailable */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}
