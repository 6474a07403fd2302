/**
 * The limits of messages to customers: in an hour, on a day, for one caller, and to one number or address on an anonymous
 * caller's word (contract 22). Messages are counted from the jobs in the transaction of a claim, so that restarts and
 * several processes agree.
 */

import { fillTemplate } from "../../catalog/sections/template.ts";
import { CUSTOMER_EMAILS, CUSTOMER_TEXTS, type JobKind, OWNER } from "../../constants.ts";
import { dateAndTime } from "../../domain/dates-in-words.ts";
import { rfc3339 } from "../../domain/schedule.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { parseAddress, widerNetworks } from "../../lib/network.ts";
import { pausePushes } from "./crm-pushes.ts";
import { COUNTS, insertJob, lapse, lapseJob, postpone } from "./jobs.ts";
import type { ShopNews } from "./payloads.ts";
import { all, allFor, CLOCK_SLACK_MS, get, type Steps } from "./steps.ts";

interface Channel {
  kinds: readonly JobKind[];
  by: "phone" | "email";
  /** As the owner calls these messages. */
  name: "texts" | "e-mails";
  title: "Texts" | "E-mails";
  /** Why a message waits. */
  reasons: Readonly<Record<"hour" | "day" | "caller", string>>;
}

const reasonsOf = (name: Channel["name"]) => ({
  hour: `the hourly limit of ${name} is reached`,
  day: `the daily limit of ${name} is reached`,
  caller: `one caller's share of the hourly limit of ${name} is used up`,
});

export const MESSAGE_CHANNELS = {
  texts: { kinds: CUSTOMER_TEXTS, by: "phone", name: "texts", title: "Texts", reasons: reasonsOf("texts") },
  mails: { kinds: CUSTOMER_EMAILS, by: "email", name: "e-mails", title: "E-mails", reasons: reasonsOf("e-mails") },
} as const satisfies Record<string, Channel>;

interface LimitedClaim {
  now: number;
  /** Ids of jobs that run in this process. */
  running: readonly number[];
  limits?: MessageRules;
}

/** How many messages may go out, and the texts that tell the shop of the others. */
export interface MessageRules {
  texts: ChannelLimits;
  mails: ChannelLimits;
  dayStart: number;
  /** Set in quiet hours: texts to customers wait until then, those of the kinds in `exempt` excepted. */
  quiet: { until: number; exempt: readonly JobKind[] } | null;
  /** Messages beyond `perDay` wait until then. */
  nextDay: number;
  /** The most texts to the shop about one lead each in any hour. One text an hour tells of the leads beyond them. */
  digestAbove: number;
  /** The words of that text, with `{count}` and `{since}`. */
  digest: string;
  /** The CRM gets no second push about changes of the same booking within this time. */
  pushPauseMs: number;
  /** A number gets no second text that asks for a review within this time. */
  reviewPauseMs: number;
  /** The shop is told of a message that could not be sent for `afterMs`, at most once in `onceInHours`. */
  late: { afterMs: number; onceInHours: number };
  /** The zone of the times in news for the owner. */
  timezone: string;
}

/** How many messages may go to customers by one channel. The database counts for every limit. */
interface ChannelLimits {
  /** The most in any hour, and on the shop's day that began at `dayStart`. */
  perHour: number;
  perDay: number;
  /** The most in any hour for the bookings of one network; of IPv6, of one /48. */
  perCaller: number;
  /** To one number or address on the shop's day, on anonymous callers' word, of whom one gets at most all but one. */
  perContact: number;
}

