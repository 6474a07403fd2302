/** What Twilio says of a text that it took, and of a customer who had written STOP. */
import { z } from "zod";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";
import type { ArrivalNews, AskedText } from "../store/store.ts";
import { callTwilio, MESSAGE_BYTES, messagesOf, readJson, type TwilioSettings } from "./twilio.ts";
import { isStop, meaningOf } from "./twilio-errors.ts";

const SHORTEST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = HOUR_MS;
/** A state that is not final by then is asked for no more (contract 22). */
const GIVE_UP_MS = DAY_MS;

const STATE = z.object({
  status: z.string(),
  error_code: z.number().nullish(),
  error_message: z.string().nullish(),
});

/** Asks for the state of one text. @throws when Twilio cannot be reached in time */
export async function askState(text: AskedText, settings: TwilioSettings, signal: AbortSignal): Promise<ArrivalNews> {
  const { id, messageSid } = text;
  const response = await callTwilio(settings, messagesOf(settings, messageSid), { signal });
  const state = STATE.safeParse(await readJson(response, MESSAGE_BYTES)).data;
  // The owner may have deleted the message at Twilio.
  if (response.status === 404) return { id, messageSid, kind: "unknown" };
  if (!response.ok || !state) return askAgain(text);
  switch (state.status) {
    case "delivered":
    case "read":
      return { id, messageSid, kind: "delivered" };
    case "undelivered":
    case "failed":
    case "canceled": {
      const code = state.error_code;
      const reason = code ? `it did not arrive (${meaningOf(code, state.error_message)})` : `it did not arrive`;
      return { id, messageSid, kind: "undelivered", reason, isStop: isStop(code) };
    }
    default:
      return askAgain(text);
  }
}

/** The longer a text is under way, the less often it is asked for; nothing after a day. */
export function askAgain({ id, messageSid, waitedMs }: AskedText): ArrivalNews {
  if (waitedMs >= GIVE_UP_MS) return { id, messageSid, kind: "unknown" };
  const pauseMs = Math.min(Math.max(waitedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS, GIVE_UP_MS - waitedMs);
  return { id, messageSid, kind: "open", pauseMs };
}

const INBOX = z.object({
  messages: z.array(
    z.object({
      body: z.string().nullish(),
      direction: z.string().nullish(),
      date_created: z.string().nullish(),
    }),
  ),
});
const INBOX_SIZE = 20;
/** Twilio's words for both, in any letter case. */
const STARTS = ["START", "YES", "UNSTOP"];
const STOPS = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "OPTOUT", "REVOKE"];

/**
 * Whether a customer wrote START after they had written STOP: the last of their messages that says either.
 * @param phone E.164
 * @param since when they wrote STOP at the latest, epoch milliseconds
 * @throws when Twilio cannot be reached in time, or answers something else
 */
export async function hasWrittenStart(
  phone: string,
  since: number,
  settings: TwilioSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const query = new URLSearchParams({ From: phone, PageSize: String(INBOX_SIZE) });
  const response = await callTwilio(settings, `${messagesOf(settings)}?${query}`, { signal });
  const { messages } = INBOX.parse(await readJson(response, INBOX_SIZE * MESSAGE_BYTES));
  const last = messages
    .filter(({ direction, date_created }) => direction === "inbound" && Date.parse(date_created ?? "") >= since)
    .map(({ body }) => body?.trim().toUpperCase() ?? "")
    .find((word) => STARTS.includes(word) || STOPS.includes(word));
  return last !== undefined && STARTS.includes(last);
}
