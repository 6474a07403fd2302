/** Asks Twilio whether the texts that it took were delivered, while the server runs. No address of this server need be public. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { z } from "zod";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";
import type { DeliveryReport, Store, UnconfirmedText } from "../store/store.ts";
import {
  callTwilio,
  isOptOut,
  MESSAGE_BYTES,
  meaningOf,
  messagesUrl,
  readJson,
  type TwilioSettings,
} from "./twilio.ts";
import { logFailure } from "./worker.ts";

const TURN_MS = 1_000;
const ATTEMPT_MS = 15_000;
const AT_ONCE = 10;

export interface DeliveryPollingDeps {
  store: Pick<Store, "claimUnconfirmedTexts" | "settleDeliveryReports">;
  twilio: TwilioSettings;
  /** Whether e-mails can go out. */
  isMailOn: boolean;
  log: Logger;
  /** For tests, which move it. When left out, the store's own clock. */
  now?: () => number;
  /** Time between turns; shorter in tests. */
  turnMs?: number;
}

/** When the process dies during a question, the claim of that text expires and another process asks again. */
export function startDeliveryPolling({ store, twilio, isMailOn, log, now, turnMs = TURN_MS }: DeliveryPollingDeps) {
  const stopping = new AbortController();

  const turn = async () => {
    const at = now?.();
    const texts = await store.claimUnconfirmedTexts({
      lastsMs: 2 * ATTEMPT_MS,
      limit: AT_ONCE,
      ...(at !== undefined && { now: at }),
    });
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), stopping.signal]);
    const reports = await Promise.all(
      texts.map((text) => fetchDeliveryReport(text, twilio, signal).catch(() => pollAgain(text))),
    );
    if (reports.length === 0) return;
    const isNew = await store.settleDeliveryReports(reports, isMailOn, at);
    for (const [i, report] of reports.entries()) if (isNew[i]) logReport(report, texts[i], log);
  };

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await turn().catch((err: unknown) =>
        logFailure(log, "the state of texts could not be asked for", { err }, now?.() ?? performance.now()),
      );
      await sleep(turnMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    /** Ends the questions under way. */
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

function logReport(report: DeliveryReport, text: UnconfirmedText | undefined, log: Logger): void {
  const about = { job: report.id, kind: text?.kind };
  if (report.kind === "delivered") log.info(about, "text delivered");
  if (report.kind === "undelivered")
    log.error({ ...about, reason: report.reason }, "text not delivered; see tint outbox");
  if (report.kind === "unknown") log.warn(about, "whether a text arrived is not known; it is asked for no more");
}

const SHORTEST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = HOUR_MS;
/** Twilio is not asked any more about a text without a final status by then (contract 22). */
const GIVE_UP_MS = DAY_MS;

const STATUS = z.object({
  status: z.string(),
  error_code: z.number().nullish(),
  error_message: z.string().nullish(),
});

/** Asks for the status of one text. @throws when Twilio cannot be reached in time */
export async function fetchDeliveryReport(
  text: UnconfirmedText,
  settings: TwilioSettings,
  signal: AbortSignal,
): Promise<DeliveryReport> {
  const { id, messageSid } = text;
  const response = await callTwilio(settings, messagesUrl(settings, messageSid), { signal });
  const answer = STATUS.safeParse(await readJson(response, MESSAGE_BYTES)).data;
  // The owner may have deleted the message at Twilio.
  if (response.status === 404) return { id, messageSid, kind: "unknown" };
  if (!response.ok || !answer) return pollAgain(text);
  switch (answer.status) {
    case "delivered":
    case "read":
      return { id, messageSid, kind: "delivered" };
    case "undelivered":
    case "failed":
    case "canceled": {
      const code = answer.error_code;
      const reason = code ? `it did not arrive (${meaningOf(code, answer.error_message)})` : `it did not arrive`;
      return { id, messageSid, kind: "undelivered", reason, isOptOut: isOptOut(code) };
    }
    default:
      return pollAgain(text);
  }
}

/** The longer a text is under way, the longer the pause before the next question; no question after a day. */
function pollAgain({ id, messageSid, waitedMs }: UnconfirmedText): DeliveryReport {
  if (waitedMs >= GIVE_UP_MS) return { id, messageSid, kind: "unknown" };
  const pauseMs = Math.min(Math.max(waitedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS, GIVE_UP_MS - waitedMs);
  return { id, messageSid, kind: "open", pauseMs };
}