/** Makes messages over a limit wait or lapse. @param ids due jobs @returns how many were held back */
export function* limitMessages(ids: readonly number[], claim: LimitedClaim): Steps<number> {
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
  const { kinds, by, name, reasons } = channel;
  const { dayStart, nextDay } = rules;
  let hour: { at: number; caller: string | null }[] = yield* sentSince(kinds, now - HOUR_MS + 1, now, perHour);
  let today = (yield* sentSince(kinds, dayStart, now, perDay)).length;
  const going: DueMessage[] = [];
  let held = 0;
  let warned = false;
  for (const message of due) {
    if (by === "phone" && rules.quiet && !rules.quiet.exempt.includes(message.kind)) {
      yield* postpone(message.id, rules.quiet.until, now, "texts to customers wait for the end of the quiet hours");
      held += 1;
      continue;
    }
    // An earlier attempt of this message is counted already.
    if (message.mayBeSent && (message.touchedAt ?? 0) > now - HOUR_MS && (message.touchedAt ?? 0) >= dayStart) continue;
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

/** Other messages of these kinds that went to this number or address, whoever vouched for the consent. */
function* sentTo(
  { id, phone, email, caller }: DueMessage,
  by: "phone" | "email",
  kinds: readonly JobKind[],
  since: number,
  now: number,
): Steps<{ total: number; bySameCaller: number }> {
  const sent = yield* all<{ caller: string | null }>(
    `SELECT ${CALLER} FROM ${WITH_CALLER}
     WHERE ${by === "phone" ? "leads.phone" : "lower(leads.email)"} = ? AND jobs.kind IN (SELECT value FROM json_each(?))
       AND touched_at >= ? AND touched_at <= ? AND ${COUNTS} AND jobs.id <> ?`,
    [by === "phone" ? phone : email, JSON.stringify(kinds), since, now + CLOCK_SLACK_MS, id],
  );
  return { total: sent.length, bySameCaller: sent.map(withCaller).filter((one) => one.caller === caller).length };
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
function* limitLeadTexts(
  due: readonly DueMessage[],
  { now, running }: LimitedClaim,
  rules: MessageRules,
): Steps<number> {
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
    [now, JSON.stringify([...own.map(({ id }) => id), ...running])],
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
    [JSON.stringify(ids), now - late.afterMs],
  );
  let [oldest] = found;
  for (const job of found) if (oldest && job.dueAt < oldest.dueAt) oldest = job;
  if (!oldest || (yield* lastOf("late_messages_sms", now, late.onceInHours * HOUR_MS)) !== undefined) return;
  const since = timeOrDateInWords(oldest.dueAt, now, timezone);
  const text = `Messages do not go out, the first for lead ${oldest.reference} since ${since}. See tint outbox`;
  const payload = { text };
  yield* insertJob(oldest.leadId, { kind: "late_messages_sms", payload, unless: null, dueAt: now }, now);
}

interface DueMessage {
  id: number;
  kind: JobKind;
  leadId: string;
  createdAt: number;
  phone: string;
  /** In lower case. */
  email: string;
  /** The customer's consent was given by a caller whom the owner does not know. */
  isAnonymous: number | boolean;
  /** Null for the owner, and for callers whose key the owner issued. */
  caller: string | null;
  /** An earlier attempt may have arrived. */
  mayBeSent: number | boolean;
  touchedAt: number | null;
}

/** A key that registered itself vouches for nobody (contract 22). */
const IS_ANONYMOUS = `agent_class IS DISTINCT FROM '${OWNER}' AND (leads.key_id IS NULL OR api_keys.network IS NOT NULL)`;

/** Null for the owner and issued keys. Quote requests keep no network, so all anonymous ones count as one caller. */
const CALLER = `CASE WHEN ${IS_ANONYMOUS} THEN coalesce(bookings.network, 'quote requests') END AS caller`;

const WITH_CALLER = `jobs JOIN leads ON leads.id = jobs.lead_id LEFT JOIN bookings ON bookings.lead_id = leads.id
  LEFT JOIN api_keys ON api_keys.id = leads.key_id`;

/** The waiting ones among these jobs, in the order of the ids. */
function* dueMessages(ids: readonly number[]): Steps<DueMessage[]> {
  const found = yield* all<DueMessage>(
    `SELECT jobs.id, jobs.kind, jobs.lead_id AS leadId, jobs.created_at AS createdAt, leads.phone, lower(leads.email) AS email,
         ${IS_ANONYMOUS} AS isAnonymous, ${CALLER},
         doubtful = 1 OR claimed_until IS NOT NULL AS mayBeSent, touched_at AS touchedAt
       FROM ${WITH_CALLER}
       WHERE jobs.id IN (SELECT CAST(value AS bigint) FROM json_each(?)) AND jobs.status = 'waiting'`,
    [JSON.stringify(ids)],
  );
  const byId = new Map(found.map((message) => [message.id, withCaller(message)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** All networks of one IPv6 /48 are one caller, who may have been given it whole. */
function withCaller<Row extends { caller: string | null }>(row: Row): Row {
  return { ...row, caller: row.caller === null ? null : widestNetwork(row.caller) };
}

interface SentMessage {
  at: number;
  leadId: string;
  createdAt: number;
  caller: string | null;
}

/** The newest messages of these kinds since a moment, newest first. */
function* sentSince(kinds: readonly JobKind[], since: number, now: number, most: number): Steps<SentMessage[]> {
  const newest = yield* allFor<SentMessage>(
    `SELECT touched_at AS at, jobs.lead_id AS leadId, jobs.created_at AS createdAt, ${CALLER} FROM ${WITH_CALLER}
     WHERE jobs.kind = ? AND touched_at >= ? AND touched_at <= ? AND ${COUNTS} ORDER BY touched_at DESC LIMIT ?`,
    kinds.map((kind) => [kind, since, now + CLOCK_SLACK_MS, most]),
  );
  return newest
    .sort((a, b) => b.at - a.at)
    .slice(0, most)
    .map(withCaller);
}

/** When the newest job of this kind was made or tried, if within the time, by default an hour. */
function* lastOf(kind: JobKind, now: number, withinMs = HOUR_MS): Steps<number | undefined> {
  return (yield* get<{ at: number }>(
    `SELECT touched_at AS at FROM jobs WHERE kind = ? AND touched_at > ? AND touched_at <= ?
       ORDER BY touched_at DESC LIMIT 1`,
    [kind, now - withinMs, now + CLOCK_SLACK_MS],
  ))?.at;
}

/** `2:10 PM`, with the date unless it is today. */
function timeOrDateInWords(at: number, now: number, timezone: string): string {
  const clock = { business: { timezone } };
  const { date, time } = dateAndTime(rfc3339(clock, at));
  return date === dateAndTime(rfc3339(clock, now)).date ? time : `${date}, ${time}`;
}

/** The widest network around one of `networkOf`: one caller may have as many of these as a /48 holds. */
function widestNetwork(network: string): string {
  return widerNetworks(parseAddress(network.split("/")[0])).at(-1)?.network ?? network;
}
