/**
 * The limits of messages to customers: in an hour, on a day, for one caller, and to one number or address on an anonymous
 * caller's word (contract 22). Messages are counted from the jobs in the transaction of a claim, so that restarts and
 * several processes agree.
 */

import { fillTemplate } from "../../catalog/sections/template.ts";
import { CUSTOMER_EMAILS, CUSTOMER_TEXTS, type JobKind } from "../../constants.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { pausePushes } from "./crm-pushes.ts";
import {
  type ChannelLimits,
  type DueMessage,
  dueMessages,
  lastOf,
  type MessageRules,
  postpone,
  sentSince,
  sentTo,
  type TimedClaim,
  timeOrDateInWords,
} from "./delivery-status.ts";
import { insertJob, lapse, lapseJob } from "./jobs.ts";
import type { ShopNews } from "./payloads.ts";
import { all, type Steps } from "./steps.ts";

interface Channel {
  kinds: readonly JobKind[];
  by: "phone" | "email";
  /** As the owner calls these messages. */
  name: "texts" | "e-mails";
  title: "Texts" | "E-mails";
}

export const MESSAGE_CHANNELS = {
  texts: { kinds: CUSTOMER_TEXTS, by: "phone", name: "texts", title: "Texts" },
  mails: { kinds: CUSTOMER_EMAILS, by: "email", name: "e-mails", title: "E-mails" },
} as const satisfies Record<string, Channel>;

const reasonsOf = ({ name }: Channel) => ({
  hour: `the hourly limit of ${name} is reached`,
  day: `the daily limit of ${name} is reached`,
  caller: `one caller's share of the hourly limit of ${name} is used up`,
});

export function limitReasons(channel: Channel): readonly string[] {
  return Object.values(reasonsOf(channel));
}

/** Makes messages over a limit wait or lapse. @param ids due jobs @returns how many were held back */
export function* limitMessages(ids: readonly number[], claim: TimedClaim): Steps<number> {
  const { limits, now } = claim;
  if (!limits || ids.length === 0) return 0;
  const due = yield* dueMessages(ids);
  // A text that may have been sent already cannot move into a digest.
  const leads = due.filter(({ kind, mayBeSent }) => kind === "notify_shop_sms" && !mayBeSent);
  const { texts, mails } = MESSAGE_CHANNELS;
  return (
    (yield* limitChannel(due, texts, limits.texts, now, limits)) +
    (yield* limitChannel(due, mails, limits.mails, now, limits)) +
    (yield* limitLeadTexts(leads, claim, limits)) +
    (yield* pausePushes(ids, now, limits.pushPauseMs))
  );
}

function* limitChannel(
  all: readonly DueMessage[],
  channel: Channel,
  { perHour, perDay, perCaller, perContact }: ChannelLimits,
  now: number,
  rules: MessageRules,
): Steps<number> {
  const due = all.filter(({ kind }) => channel.kinds.includes(kind));
  if (due.length === 0) return 0;
  const { kinds, by, name } = channel;
  const { dayStart, nextDay } = rules;
  const reasons = reasonsOf(channel);
  let hour: { at: number; caller: string | null }[] = yield* sentSince(kinds, now - HOUR_MS + 1, now, perHour);
  let today = (yield* sentSince(kinds, dayStart, now, perDay)).length;
  const going: DueMessage[] = [];
  let held = 0;
  let warned = false;
  for (const message of due) {
    // An earlier attempt of this message is counted already.
    if (message.mayBeSent && (message.touchedAt ?? 0) > now - HOUR_MS && (message.touchedAt ?? 0) >= dayStart) continue;
    if (by === "phone" && rules.quiet && !rules.quiet.exempt.includes(message.kind)) {
      yield* postpone(message.id, rules.quiet.until, now, "texts to customers wait for the end of the quiet hours");
      held += 1;
      continue;
    }
    const refusal = (yield* wasAskedForReview(message, going, now, rules))
      ? "this number was asked for a review already"
      : message.isAnonymous && (yield* contactIsUsedUp(message, going, channel, perContact, rules, now))
        ? `an anonymous caller gave the consent, and the ${name} of the day to this customer are used up`
        : undefined;
    if (refusal !== undefined) {
      yield* lapseJob(message.id, refusal);
      held += 1;
      continue;
    }
    const own = message.caller === null ? [] : hour.filter(({ caller }) => caller === message.caller);
    const wait =
      today >= perDay
        ? { reason: reasons.day, until: nextDay }
        : hour.length >= perHour
          ? { reason: reasons.hour, until: (hour[perHour - 1]?.at ?? now) + HOUR_MS }
          : own.length >= perCaller
            ? { reason: reasons.caller, until: (own[perCaller - 1]?.at ?? now) + HOUR_MS }
            : undefined;
    if (wait) {
      yield* postpone(message.id, wait.until, now, wait.reason);
      held += 1;
      if (!warned) yield* warnOnceAnHour(message.leadId, channel, wait.reason, now, rules);
      warned = true;
      continue;
    }
    hour = [{ at: now, caller: message.caller }, ...hour];
    today += 1;
    going.push(message);
  }
  return held;
}

