/** A customer with everything they asked for, a person to erase, and the holders of API keys. Times are epoch milliseconds. */
import type { Phone } from "../../lib/phone.ts";
import type { Booking } from "./bookings.ts";
import type { OptOut } from "./jobs.ts";
import type { LeadInFull } from "./leads.ts";

/** Everybody who gave the same phone number; a walk-in without one stands alone. */
export interface Customer extends Phone {
  /** The phone, or the reference of the lead of a customer without one. */
  id: string;
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
  people: ({ of: string; name: string; email: string } & Phone)[];
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

export interface NewApiKey {
  id: string;
  /** SHA-256 of the key. The key itself is never stored. */
  hash: string;
  /** The first 12 characters, so that the owner can recognise the key. */
  prefix: string;
  name: string;
  email: string;
  useCase: string | null;
  /** Requests per minute; null means the catalog's default. */
  ratePerMinute: number | null;
  /** The network that registered the key; null when the owner issued it. */
  network: string | null;
  createdAt: number;
}

export interface ApiKey extends Pick<NewApiKey, "id" | "ratePerMinute"> {
  isRevoked: boolean;
  /** A caller registered it; the owner did not issue it. */
  isSelfRegistered: boolean;
  /** To the day; when it was made, as long as it was not used. */
  lastUsedAt: number;
}

/** An API key as the owner sees it. */
export type IssuedKey = Omit<NewApiKey, "hash"> & { revokedAt: number | null };
