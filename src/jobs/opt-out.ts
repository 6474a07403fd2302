/** Whether a customer who replied STOP has opted in again. */
import { z } from "zod";
import { callTwilio, MESSAGE_BYTES, messagesUrl, readJson, type TwilioSettings } from "./twilio.ts";

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
  const response = await callTwilio(settings, `${messagesUrl(settings)}?${query}`, { signal });
  const { messages } = INBOX.parse(await readJson(response, INBOX_SIZE * MESSAGE_BYTES));
  const last = messages
    .filter(({ direction, date_created }) => direction === "inbound" && Date.parse(date_created ?? "") >= since)
    .map(({ body }) => body?.trim().toUpperCase() ?? "")
    .find((word) => STARTS.includes(word) || STOPS.includes(word));
  return last !== undefined && STARTS.includes(last);
}
