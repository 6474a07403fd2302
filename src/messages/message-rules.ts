/** The limits of messages from the catalog, the messages that they hold back, and those that are overdue. */
import { fillTemplate } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import { type JobKind, MESSAGES } from "../constants.ts";
import { addDays, momentOf, nextOpenMoment, shopDate, startOfDay } from "../domain/schedule.ts";
import { DAY_MS, MINUTE_MS } from "../lib/durations.ts";
import { counted } from "../lib/text.ts";
import { MESSAGE_CHANNELS } from "../store/queries/message-limits.ts";
import type { MessageRules, Store, WaitingJob } from "../store/store.ts";
import { toGsm7 } from "./words.ts";

export function deliveryRules(catalog: Shop, now: number): MessageRules {
  const { messages } = catalog;
  const today = shopDate(catalog, now);
  return {
    texts: { ...inHours(messages.sms_per_hour), perDay: messages.sms_per_day, perContact: TEXTS_TO_ONE_NUMBER },
    mails: {
      ...inHours(messages.emails_per_hour),
      perDay: messages.emails_per_day,
      perContact: messages.emails_per_address_per_day,
    },
    dayStart: startOfDay(catalog, today),
    quiet: quietHours(catalog, now),
    // Wait for the next opening, because nobody wants a text at midnight.
    nextDay: nextOpenMoment(catalog, startOfDay(catalog, addDays(today, 1))),
    digestAbove: messages.digest_above_per_hour,
    digest: toGsm7(fillTemplate(messages.shop_digest_sms, { shop: catalog.business.name })),
    pushPauseMs: messages.settle_minutes * MINUTE_MS,
    reviewPauseMs: (messages.review_sms?.once_in_days ?? 0) * DAY_MS,
    late: {
      afterMs: messages.stuck_after_minutes * MINUTE_MS,
      onceInHours: catalog.alerts.late_messages_once_in_hours,
    },
    timezone: catalog.business.timezone,
  };
}

/** Null outside of them. */
function quietHours(catalog: Shop, now: number): MessageRules["quiet"] {
  const until = quietUntil(catalog, now);
  const exempt = catalog.messages.quiet_confirmation === "always" ? (["confirmation_sms"] as const) : [];
  return until === null ? null : { until, exempt };
}

/** On the word of anonymous callers, a number gets two texts a day: one caller all but one of them (contract 22). */
const TEXTS_TO_ONE_NUMBER = 2;

/** One caller can use at most a third of an hour's bound (contract 22). */
function inHours(perHour: number) {
  return { perHour, perCaller: Math.max(1, Math.floor(perHour / 3)) };
}

const LOOKED_THROUGH = 1_000;

export interface HeldMessages {
  what: "text" | "e-mail";
  count: number;
  reason: string;
}

/** Customer messages that wait because a limit is reached, by channel. */
export async function heldMessages(store: Pick<Store, "waitingJobs">): Promise<HeldMessages[]> {
  const { texts, mails } = MESSAGE_CHANNELS;
  const channels = [
    { what: "text", channel: texts },
    { what: "e-mail", channel: mails },
  ] as const;
  const held = channels.map(async ({ what, channel }) => {
    const reasons: readonly string[] = Object.values(channel.reasons);
    const waiting = await store.waitingJobs(LOOKED_THROUGH, { kinds: channel.kinds });
    const [reason, ...more] = waiting.flatMap(({ lastError }) =>
      lastError && reasons.includes(lastError) ? [lastError] : [],
    );
    return reason === undefined ? [] : [{ what, count: more.length + 1, reason }];
  });
  return (await Promise.all(held)).flat();
}

export function heldInWords({ what, count, reason }: HeldMessages): string {
  return `${counted(count, `${what} to customers waits`, `${what}s to customers wait`)}: ${reason}`;
}

/** When the quiet hours end in which a moment lies, the hours of night in which customers get no texts; null outside of them. */
export function quietUntil(catalog: Shop, at: number): number | null {
  const { quiet_from: from, quiet_until: until } = catalog.messages;
  const today = shopDate(catalog, at);
  // The night may have begun yesterday.
  for (const first of [addDays(today, -1), today]) {
    const last = from < until ? first : addDays(first, 1);
    const end = momentOf(catalog, last, until);
    if (from !== until && momentOf(catalog, first, from) <= at && at < end) return end;
  }
  return null;
}

interface OverdueRule {
  /** Epoch milliseconds. */
  now: number;
  /** `messages.stuck_after_minutes` of the catalog. */
  afterMinutes: number;
  /** The kinds whose channel is on. The command line cannot know them: the server has settings of its own. */
  on?: readonly JobKind[];
}

const LISTED = 1_000;

/** Jobs that were given up, and late jobs; longest due first. */
export async function overdueJobs(store: Store, rule: OverdueRule): Promise<WaitingJob[]> {
  const groups = await Promise.all([store.failedJobs(LISTED), lateJobs(store, rule)]);
  return groups.flat().sort((a, b) => a.dueAt - b.dueAt);
}

/** Jobs that have been due for longer than `afterMinutes`. Reminders are never late, because nobody sends them. */
export async function lateJobs(
  store: Pick<Store, "waitingJobs">,
  { now, afterMinutes, on }: OverdueRule,
  limit = LISTED,
): Promise<WaitingJob[]> {
  const dueBefore = now - afterMinutes * MINUTE_MS;
  if (on) return await store.waitingJobs(limit, { kinds: on, dueBefore });
  // Most shops have no CRM. Only an attempt shows that pushes are expected to go out.
  const groups = await Promise.all([
    store.waitingJobs(limit, { kinds: MESSAGES, dueBefore }),
    store.waitingJobs(limit, { kinds: ["push_to_crm"], dueBefore, tried: true }),
  ]);
  return groups.flat();
}
