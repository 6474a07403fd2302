/** Twilio: sends texts, looks for those that may have been sent, reads answers, and asks whether texts were delivered. */

import type { Logger } from "pino";
import { z } from "zod";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";
import type { DeliveryReport, Sms, Store, UnconfirmedText } from "../store/store.ts";
import { type AttemptResult, logFailure, takeTurns, unanswered, waitAfter } from "./attempts.ts";

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the sid of a messaging service. */
  from: string;
  baseUrl: string;
}

/** Upper bound on an answer about one message. A real one has about 1 kB. */
const MESSAGE_BYTES = 16 * 1024;

function messagesUrl({ accountSid }: TwilioSettings, sid?: string): string {
  const one = sid === undefined ? "" : `/${encodeURIComponent(sid)}`;
  return `/2010-04-01/Accounts/${accountSid}/Messages${one}.json`;
}

function callTwilio(
  { accountSid, authToken, baseUrl }: TwilioSettings,
  path: string,
  init: RequestInit,
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    ...init,
    redirect: "manual",
    headers: { Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}` },
  });
}

/** The body as JSON; undefined when it is not JSON, or longer than `mostBytes`: a body may be endless. */
async function readJson(response: Response, mostBytes: number): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the download.
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface Attempt {
  doubtful: boolean;
  /** When the first attempt was made; epoch milliseconds. */
  since: number;
  /** Which of these Twilio messages belong to another job that is done. */
  settled: (sids: readonly string[]) => Promise<string[]>;
  signal: AbortSignal;
}

/** Twilio's largest page. */
const PAGE_SIZE = 1000;
/** How far Twilio's clock and ours may differ. */
const CLOCK_SLACK_MS = DAY_MS;
const ANSWER_BYTES = 4 * MESSAGE_BYTES;
const PAGE_BYTES = PAGE_SIZE * MESSAGE_BYTES;

/** Twilio's POST is not idempotent: after an attempt of unknown outcome the message is looked for before it is sent again. */
export async function sendSms(sms: Sms, settings: TwilioSettings, attempt: Attempt): Promise<AttemptResult> {
  if (attempt.doubtful) {
    const earlier = await findEarlierSend(sms, settings, attempt);
    if (earlier !== "absent") return earlier;
  }
  const body = new URLSearchParams({
    To: sms.to,
    Body: sms.text,
    ...(settings.from.startsWith("MG") ? { MessagingServiceSid: settings.from } : { From: settings.from }),
  });
  try {
    return await deliveryOf(
      await callTwilio(settings, messagesUrl(settings), { method: "POST", body, signal: attempt.signal }),
    );
  } catch (error) {
    return unanswered(error);
  }
}

/** Twilio's answer to a POST: the fields read of a success and of a refusal. */
const ANSWER = z.object({
  sid: z.string().min(1).optional(),
  code: z.number().optional(),
  message: z.string().optional(),
});
const PAGE = z.object({
  messages: z.array(
    z.object({
      sid: z.string().min(1),
      body: z.string().nullish(),
      status: z.string().nullish(),
      direction: z.string().nullish(),
      date_created: z.string().nullish(),
    }),
  ),
  next_page_uri: z.string().nullish(),
});

/** @throws Error whose message the owner is told */
async function readMessages(path: string, mostBytes: number, settings: TwilioSettings, signal: AbortSignal) {
  const response = await callTwilio(settings, path, { signal });
  const page = PAGE.safeParse(await readJson(response, mostBytes)).data;
  if (response.ok && page) return page;
  throw new Error(`Twilio answered ${response.status}${response.ok ? " without a list" : ""} to a look-up`);
}

/**
 * Looks for this message among those sent to the number since the first attempt, newest first. The whole text must match,
 * because reminder and confirmation carry the same code. A message that belongs to another job is no match. The date
 * is `date_created`, because a queued message has no `date_sent`.
 */
async function findEarlierSend(
  { to, text }: Sms,
  settings: TwilioSettings,
  attempt: Attempt,
): Promise<AttemptResult | "absent"> {
  const since = attempt.since - CLOCK_SLACK_MS;
  const query = new URLSearchParams({ To: to, PageSize: String(PAGE_SIZE) });
  let path: string | null | undefined = `${messagesUrl(settings)}?${query}`;
  // The look-up failed, so it is still unknown whether an earlier attempt arrived.
  const unknown = (reason: string): AttemptResult => ({ kind: "retry", reason, doubtful: true });
  try {
    while (path?.startsWith("/")) {
      const page = await readMessages(path, PAGE_BYTES, settings, attempt.signal);
      const isOld = ({ date_created }: { date_created?: string | null | undefined }) =>
        Date.parse(date_created ?? "") < since;
      const candidates = page.messages
        // Compared by its end, because a trial account of Twilio puts words in front of the text.
        .filter((message) => message.body?.endsWith(text) && !isOld(message) && !UNSENT.has(message.status ?? ""))
        .map(({ sid }) => sid);
      const settled = new Set(await attempt.settled(candidates));
      const messageSid = candidates.find((sid) => !settled.has(sid));
      if (messageSid) return { kind: "done", messageSid };
      path = page.messages.some(isOld) ? null : page.next_page_uri;
    }
    return "absent";
  } catch (error) {
    return unknown(unanswered(error).reason);
  }
}
const UNSENT = new Set(["failed", "undelivered", "canceled"]);

async function deliveryOf(response: Response): Promise<AttemptResult> {
  const { ok, status } = response;
  const { sid, code, message } = ANSWER.safeParse(await readJson(response, ANSWER_BYTES)).data ?? {};
  // An answer without a sid may not be from Twilio but, for example, from the log-in page of a network.
  if (ok)
    return sid
      ? { kind: "done", messageSid: sid }
      : { kind: "retry", reason: `Twilio answered ${status} without the sid of a message`, doubtful: true };
  const reason = `Twilio answered ${status}${code ? ` (${errorMeaning(code, message)})` : ""}`;
  if (status === 429) return { kind: "retry", reason, ...waitAfter(response) };
  if (status >= 500 || status === 408) return { kind: "retry", reason, doubtful: true };
  return code && PERMANENT.has(status)
    ? { kind: "failed", reason, isOptOut: isOptOut(code) }
    : { kind: "retry", reason };
}

/** Statuses that refuse the message for good, when a Twilio code comes with them. The owner can repair wrong credentials. */
const PERMANENT = new Set([400, 410, 413, 422]);

const INBOX_SIZE = 20;
/** Twilio's words for both, in any letter case. */
const STARTS = ["START", "YES", "UNSTOP"];
const STOPS = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "OPTOUT", "REVOKE"];

/** Whether START came after STOP, `since` which is the latest moment of that. Throws when Twilio gives no answer. */
export async function hasWrittenStart(
  phone: string,
  since: number,
  settings: TwilioSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const query = new URLSearchParams({ From: phone, PageSize: String(INBOX_SIZE) });
  const path = `${messagesUrl(settings)}?${query}`;
  const { messages } = await readMessages(path, INBOX_SIZE * MESSAGE_BYTES, settings, signal);
  const last = messages
    .filter(({ direction, date_created }) => direction === "inbound" && Date.parse(date_created ?? "") >= since)
    .map(({ body }) => body?.trim().toUpperCase() ?? "")
    .find((word) => STARTS.includes(word) || STOPS.includes(word));
  return last !== undefined && STARTS.includes(last);
}

/** Twilio's error codes in words an owner understands. Source: Twilio's error and warning dictionary. */
const MEANINGS: Record<number, string> = {
  20003: "account SID or auth token is wrong",
  21211: "the number to send to is not a phone number",
  21212: "the number to send from is not a phone number",
  21408: "sending to that country is switched off in the Twilio account",
  21606: "the number to send from cannot send messages",
  21608: "a trial account sends only to verified numbers",
  21610: "the receiver has replied STOP",
  21612: "this pair of numbers cannot exchange messages",
  21614: "the number to send to is not a mobile number",
  21617: "the message is too long",
  30001: "too many messages waited at Twilio",
  30002: "the Twilio account is suspended",
  30003: "the phone is switched off, out of reach, or cannot get texts",
  30004: "the carrier blocks texts from this sender to that phone",
  30005: "nobody has this number",
  30006: "a landline, or a carrier that cannot be reached",
  30007: "the carrier filtered it as unwanted",
  30008: "the carrier did not say why",
  30022: "the carrier's limit for this sender is used up",
  30023: "the carrier's daily limit for this sender is used up",
  30024: "the sender is not registered with that carrier",
  30032: "the toll-free number to send from is not verified yet",
  30033: "the registration of the sender was suspended",
  30034: "the number to send from is not registered with the carriers (A2P 10DLC)",
  30035: "the registration of the sender is not finished yet",
};

/** The receiver has replied STOP. A carrier's filter (30004, 30007) is a verdict on the sender. */
const STOP = 21610;

/** Whether a code of Twilio means that the receiver wants no more texts. */
function isOptOut(code: number | null | undefined): boolean {
  return code === STOP;
}

const REASON_LENGTH = 200;

/** `21610: the receiver has replied STOP`. @param message in Twilio's words, for a code that is not known here */
function errorMeaning(code: number, message?: string | null): string {
  // Reasons are logged, and Twilio's message repeats the phone number.
  const words = message?.replace(/\+?\d{5,}/g, "(number)").slice(0, REASON_LENGTH);
  return `${code}: ${MEANINGS[code] ?? words ?? "see its list of errors"}`;
}

// Whether the texts that Twilio took were delivered.

const TURN_MS = 1_000;
const ATTEMPT_MS = 15_000;
const AT_ONCE = 10;

interface DeliveryPollingDeps {
  store: Pick<Store, "claimUnconfirmedTexts" | "settleDeliveryReports">;
  twilio: TwilioSettings;
  isMailOn: boolean;
  log: Logger;
  /** For tests, which move it. When left out, the store's own clock. */
  now?: () => number;
  /** Time between turns; shorter in tests. */
  turnMs?: number;
}

/** When the process dies during a question, the claim of that text expires and another process asks again. */
export function startDeliveryPolling({ store, twilio, isMailOn, log, now, turnMs = TURN_MS }: DeliveryPollingDeps) {
  const poll = async (stopping: AbortSignal) => {
    const at = now?.();
    const texts = await store.claimUnconfirmedTexts({
      lastsMs: 2 * ATTEMPT_MS,
      limit: AT_ONCE,
      ...(at !== undefined && { now: at }),
    });
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), stopping]);
    const reports = await Promise.all(
      texts.map((text) => fetchDeliveryReport(text, twilio, signal).catch(() => pollAgain(text))),
    );
    if (reports.length === 0) return;
    const isNew = await store.settleDeliveryReports(reports, isMailOn, at);
    for (const [i, report] of reports.entries()) if (isNew[i]) logReport(report, texts[i], log);
  };
  const failed = (err: unknown) =>
    logFailure(log, "the state of texts could not be asked for", { err }, now?.() ?? performance.now());
  return takeTurns((stopping) => poll(stopping).catch(failed), turnMs);
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
      const reason = code ? `it did not arrive (${errorMeaning(code, answer.error_message)})` : `it did not arrive`;
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
