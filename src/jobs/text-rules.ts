/** The limits of texts from the catalog, with the words that tell the shop what waits. */
import type { Catalog } from "../catalog/schema.ts";
import { nextOpenMoment, shopDate, shopTime, startOfDay } from "../domain/schedule.ts";
import type { Store, TextRules } from "../store/store.ts";
import { TEXT_LIMITS } from "../store/text-limits.ts";
import { CUSTOMER_TEXTS } from "../vocabulary.ts";
import { shopNumber } from "./messages.ts";

/** @param now epoch milliseconds */
export function textRules(catalog: Catalog, now: number): TextRules {
  const { messages } = catalog;
  const today = shopTime(catalog, Temporal.Instant.fromEpochMilliseconds(now)).toPlainDate();
  const to = shopNumber(catalog);
  return {
    perHour: messages.sms_per_hour,
    perDay: messages.sms_per_day,
    dayStart: startOfDay(catalog, today.toString()),
    // Wait for the next opening, because nobody wants a text at midnight.
    nextDay: nextOpenMoment(catalog, startOfDay(catalog, today.add({ days: 1 }).toString())),
    digestAbove: messages.digest_above_per_hour,
    digest: (leads, since) => ({
      to,
      text: `${leads} new ${leads === 1 ? "request" : "requests"} since ${moment(catalog, since, now)}: tint leads`,
    }),
    warning: (reason) => ({
      to,
      text: `Texts to customers wait since ${moment(catalog, now, now)}: ${reason}. See tint outbox`,
    }),
  };
}

/** `2:10 PM`, with the date unless it is today. */
function moment(catalog: Catalog, at: number, now: number): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(at);
  const clock = shopTime(catalog, instant);
  // A plain space: a text message lacks the narrow one that toLocaleString writes.
  const time = clock.toPlainTime().toLocaleString("en-US", { hour: "numeric", minute: "2-digit" }).replace(/\s/g, " ");
  if (shopDate(catalog, instant) === shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(now))) return time;
  const date = clock.toPlainDate().toLocaleString("en-US", { weekday: "short", month: "short", day: "numeric" });
  return `${date}, ${time}`;
}

/** The most waiting texts that are read. */
const LOOKED_THROUGH = 1_000;

export interface HeldTexts {
  count: number;
  reason: string;
}

/** Customer texts that wait because a limit is reached; undefined when none does. */
export async function heldTexts(store: Pick<Store, "waitingJobs">): Promise<HeldTexts | undefined> {
  const waiting = await store.waitingJobs(LOOKED_THROUGH, { kinds: CUSTOMER_TEXTS });
  const held = waiting.flatMap(({ lastError }) => (lastError && TEXT_LIMITS.includes(lastError) ? [lastError] : []));
  return held[0] === undefined ? undefined : { count: held.length, reason: held[0] };
}

export function heldInWords({ count, reason }: HeldTexts): string {
  return `${count} ${count === 1 ? "text" : "texts"} to customers ${count === 1 ? "waits" : "wait"}: ${reason}`;
}
