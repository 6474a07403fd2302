/** What becomes of a text that Twilio took. Times are epoch milliseconds. */
import type { JobKind } from "../../constants.ts";

/** `sent`: Twilio took it, and has not said yet, or never said, whether it arrived. */
export type Arrival = "sent" | "delivered" | "undelivered";

export interface ArrivalClaim {
  /** For tests. When left out, the clock of the store. */
  now?: number;
  /** How long the claim lasts, in milliseconds. */
  lastsMs: number;
  limit: number;
}

/** A text whose state is to be asked for. */
export interface AskedText {
  id: number;
  kind: JobKind;
  /** Twilio's id of the message. */
  messageSid: string;
  /** Since the text was sent. */
  waitedMs: number;
}

/** What Twilio said. */
export type ArrivalNews = Pick<AskedText, "id" | "messageSid"> &
  (
    | { kind: "delivered" }
    /** `isStop`: the customer wants no more texts. */
    | { kind: "undelivered"; reason: string; isStop: boolean }
    /** Nothing final: ask again after the pause. */
    | { kind: "open"; pauseMs: number }
    /** Nothing final within a day: ask no more. */
    | { kind: "unknown" }
  );

/** A customer who wants no more texts. */
export interface TextStop {
  reason: string;
  at: number;
}
