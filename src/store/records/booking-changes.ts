/** Changes to a booking: by the customer, and by the owner. Times are epoch milliseconds. */
import type { Occupancy } from "../../domain/bays.ts";
import type { Booking } from "./bookings.ts";
import type { NewJob } from "./jobs.ts";

/** The person who may change a booking. Empty where nothing is known of them. */
export interface BookingContact {
  /** E.164. */
  phone: string;
  /** In lower case. */
  email: string;
}

interface Change {
  confirmationCode: string;
  /** How often the booking had been changed when this change was planned. */
  changes: number;
  at: number;
  /** Messages to shop and customer. */
  jobs: NewJob[];
}

export interface Rescheduling extends Change, Occupancy {
  /** Messages about the booking as it now is, for those that wait. Where the shop's is among them, it needs no text about the move. */
  reworded?: readonly NewJob[];
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
  /** Messages about the booking as it now is, for those that wait. */
  reworded?: readonly NewJob[];
  /** The answer as the booking now is. Replays go on giving the first one. */
  answer: object;
}
