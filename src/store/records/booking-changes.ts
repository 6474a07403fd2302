/** Changes to a booking: by the customer, and by the owner. Times are epoch milliseconds. */
import type { Occupancy } from "../../domain/bays.ts";
import type { Booking } from "./bookings.ts";
import type { NewJob } from "./jobs.ts";

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

export interface Rescheduling extends Change, Occupancy {
  /**
   * New words for messages that wait, for the booking after the move. When the shop's text about the new booking still waits,
   * the shop gets no text about the move.
   */
  reworded?: readonly NewJob[];
  /** Other work: the answer for the booking after it, and what changes of the lead's request. */
  work?: { answer: object; details: object };
  /** The most changes by the customer on one date; further ones are refused. */
  mostChanges?: number;
  endAt: number;
  /** Date and time of day at the shop. */
  date: string;
  time: string;
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
export interface BookingEdit {
  confirmationCode: string;
  name: string;
  /** E.164. */
  phone: string;
  /** Empty where there is none. */
  email: string;
  /** Fields of the lead's request that change; undefined ones stay. */
  details: object;
  /** New words for messages that wait, for the booking after the edit. */
  reworded?: readonly NewJob[];
  /** The answer for the booking after the edit. A repeated request still gets the first answer. */
  answer: object;
}
