/** The delivery status of a text that Twilio took. Times are epoch milliseconds. */
import type { JobKind } from "../../constants.ts";

/** `sent`: Twilio took it, and has not said yet, or never said, whether it arrived. */
export type DeliveryStatus = "sent" | "delivered" | "undelivered";

export interface DeliveryClaim {
  /** For tests. When left out, the clock of the store. */
  now?: number;
  /** How long the claim lasts, in milliseconds. */
  lastsMs: number;
  limit: number;
}

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
