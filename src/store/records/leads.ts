/** A new lead, a lead as the owner sees it, and the request that made it. Times are epoch milliseconds. */
import type { LEAD_KINDS } from "../../constants.ts";
import type { LeadStatus } from "../../domain/lifecycle.ts";
import type { Phone } from "../../lib/phone.ts";
import type { NewJob } from "./jobs.ts";
import type { Payment } from "./payments.ts";

export interface NewLead extends Phone {
  id: string;
  /** The name people use on the phone, like `Q-7F3A2B`. */
  reference: string;
  kind: (typeof LEAD_KINDS)[number];
  name: string;
  email: string;
  serviceType: string;
  /** The request after validation. */
  details: object;
  consent: object | null;
  keyId: string | null;
  /** The class of assistant that sent the request, as the catalog names it. */
  agentClass: string | null;
  userAgent: string | null;
  createdAt: number;
  jobs: NewJob[];
  /** Set for a quote request that has an id of the caller's own. Its answer is kept for replays. */
  request?: (Idempotency & { answer: object; network: string }) | null;
}

/** The lead that an earlier request made. */
export interface EarlierLead extends StoredAnswer {
  status: LeadStatus;
}

export type AddOutcome =
  | { kind: "added" }
  | { kind: "earlier"; earlier: EarlierLead }
  /** Another lead has the same reference: try again with a new one. */
  | { kind: "code_in_use" };

/** What the customer of a won lead pays. */
export interface WonAmount {
  cents: number;
  currency: string;
}

/** A lead as the list shows it. */
export interface Lead
  extends Pick<
    NewLead,
    "id" | "reference" | "kind" | "name" | "phone" | "extension" | "email" | "serviceType" | "agentClass" | "createdAt"
  > {
  status: LeadStatus;
  /** The next reminder to the owner; null when none waits. */
  nextFollowUpAt: number | null;
  /** Set when the lead came from a booking. */
  confirmationCode: string | null;
  /** Null unless the lead was won and its amount is known. */
  wonAmount: WonAmount | null;
}

/** The last lead of a page; the next page begins after it. */
export type LeadCursor = Pick<Lead, "createdAt" | "id">;

export interface LeadInFull extends Lead, Pick<NewLead, "keyId" | "userAgent"> {
  details: unknown;
  consent: unknown;
  /** Oldest first. */
  history: { status: LeadStatus; note: string | null; at: number }[];
  /** In the order in which they were paid, with those that were taken back. */
  payments: Payment[];
}

export type LeadMove =
  /** `lapsed`: how many reminders stopped. */
  { kind: "moved"; lead: LeadInFull; lapsed: number } | { kind: "refused"; lead: LeadInFull } | { kind: "unknown" };

/** `scope` separates callers, so that nobody can fetch another caller's answer by guessing the id. */
export interface Idempotency {
  scope: string;
  id: string;
  /** Hash of the canonical request body. */
  bodyHash: string;
}

/**
 * The stored answer to an earlier booking or quote request, with the hash of that request. What became of it is read in the
 * same statement.
 */
export interface StoredAnswer {
  bodyHash: string;
  answer: unknown;
  /** The fields of that request, as far as they are kept. */
  details: object;
  /** The network that the request came from; null where that is not known. */
  network: string | null;
  /** The person was erased: of the request there is only a digest, and of the answer nothing. */
  isErased: boolean;
  /** Found by what it asks for, not by its id. */
  isSame?: boolean;
}
