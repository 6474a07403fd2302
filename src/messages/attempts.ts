/** Attempts at messages: what comes of one, the turns in which they are made, and the log of turns that fail. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { MINUTE_MS } from "../lib/durations.ts";
import { errorFacts } from "../lib/files.ts";
import type { JobContent as Copy } from "../store/store.ts";

export type AttemptResult =
  | { kind: "done"; messageSid?: string }
  /** News for the owner is sent as these copies. */
  | { kind: "spread"; copies: Copy[] }
  /** `doubtful`: the message may have been taken, so look before sending again. `isOff`: not tried, for lack of settings. */
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

/** Upper bound on Retry-After. */
const LONGEST_WAIT_S = 3600;

/** How long somebody asks to be left alone, as a number of seconds or the date of the end. */
export function waitAfter({ headers }: Response): { afterSeconds?: number } {
  const asked = headers.get("retry-after") ?? "";
  const seconds = /^\d*$/.test(asked) ? Number(asked) : (Date.parse(asked) - Date.now()) / 1000;
  return seconds > 0 ? { afterSeconds: Math.min(seconds, LONGEST_WAIT_S) } : {};
}

/** The first turn at once; its signal ends it. `stop` resolves once the running turn has ended. */
export function takeTurns(turn: (signal: AbortSignal) => Promise<unknown>, pauseMs: number) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted) {
      await turn(signal);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    stop(): Promise<void> {
      stopping.abort();
      return ended;
    },
  };
}

interface Line {
  at: number;
  unsaid: number;
}

const lines = new WeakMap<Logger, Map<string, Line>>();

/** The first failure at once, then at most one line a minute for each message, with their number. */
export function logFailure(log: Logger, message: string, facts: object, now: number): void {
  const said = lines.get(log) ?? new Map<string, Line>();
  lines.set(log, said);
  const last = said.get(message);
  const times = (last?.unsaid ?? 0) + 1;
  // Either way, because a clock may go back.
  if (last && Math.abs(now - last.at) < MINUTE_MS) last.unsaid = times;
  else {
    log.error({ ...facts, ...(times > 1 && { times }) }, message);
    said.set(message, { at: now, unsaid: 0 });
  }
}
