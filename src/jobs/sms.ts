/** Text messages through Twilio's Messages API, with a plain `fetch`. */
import { z } from "zod";
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
  /** When the first one was made; epoch milliseconds. */
  since: number;
  /** Those of these messages of Twilio's that jobs are done with already. */
  settled: (sids: readonly string[]) => Promise<string[]>;
  signal: AbortSignal;
}

/** The most that Twilio lists on one page. */
const PAGE_SIZE = 1000;
/** What a busy Twilio asks for beyond this is not waited. */
const LONGEST_WAIT_S = 3600;
/** How far Twilio's clock may be behind ours. */
const CLOCK_SLACK_MS = 3_600_000;
/** An answer about one message is about 1 kB; at most 1,600 characters of it are the text. */
const MESSAGE_BYTES = 16 * 1024;
const ANSWER_BYTES = 4 * MESSAGE_BYTES;
const PAGE_BYTES = PAGE_SIZE * MESSAGE_BYTES;
const REASON_LENGTH = 200;

/**
 * Sends a message, at most once as far as can be told: Twilio's POST is not idempotent, so after an attempt of unknown
 * outcome the message is first looked for.
 */
export async function sendSms(sms: Sms, settings: TwilioSettings, attempt: Attempt): Promise<Outcome> {
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
    return await outcomeOf(
      await call(settings, messagesOf(settings), { method: "POST", body, signal: attempt.signal }),
    );
  } catch (error) {
    return unanswered(error);
  }
}

/** Twilio's answer to a POST, or its refusal; other fields are not looked at. */
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
      date_created: z.string().nullish(),
    }),
  ),
  next_page_uri: z.string().nullish(),
});

/**
 * Looks through what was sent to this number since the first attempt, the newest first. By the whole text, for a reminder
 * bears the same code as the confirmation before it; and when both say the same, not one that another job is done with.
 * Not by `DateSent`, which a queued message does not have.
 */
async function findEarlierSend(
  { to, text }: Sms,
  settings: TwilioSettings,
  attempt: Attempt,
): Promise<Outcome | "absent"> {
  const since = attempt.since - CLOCK_SLACK_MS;
  const query = new URLSearchParams({ To: to, PageSize: String(PAGE_SIZE) });
  let path: string | null | undefined = `${messagesOf(settings)}?${query}`;
  // Nothing was sent by looking, but whether an earlier attempt arrived is still not known.
  const unknown = (reason: string): Outcome => ({ kind: "retry", reason, doubtful: true });
  try {
    while (path?.startsWith("/")) {
      const response = await call(settings, path, { signal: attempt.signal });
      const page = PAGE.safeParse(await readJson(response, PAGE_BYTES)).data;
      if (!response.ok || !page)
        return unknown(`Twilio answered ${response.status}${response.ok ? " without a list" : ""} to a look-up`);
      const isOld = ({ date_created }: { date_created?: string | null | undefined }) =>
        Date.parse(date_created ?? "") < since;
      const candidates = page.messages
        // A trial account puts words of its own in front.
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

async function outcomeOf(response: Response): Promise<Outcome> {
  const { ok, status } = response;
  const { sid, code, message } = ANSWER.safeParse(await readJson(response, ANSWER_BYTES)).data ?? {};
  // Without the message's own number it may be anybody's answer, such as the log-in page of a network.
  if (ok)
    return sid
      ? { kind: "done", messageSid: sid }
      : { kind: "retry", reason: `Twilio answered ${status} without the sid of a message`, doubtful: true };
  // Twilio repeats the number in its words, and reasons are logged.
  const words = message?.replace(/\+?\d{5,}/g, "(number)").slice(0, REASON_LENGTH);
  const meaning = code && (MEANINGS[code] ?? words ?? "see its list of errors");
  const reason = `Twilio answered ${status}${meaning ? ` (${code}: ${meaning})` : ""}`;
  if (status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    return { kind: "retry", reason, ...(seconds > 0 && { afterSeconds: Math.min(seconds, LONGEST_WAIT_S) }) };
  }
  if (status >= 500 || status === 408) return { kind: "retry", reason, doubtful: true };
  return code && PERMANENT.has(status) ? { kind: "failed", reason } : { kind: "retry", reason };
}

/** The body as JSON; undefined when it is none, or longer than so many bytes: it may be endless. */
async function readJson(response: Response, mostBytes: number): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the body.
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Twilio refuses the message itself, and says so with a code of its own; wrong credentials or a wrong address are the owner's to mend, and then it can go. */
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
