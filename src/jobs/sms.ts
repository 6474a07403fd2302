/** Text messages through Twilio's Messages API. */
import { z } from "zod";
import { DAY_MS } from "../lib/durations.ts";
import type { Sms } from "../store/store.ts";
import { type AttemptResult, unanswered } from "./attempt-result.ts";
import { callTwilio, MESSAGE_BYTES, messagesUrl, readJson, type TwilioSettings } from "./twilio.ts";
import { isOptOut, meaningOf } from "./twilio-errors.ts";

/** Earlier attempts at the same message. */
export interface Attempt {
  /** An earlier attempt may have arrived. */
  doubtful: boolean;
  /** When the first attempt was made; epoch milliseconds. */
  since: number;
  /** Which of these Twilio messages belong to another job that is done. */
  settled: (sids: readonly string[]) => Promise<string[]>;
  signal: AbortSignal;
}

/** Twilio's largest page. */
const PAGE_SIZE = 1000;
/** Upper bound on Retry-After. */
const LONGEST_WAIT_S = 3600;
/** How far Twilio's clock and ours may differ. */
const CLOCK_SLACK_MS = DAY_MS;
const ANSWER_BYTES = 4 * MESSAGE_BYTES;
const PAGE_BYTES = PAGE_SIZE * MESSAGE_BYTES;

/**
 * Sends a message. Twilio's POST is not idempotent, so after an attempt of unknown outcome the message is first looked
 * for, and sent again only when it is not there.
 */
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
      date_created: z.string().nullish(),
    }),
  ),
  next_page_uri: z.string().nullish(),
});

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
      const response = await callTwilio(settings, path, { signal: attempt.signal });
      const page = PAGE.safeParse(await readJson(response, PAGE_BYTES)).data;
      if (!response.ok || !page)
        return unknown(`Twilio answered ${response.status}${response.ok ? " without a list" : ""} to a look-up`);
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
  const reason = `Twilio answered ${status}${code ? ` (${meaningOf(code, message)})` : ""}`;
  if (status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    return { kind: "retry", reason, ...(seconds > 0 && { afterSeconds: Math.min(seconds, LONGEST_WAIT_S) }) };
  }
  if (status >= 500 || status === 408) return { kind: "retry", reason, doubtful: true };
  return code && PERMANENT.has(status)
    ? { kind: "failed", reason, isOptOut: isOptOut(code) }
    : { kind: "retry", reason };
}

/** Statuses that refuse the message for good, when a Twilio code comes with them. The owner can repair wrong credentials. */
const PERMANENT = new Set([400, 410, 413, 422]);
