/** A job as the owner sees it, and the answers when the owner drops or retries one. Times are epoch milliseconds. */
import type { JobKind } from "../../constants.ts";
import type { DeliveryStatus } from "./delivery-status.ts";
import type { NewLead } from "./leads.ts";
import type { JobContent } from "./payloads.ts";

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
  lead: Pick<NewLead, "id" | "reference" | "kind" | "name">;
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
