import { errorFacts } from "../lib/os-errors.ts";
import type { JobContent as Copy } from "../store/store.ts";

/** The result of an attempt at a job. */
export type AttemptResult =
  /** `messageSid`: Twilio's id of the message. */
  | { kind: "done"; messageSid?: string }
  /** News for the owner is sent as these copies. */
  | { kind: "spread"; copies: Copy[] }
  /**
   * `doubtful`: the other side may have taken the message, so look before sending it again. `isOff`: nothing was tried, because
   * settings are missing.
   */
  | { kind: "retry"; reason: string; doubtful?: boolean; afterSeconds?: number; isOff?: true }
  /** No further attempt can succeed. `isOptOut`: the customer wants no more texts. */
  | { kind: "failed"; reason: string; isOptOut?: boolean };

/** The result of an attempt that got no answer. Doubtful unless the connection was never made. */
export function unanswered(error: unknown): Extract<AttemptResult, { kind: "retry" }> {
  const { name, code, message } = errorFacts(error);
  const refused = code !== undefined && NEVER_CONNECTED.has(code);
  const reason =
    name === "TimeoutError" || name === "AbortError" ? "no answer in time" : (code ?? message ?? "no answer");
  return { kind: "retry", reason, doubtful: !refused };
}

const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ConnectionRefused",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
