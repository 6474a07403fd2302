/** A customer with everything they asked for, and a person to erase. */

import type { Booking } from "./bookings.ts";
import type { OptOut } from "./delivery-status.ts";
import type { LeadInFull } from "./leads.ts";

/** Everybody who gave the same phone number; a walk-in without one stands alone. */
export interface Customer {
  /** The phone, or the reference of the lead of a customer without one. */
  id: string;
  /** E.164; empty where none was left. */
  phone: string;
  /** Newest first; at least one. */
  leads: LeadInFull[];
  /** The latest first. */
  bookings: Booking[];
  /** Set when the customer wants no more texts. */
  optOut: OptOut | null;
}

/** The person to erase: a phone number in E.164, or an e-mail address in any letter case. */
export interface Contact {
  by: "phone" | "email";
  value: string;
}

/** A person's records in the database. */
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
