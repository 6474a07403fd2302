/** Text messages through Twilio's Messages API, with a plain `fetch`. */
import { type Outcome, unanswered } from "./outcome.ts";

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the sid of a messaging service. */
  from: string;
  baseUrl: string;
}

export interface Sms {
  /** E.164. */
  to: string;
  /** Holds the code of its booking or quote request, and so is like no other message to this number. */
  text: string;
}

/** How an attempt at a message stands to the earlier ones. */
export interface Attempt {
  /** An earlier one may have arrived. */
  doubtful: boolean;
  /** No earlier one was made before this; epoch milliseconds. */
  since: number;
  signal: AbortSignal;
}

/** The most that Twilio lists on one page. */
const PAGE_SIZE = "1000";
/** What a busy Twilio asks for beyond this is not waited. */
const LONGEST_WAIT_S = 3600;
/** How far Twilio's clock may be behind ours. */
const CLOCK_SLACK_MS = 3_600_000;

/**
 * Sends a message, at most once as far as can be told: Twilio's POST is not idempotent, so after an attempt of unknown
 * outcome the message is first looked for.
 */
export async function sendSms(sms: Sms, settings: TwilioSettings, attempt: Attempt): Promise<Outcome> {
  if (attempt.doubtful) {
    const earlier = await find(sms, settings, attempt);
    if (earlier !== "absent") return earlier;
  }
  const body = new URLSearchParams({
    To: sms.to,
    Body: sms.text,
    ...(settings.from.startsWith("MG") ? { MessagingServiceSid: settings.from } : { From: settings.from }),
  });
  try {
    return await judge(await call(settings, messagesOf(settings), { method: "POST", body, signal: attempt.signal }));
  } catch (error) {
    return unanswered(error);
  }
}

interface Listed {
  messages?: { body?: string; status?: string; date_created?: string }[];
  next_page_uri?: string | null;
}

/**
 * Looks through what was sent to this number since the job was made, the newest first. By the whole text, code and all:
 * a reminder bears the same code as the confirmation before it. Not by `DateSent`, which a queued message does not have.
 */
async function find({ to, text }: Sms, settings: TwilioSettings, attempt: Attempt): Promise<Outcome | "absent"> {
  const since = attempt.since - CLOCK_SLACK_MS;
  let page: string | null | undefined =
    `${messagesOf(settings)}?${new URLSearchParams({ To: to, PageSize: PAGE_SIZE })}`;
  try {
    while (page?.startsWith("/")) {
      const response = await call(settings, page, { signal: attempt.signal });
      if (!response.ok)
        return { kind: "retry", reason: `Twilio answered ${response.status} to a look-up`, doubtful: true };
      const { messages = [], next_page_uri } = (await response.json()) as Listed;
      const isOld = ({ date_created = "" }) => Date.parse(date_created) < since;
      // A trial account puts words of its own in front.
      const found = messages.some(
        (message) => message.body?.includes(text) && !isOld(message) && !UNSENT.has(message.status ?? ""),
      );
      if (found) return { kind: "done" };
      page = messages.some(isOld) ? null : next_page_uri;
    }
    return "absent";
  } catch (error) {
    // Nothing was sent by looking, but whether the first attempt arrived is still not known.
    return { kind: "retry", reason: unanswered(error).reason, doubtful: true };
  }
}
const UNSENT = new Set(["failed", "undelivered", "canceled"]);

function messagesOf({ accountSid }: TwilioSettings): string {
  return `/2010-04-01/Accounts/${accountSid}/Messages.json`;
}

function call({ accountSid, authToken, baseUrl }: TwilioSettings, path: string, init: RequestInit): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    ...init,
    redirect: "manual",
    headers: { Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}` },
  });
}

async function judge(response: Response): Promise<Outcome> {
  const { ok, status } = response;
  const { code, message } = (await response.json().catch(() => ({}))) as { code?: number; message?: string };
  if (ok) return { kind: "done" };
  // Twilio repeats the number in its words, and reasons are logged.
  const meaning = code && (MEANINGS[code] ?? message?.replace(/\+?\d{5,}/g, "(number)") ?? "see its list of errors");
  const reason = `Twilio answered ${status}${meaning ? ` (${code}: ${meaning})` : ""}`;
  if (status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    return { kind: "retry", reason, ...(seconds > 0 && { afterSeconds: Math.min(seconds, LONGEST_WAIT_S) }) };
  }
  if (status >= 500 || status === 408) return { kind: "retry", reason, doubtful: true };
  return PERMANENT.has(status) ? { kind: "failed", reason } : { kind: "retry", reason };
}

/** Twilio refuses the message itself; wrong credentials or a wrong address are the owner's to mend, and then it can go. */
const PERMANENT = new Set([400, 410, 413, 422]);

/** Twilio's permanent errors in words an owner understands. */
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
};
