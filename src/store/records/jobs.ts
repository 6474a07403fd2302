/**
 * A job from the record that makes one to the result of an attempt and the delivery of its text, and as the owner sees it.
 * Times are epoch milliseconds.
 */
import type { JobKind } from "../../constants.ts";
import type { LeadStatus } from "../../domain/lifecycle.ts";
import type { JobContent, LeadChange } from "./payloads.ts";

/** A message or reminder that a lead triggers. */
export type NewJob = JobContent & {
  dueAt: number;
  /** The job lapses when the lead reaches this state. */
  unless: LeadStatus | null;
  /** Since when an attempt of an earlier job may have sent it. */
  doubtfulSince?: number;
};

export interface Claim {
  kinds: readonly JobKind[];
  /**
   * For tests. When left out, the clock of the store: the database's own, so that claims of machines whose clocks differ
   * last as long as they were meant to.
   */
  now?: number;
  /** How long the claim lasts, in milliseconds. */
  lastsMs: number;
  /** The most jobs to claim: `fresh` were never tried, `retries` were. */
  fresh: number;
  retries: number;
  /** Ids of jobs that run in this process. They are never claimed, even when a clock jump ends their claims early. */
  running: readonly number[];
  /** The limits of messages; no message is limited without them. */
  limits?: MessageRules;
}

/** How many messages may go to customers by one channel. The database counts for every limit. */
export interface ChannelLimits {
  /** The most in any hour, and on the shop's day that began at `dayStart`. */
  perHour: number;
  perDay: number;
  /** The most in any hour for the bookings of one network; of IPv6, of one /48. */
  perCaller: number;
  /**
   * The most to one number or address on the shop's day, where anonymous callers gave the customer's consent. One of these
   * callers gets at most all but one.
   */
  perContact: number;
}

/** How many messages may go out, and the texts that tell the shop of the others. */
export interface MessageRules {
  texts: ChannelLimits;
  mails: ChannelLimits;
  dayStart: number;
  /** Set in quiet hours: texts to customers wait until then, those of the kinds in `exempt` excepted. */
  quiet: { until: number; exempt: readonly JobKind[] } | null;
  /** Messages beyond `perDay` wait until then. */
  nextDay: number;
  /** The most texts to the shop about one lead each in any hour. One text an hour tells of the leads beyond them. */
  digestAbove: number;
  /** The words of that text, with `{count}` and `{since}`. */
  digest: string;
  /** The CRM gets no second push about changes of the same booking within this time. */
  pushPauseMs: number;
  /** A number gets no second text that asks for a review within this time. */
  reviewPauseMs: number;
  /** The shop is told of a message that could not be sent for `afterMs`, at most once in `onceInHours`. */
  late: { afterMs: number; onceInHours: number };
  /** The zone of the times in news for the owner. */
  timezone: string;
}

/** A job that was claimed for an attempt. */
export type DueJob = JobContent & {
  id: number;
  /** Includes the attempt it was claimed for. */
  attempts: number;
  /** An earlier attempt may have arrived. */
  doubtful: boolean;
  /** When the first attempt was made. */
  firstTriedAt: number;
  /** Time spent on attempts and on the pauses after them, in milliseconds. */
  triedMs: number;
  dueAt: number;
  createdAt: number;
};

/** The result of an attempt, as the store keeps it. */
export type Settled =
  /** `messageSid`: Twilio's id of the message. */
  | { id: number; kind: "done"; messageSid: string | null }
  /** News for the owner: the copies to its receivers take its place. */
  | (AttemptName & { kind: "spread"; copies: JobContent[]; doubtfulSince?: number; at?: number })
  /** `isOptOut`: the customer wants no more texts. */
  | (AttemptName & { kind: "failed"; reason: string; isOptOut?: boolean })
  /** `at`: when the attempt ended; now by the clock of the store when left out. The next attempt is `pauseMs` later. */
  | (AttemptName & {
      kind: "postponed";
      reason: string;
      at?: number;
      pauseMs: number;
      doubtful: boolean;
      triedMs: number;
    });

/** Names one attempt at a job: a retry by hand counts attempts anew, but makes the job due at another time. */
export type AttemptName = Pick<DueJob, "id" | "attempts" | "dueAt">;

/** `waits`: nothing was added, because a message of this kind waits already. */
export type AddedMessage = "added" | "waits" | "unknown";

/** A job as the owner's lists show it. */
export interface WaitingJob {
  id: number;
  kind: JobKind;
  dueAt: number;
  attempts: number;
  lastError: string | null;
  /** What became of a text that Twilio took. */
  deliveryStatus: DeliveryStatus | null;
  /** Null when the stored payload cannot be read. */
  content: JobContent | null;
  lead: Pick<LeadChange["lead"], "id" | "reference" | "kind" | "name">;
}

export interface JobFilter {
  /** All kinds when left out. */
  kinds?: readonly JobKind[];
  /** Only jobs due before this moment. */
  dueBefore?: number;
  /** Only jobs that were tried at least once. */
  tried?: boolean;
}

/** Why a job can be neither tried again nor dropped. */
export type JobOver = { kind: "refused"; status: "done" | "lapsed" } | { kind: "unknown" };

export type DropOutcome = { kind: "dropped" } | JobOver;

export type RetryOutcome =
  | { kind: "due" }
  /** A reminder to the owner: now shown as due, but never sent. */
  | { kind: "reminder" }
  | JobOver;

/** `sent`: Twilio took it, and has not said yet, or never said, whether it arrived. */
export type DeliveryStatus = "sent" | "delivered" | "undelivered";

export type DeliveryClaim = Pick<Claim, "now" | "lastsMs"> & { limit: number };

/** A text whose delivery status is to be asked of Twilio. */
export interface UnconfirmedText {
  id: number;
  kind: JobKind;
  /** Twilio's id of the message. */
  messageSid: string;
  /** Milliseconds since the text was sent. */
  waitedMs: number;
}

/** What Twilio said of a text. */
export type DeliveryReport = Pick<UnconfirmedText, "id" | "messageSid"> &
  (
    | { kind: "delivered" }
    /** `isOptOut`: the customer wants no more texts. */
    | { kind: "undelivered"; reason: string; isOptOut: boolean }
    /** No final status yet: ask again after the pause. */
    | { kind: "open"; pauseMs: number }
    /** No final status within a day: ask no more. */
    | { kind: "unknown" }
  );

/** A customer who replied STOP: since when, and why. */
export interface OptOut {
  reason: string;
  at: number;
}
