/** A new booking with its quotas, a booking as the diary shows it, its changes, and how it ends. Times are epoch milliseconds. */
import type { Occupancy } from "../../domain/bays.ts";
import type { BookingStatus } from "../../domain/lifecycle.ts";
import type { Phone } from "../../lib/phone.ts";
import type { NewJob } from "./jobs.ts";
import type { Idempotency, NewLead, StoredAnswer } from "./leads.ts";
import type { NewPayment, Payment } from "./payments.ts";

export interface NewBooking
  extends Appointment,
    Pick<Booking, "id" | "confirmationCode" | "service" | "network" | "keyId" | "createdAt"> {
  idempotency: Idempotency | null;
  /** Null for bookings that the owner makes. */
  same?: Sameness | null;
  /** The answer to the caller, kept for replays. */
  answer: object;
  lead: NewLead;
  /** Null for bookings that the owner makes. */
  alert: BookingsAlert | null;
}

/** By what a booking is known that is made a second time, whatever its id. */
export interface Sameness {
  phone: string;
  /** Of work, time and person, without the e-mail address. */
  hash: string;
  /** The first was made later than that; null for one that is a second booking in any case. */
  since: number | null;
  /** Key or network. The first of another caller must have the same e-mail address; empty finds none of others. */
  caller: string;
  email: string;
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

/**
 * At most `limit` bookings by one caller or for one customer.
 * - `key`: made with that key after `since`; `network` and `phone`: made without a key after `since`, `phone` without those that their customer cancelled.
 * - `held_by_phone` and `held_by_email`: confirmed bookings of that customer that end after `since`, whoever made them.
 *   E-mail addresses are compared without regard to letter case.
 */
export interface Quota {
  /** `networks`: bookings without a key and of keys that registered themselves, from a network or one around it. */
  by: "network" | "networks" | "phone" | "key" | "held_by_phone" | "held_by_email";
  value: string;
  /** The key or network among whose bookings an e-mail address counts. */
  within?: string;
  since: number;
  /** Bookings dated later do not count: a date in the future means that the clock was set back since. */
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

export type BookOutcome =
  /** How much of each quota is used now. */
  | { kind: "booked"; used: number[] }
  | { kind: "earlier"; earlier: EarlierBooking }
  | { kind: "quota"; quotas: QuotaUse[] }
  | { kind: "taken" }
  /** Another booking has the same confirmation code, or another lead the same reference: try again with new ones. */
  | { kind: "code_in_use" };

interface Appointment extends Occupancy {
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
  /** When the booking was completed, missed or cancelled. */
  endedAt: number | null;
  /** How often it was moved, cancelled or taken up again: the SEQUENCE of the calendar entry. */
  changes: number;
  /** The shop's date of the customer's latest change, and how many changes they made on that date. */
  changedOn: string | null;
  changedTimes: number;
  /** Why the customer cancelled, in their words. */
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

/** The booking that an earlier request made, as it stands now. */
export interface EarlierBooking extends StoredAnswer {
  booking: Booking;
  /** It was moved or changed since. */
  isChanged: boolean;
  isSame: boolean;
}

/** The messages to send when a booking ends, and what is paid then. */
export interface Ending {
  jobs?: readonly NewJob[];
  payments?: readonly NewPayment[];
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

/** The person who may change a booking, and the network that made it. Empty where nothing is known of them. */
export interface BookingContact {
  /** E.164. */
  phone: string;
  /** In lower case. */
  email: string;
  network: string;
}

interface Change {
  confirmationCode: string;
  /** How often the booking had been changed when this change was planned. */
  changes: number;
  at: number;
  /** Messages to shop and customer. */
  jobs: NewJob[];
  /** The shop's date, when the customer makes the change. */
  changedOn?: string;
}

export interface Rescheduling extends Change, Appointment {
  /**
   * New words for messages that wait, for the booking after the move. When the shop's text about the new booking still waits,
   * the shop gets no text about the move.
   */
  reworded?: readonly NewJob[];
  /** Other work: the answer for the booking after it, and what changes of the lead's request; fields that are undefined leave it. */
  work?: { answer: object; details: object };
  /** The most changes by the customer on one date; further ones are refused. */
  mostChanges?: number;
}

export interface Cancellation extends Change {
  /** In the customer's words. */
  reason: string | null;
}

export type ChangeOutcome =
  | { kind: "changed"; booking: Booking }
  /** Every bay is busy for part of the time. */
  | { kind: "taken" }
  /** The customer changed the booking too often on that date. */
  | { kind: "too_often" }
  /** Somebody else changed the booking meanwhile. */
  | { kind: "outdated" };

/** A booking as its owner corrected it. */
export interface BookingEdit extends Phone {
  confirmationCode: string;
  name: string;
  /** Empty where there is none. */
  email: string;
  /** Fields of the lead's request that change; those that are undefined leave it. */
  details: object;
  /** New words for messages that wait, for the booking after the edit. */
  reworded?: readonly NewJob[];
  /** The answer for the booking after the edit. A repeated request still gets the first answer. */
  answer: object;
}
