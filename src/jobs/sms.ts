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
  to: string;
  text: string;
  /** Stands in the text and is in no other message, so that a doubtful send can be looked up. */
  code: string;
}

/** How many of the latest messages to a number are looked through. */
const LOOKED_THROUGH = 200;

/**
 * Sends a message, at most once as far as can be told: Twilio's POST is not idempotent, so after an attempt of unknown
 * outcome the message is first looked for by its code.
 */
export async function sendSms(
  sms: Sms,
  doubtful: boolean,
  settings: TwilioSettings,
  signal: AbortSignal,
): Promise<Outcome> {
  if (doubtful) {
    const earlier = await find(sms, settings, signal);
    if (earlier !== "absent") return earlier;
  }
  const body = new URLSearchParams({
    To: sms.to,
    Body: sms.text,
    ...(settings.from.startsWith("MG") ? { MessagingServiceSid: settings.from } : { From: settings.from }),
  });
  let response: Response;
  try {
    response = await call(settings, { method: "POST", body, signal });
  } catch (error) {
    return unanswered(error);
  }
  return judge(response);
}

async function find({ to, code }: Sms, settings: TwilioSettings, signal: AbortSignal): Promise<Outcome | "absent"> {
  try {
    const response = await call(
      settings,
      { signal },
      `?${new URLSearchParams({ To: to, PageSize: String(LOOKED_THROUGH) })}`,
    );
    if (!response.ok)
      return { kind: "retry", reason: `Twilio answered ${response.status} to a look-up`, doubtful: true };
    const { messages } = (await response.json()) as { messages?: { body?: string; status?: string }[] };
    const found = messages?.some(
      ({ body, status }) => body?.includes(code) && status !== "failed" && status !== "undelivered",
    );
    return found ? { kind: "done" } : "absent";
  } catch (error) {
    // Nothing was sent by looking, but whether the first attempt arrived is still not known.
    return { ...unanswered(error), doubtful: true } as Outcome;
  }
}

function call({ accountSid, authToken, baseUrl }: TwilioSettings, init: RequestInit, query = ""): Promise<Response> {
  return fetch(`${baseUrl}/2010-04-01/Accounts/${accountSid}/Messages.json${query}`, {
    ...init,
    redirect: "manual",
    headers: { Authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}` },
  });
}

async function judge(response: Response): Promise<Outcome> {
  if (response.ok) return { kind: "done" };
  const { code, message } = (await response.json().catch(() => ({}))) as { code?: number; message?: string };
  const reason = `Twilio answered ${response.status}${code ? ` (${code}: ${MEANINGS[code] ?? message ?? "see its list of errors"})` : ""}`;
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    return { kind: "retry", reason, ...(seconds > 0 && { afterSeconds: seconds }) };
  }
  if (response.status >= 500) return { kind: "retry", reason, doubtful: true };
  // Wrong credentials are the owner's to mend; the message is as good as before once they are.
  if (response.status === 401 || response.status === 403) return { kind: "retry", reason };
  return { kind: "failed", reason };
}

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