/** One caller gets at most all but one, so that a stranger cannot use up the last one, the customer's own confirmation. */
function* contactIsUsedUp(
  message: DueMessage,
  going: readonly DueMessage[],
  { by, kinds }: Channel,
  perContact: number,
  { dayStart }: MessageRules,
  now: number,
): Steps<boolean> {
  const alike = going.filter((one) => one[by] === message[by]);
  const bySameCaller = alike.filter(({ caller }) => caller === message.caller);
  const sent = yield* sentTo(message, by, kinds, dayStart, now);
  return (
    alike.length + sent.total >= perContact || bySameCaller.length + sent.bySameCaller >= Math.max(1, perContact - 1)
  );
}

/** Whether another text that asks for a review went to this number, or goes with this one. */
function* wasAskedForReview(
  message: DueMessage,
  going: readonly DueMessage[],
  now: number,
  { reviewPauseMs }: MessageRules,
): Steps<boolean> {
  const { kind, phone } = message;
  if (kind !== "review_sms") return false;
  if (going.some((one) => one.kind === kind && one.phone === phone)) return true;
  return (yield* sentTo(message, "phone", [kind], now - reviewPauseMs, now)).total > 0;
}

function* warnOnceAnHour(
  leadId: string,
  { title }: Channel,
  reason: string,
  now: number,
  { timezone }: MessageRules,
): Steps<void> {
  if ((yield* lastOf("text_limit_sms", now)) !== undefined) return;
  const text = `${title} to customers wait since ${timeOrDateInWords(now, now, timezone)}: ${reason}. See tint outbox`;
  yield* insertJob(leadId, { kind: "text_limit_sms", payload: { text }, unless: null, dueAt: now }, now);
}

/** Up to the limit, each lead has its own text. At most once an hour, one text tells of all further leads. @returns how many were held back */
function* limitLeadTexts(due: readonly DueMessage[], { now, running }: TimedClaim, rules: MessageRules): Steps<number> {
  if (due.length === 0) return 0;
  const { digestAbove } = rules;
  const sent = yield* sentSince(["notify_shop_sms"], now - HOUR_MS + 1, now, digestAbove);
  const own = due.slice(0, digestAbove - sent.length);
  const beyond = due.slice(own.length);
  if (beyond.length === 0) return 0;

  const lastDigestAt = yield* lastOf("digest_sms", now);
  if (lastDigestAt !== undefined) {
    const roomAt = [...own.map(() => now), ...sent.map(({ at }) => at)][digestAbove - 1] ?? now;
    const nextAt = Math.min(roomAt, lastDigestAt) + HOUR_MS;
    for (const { id } of beyond) yield* postpone(id, nextAt, now, `more than ${digestAbove} requests in an hour`);
    return beyond.length;
  }
  // Every due text, including those that are too many for one claim.
  const merged = yield* all<{ leadId: string; createdAt: number }>(
    `UPDATE jobs SET ${lapse("told in one text with other requests")}
       WHERE status = 'waiting' AND attempts = 0 AND kind = 'notify_shop_sms' AND due_at <= ?1 AND doubtful = 0
         AND claimed_until IS NULL AND id NOT IN (SELECT CAST(value AS bigint) FROM json_each(?2))
       RETURNING lead_id AS leadId, created_at AS createdAt`,
    now,
    JSON.stringify([...own.map(({ id }) => id), ...running]),
  );
  const [first] = merged;
  // A text that was refused before is not counted in a digest.
  if (!first) return 0;
  // The digest counts every lead of the hour, so that it makes sense to somebody who reads nothing else.
  const leads = [...merged, ...own, ...sent];
  const count = new Set(leads.map(({ leadId }) => leadId)).size;
  const payload = digestText(count, Math.min(...leads.map(({ createdAt }) => createdAt)), now, rules);
  yield* insertJob(first.leadId, { kind: "digest_sms", payload, unless: null, dueAt: now }, now);
  return merged.length;
}

/** One text about many leads. @param since when the first of them was made */
export function digestText(leads: number, since: number, now: number, { digest, timezone }: MessageRules): ShopNews {
  return { text: fillTemplate(digest, { count: String(leads), since: timeOrDateInWords(since, now, timezone) }) };
}

/** Of a message that is tried again although long due (contract 10). One never tried goes out now: the server was away. */
export function* warnOfLate(ids: readonly number[], now: number, { late, timezone }: MessageRules): Steps<void> {
  const found = yield* all<{ leadId: string; reference: string; dueAt: number }>(
    `SELECT lead_id AS leadId, reference, due_at AS dueAt FROM jobs JOIN leads ON leads.id = lead_id
       WHERE jobs.id IN (SELECT CAST(value AS bigint) FROM json_each(?)) AND attempts > 0 AND due_at < ?
         AND jobs.kind <> 'late_messages_sms'`,
    JSON.stringify(ids),
    now - late.afterMs,
  );
  let [oldest] = found;
  for (const job of found) if (oldest && job.dueAt < oldest.dueAt) oldest = job;
  if (!oldest || (yield* lastOf("late_messages_sms", now, late.onceInHours * HOUR_MS)) !== undefined) return;
  const since = timeOrDateInWords(oldest.dueAt, now, timezone);
  const text = `Messages do not go out, the first for lead ${oldest.reference} since ${since}. See tint outbox`;
  const payload = { text };
  yield* insertJob(oldest.leadId, { kind: "late_messages_sms", payload, unless: null, dueAt: now }, now);
}
