/** The texts that tell the shop what a limit of texts holds back. */
import { counted } from "../../lib/text.ts";
import type { Sms, TextRules } from "../store.ts";

/** One text about many leads. @param since when the first of them was made */
export function digestText(leads: number, since: number, now: number, { shop }: TextRules): Sms {
  return {
    to: shop.number,
    text: `${counted(leads, "new request")} since ${moment(since, now, shop.timezone)}: tint leads`,
  };
}

export function warningText(reason: string, now: number, { shop }: TextRules): Sms {
  const text = `Texts to customers wait since ${moment(now, now, shop.timezone)}: ${reason}. See tint outbox`;
  return { to: shop.number, text };
}

/** `2:10 PM`, with the date unless it is today. */
function moment(at: number, now: number, timezone: string): string {
  const inShop = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
  const clock = inShop(at);
  // A plain space: a text message lacks the narrow one that toLocaleString writes.
  const time = clock.toPlainTime().toLocaleString("en-US", { hour: "numeric", minute: "2-digit" }).replace(/\s/g, " ");
  const day = clock.toPlainDate();
  if (day.equals(inShop(now).toPlainDate())) return time;
  return `${day.toLocaleString("en-US", { weekday: "short", month: "short", day: "numeric" })}, ${time}`;
}
