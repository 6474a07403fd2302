/** How an attempt at a job ended. */
export type Outcome =
  /** `messageSid`: by which Twilio knows the message. */
  | { kind: "done"; messageSid?: string }
  /** `doubtful`: the other side may have taken it all the same, so look before sending again. */
  | { kind: "retry"; reason: string; doubtful?: boolean; afterSeconds?: number }
  /** It will never work. */
  | { kind: "failed"; reason: string };

/** The attempt as an outcome where nothing answered: only a refused connection is sure to have done nothing. */
export function unanswered(error: unknown): Extract<Outcome, { kind: "retry" }> {
  const { name, code, message } = Object(error) as { name?: string; code?: string; message?: string };
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
