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
  /** Leaves out what stands under the person's other contacts alone, as when several people use one address. */
  isAlone?: boolean;
}

/** A person's records in the database. */
export interface Traces {
  /** The given contact, and those that stand beside it: the addresses of a phone number, the numbers of an address. */
  contacts: Contact[];
  /** Who stands in each lead and each API key, by the reference of the lead or the beginning of the key. */
  people: { of: string; name: string; phone: string; email: string }[];
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
