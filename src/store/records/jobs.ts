/** A job from the record that makes one to the result of an attempt. Times are epoch milliseconds. */
import type { LeadStatus } from "../../domain/lifecycle.ts";
import type { Delivery } from "./payloads.ts";

/** A message or reminder that a lead triggers. */
export type NewJob = Delivery & {
  dueAt: number;
  /** The job lapses when the lead reaches this state. */
  unless: LeadStatus | null;
};

/** A job that was claimed for an attempt. */
export type DueJob = Delivery & {
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
  | (AttemptName & { kind: "failed"; reason: string })
  /** `at`: when the attempt ended; now by the clock of the store when left out. The next attempt is `pauseMs` later. */
  | (AttemptName & {
      kind: "postponed";
      reason: string;
      at?: number | undefined;
      pauseMs: number;
      doubtful: boolean;
      triedMs: number;
    });

/** Names one attempt at a job: a retry by hand counts attempts anew, but makes the job due at another time. */
export type AttemptName = Pick<DueJob, "id" | "attempts" | "dueAt">;

/** `waits`: nothing was added, because a message of this kind waits already. */
export type AddedMessage = "added" | "waits" | "unknown";
