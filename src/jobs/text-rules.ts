/** The limits of texts from the catalog, and the texts that they hold back. */
import type { Catalog } from "../catalog/schema.ts";
import { CUSTOMER_TEXTS } from "../constants.ts";
import { addDays, nextOpenMoment, shopDate, startOfDay } from "../domain/schedule.ts";
import { DAY_MS } from "../lib/durations.ts";
import { counted } from "../lib/text.ts";
import { TEXT_LIMITS } from "../store/queries/text-limits.ts";
import type { Store, TextRules } from "../store/store.ts";
import { shopNumber } from "./message-texts.ts";

/** @param now epoch milliseconds */
export function textRules(catalog: Catalog, now: number): TextRules {
  const { messages } = catalog;
  const today = shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(now));
  return {
    perHour: messages.sms_per_hour,
    perDay: messages.sms_per_day,
    dayStart: startOfDay(catalog, today),
    // Wait for the next opening, because nobody wants a text at midnight.
    nextDay: nextOpenMoment(catalog, startOfDay(catalog, addDays(today, 1))),
    digestAbove: messages.digest_above_per_hour,
    reviewPauseMs: (messages.review_sms?.once_in_days ?? 0) * DAY_MS,
    shop: { number: shopNumber(catalog), timezone: catalog.business.timezone },
  };
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
  return `${counted(count, "text to customers waits", "texts to customers wait")}: ${reason}`;
}
