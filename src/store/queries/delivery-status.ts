/** Messages due or sent, as their limits count them; delivery status of texts; who opted out. Writes run inside a transaction. */
import { CUSTOMER_TEXTS, type JobKind, jobsThatAre, OWNER, SHOP_NEWS } from "../../constants.ts";
import { dateAndTime } from "../../domain/dates-in-words.ts";
import { rfc3339 } from "../../domain/schedule.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { widestNetwork } from "../../lib/network.ts";
import { type DeliveryStatus, insertJob, readContent, setPayload } from "./jobs.ts";
import type { JobContent } from "./payloads.ts";
import { all, allFor, CLOCK_SLACK_MS, clockOr, each, get, run, type Steps, storeClock } from "./steps.ts";

export const deliveryQueries = {
  reads: { countTextsByStatus, whyUndelivered, optOutOf, countFreedNumbers, hasUnconfirmedTexts },
  writes: {
    claimUnconfirmedTexts,
    *settleDeliveryReports(reports: readonly DeliveryReport[], isMailOn: boolean, at?: number): Steps<boolean[]> {
      const now = at ?? (yield* storeClock());
      return yield* each(reports, (report) => settleDeliveryReport(report, now, isMailOn));
    },
    allowTexts,
  },
};

export type DeliveryClaim = Pick<Claim, "now" | "lastsMs"> & { limit: number };

/** A text whose delivery status is to be asked of Twilio. */
export interface UnconfirmedText {
  id: number;
  kind: JobKind;
  /** Twilio's id of the message. */
  messageSid: string;
  /** Milliseconds since the text was sent. */
  waitedMs: number;
}

export type DeliveryReport = Pick<UnconfirmedText, "id" | "messageSid"> &
  (
    | { kind: "delivered" }
    /** `isOptOut`: the customer wants no more texts. */
    | { kind: "undelivered"; reason: string; isOptOut: boolean }
    /** No final status yet: ask again after the pause. */
    | { kind: "open"; pauseMs: number }
    /** No final status within a day: ask no more. */
    | { kind: "unknown" }
  );

/** A customer who replied STOP: since when, and why. */
export interface OptOut {
  reason: string;
  at: number;
}

/** No question to Twilio is planned further ahead; a later time means that the clock was set back since. */
const FARTHEST_MS = 2 * HOUR_MS;

/** Whether a claim would find a text. Asked before the claim, which takes the write lock. */
function* hasUnconfirmedTexts({ now }: DeliveryClaim): Steps<boolean> {
  const clock = clockOr("?1");
  const found = yield* get(
    `SELECT 1 AS due FROM jobs WHERE ask_at <= ${clock} UNION ALL SELECT 1 FROM jobs WHERE ask_at > ${clock} + ${FARTHEST_MS} LIMIT 1`,
    now ?? null,
  );
  return found !== null;
}

/** Texts whose delivery status is to be asked. A claim that is not settled within `lastsMs` expires. */
function* claimUnconfirmedTexts({ now, lastsMs, limit }: DeliveryClaim): Steps<UnconfirmedText[]> {
  const at = now ?? (yield* storeClock());
  yield* run("UPDATE jobs SET ask_at = ?1 WHERE ask_at > ?2", at, at + FARTHEST_MS);
  return yield* all<UnconfirmedText>(
    `UPDATE jobs SET ask_at = ?2 WHERE id IN (SELECT id FROM jobs WHERE ask_at <= ?1 ORDER BY ask_at LIMIT ?3)
       RETURNING id, kind, message_sid AS messageSid, CASE WHEN touched_at > ?1 THEN 0 ELSE ?1 - touched_at END AS waitedMs`,
    at,
    at + lastsMs,
    limit,
  );
}

/** An undelivered text is failed from then on; the rest as in `settleJob`. False where another process wrote it first. */
function* settleDeliveryReport(report: DeliveryReport, at: number, isMailOn: boolean): Steps<boolean> {
  const stillOpen = "id = ?1 AND message_sid = ?2 AND ask_at IS NOT NULL";
  const { id, messageSid } = report;
  switch (report.kind) {
    case "open":
      return (yield* run(`UPDATE jobs SET ask_at = ?3 WHERE ${stillOpen}`, id, messageSid, at + report.pauseMs)) > 0;
    case "unknown":
    case "delivered":
      return (
        (yield* run(
          `UPDATE jobs SET arrival = ?3, ask_at = NULL, payload = '{}' WHERE ${stillOpen}`,
          id,
          messageSid,
          report.kind === "delivered" ? report.kind : "sent",
        )) > 0
      );
    case "undelivered": {
      const changed = yield* run(
        `UPDATE jobs SET status = CASE WHEN status = 'done' THEN 'failed' ELSE status END, arrival = 'undelivered',
           last_error = ?3, ask_at = NULL WHERE ${stillOpen}`,
        id,
        messageSid,
        report.reason,
      );
      if (changed > 0) yield* afterFailure(id, report, at, isMailOn);
      return changed > 0;
    }
  }
}

/** A customer's text that cannot arrive: a reply of STOP is remembered, and a confirmation or reminder goes by e-mail, once. */
export function* afterFailure(
  id: number,
  { reason, isOptOut = false }: { reason: string; isOptOut?: boolean },
  at: number,
  isMailOn: boolean,
): Steps<void> {
  const job = yield* get<{ kind: JobKind; leadId: string; payload: string }>(
    "SELECT kind, lead_id AS leadId, payload FROM jobs WHERE id = ? AND status = 'failed'",
    id,
  );
  if (!job) return;
  const { kind, leadId } = job;
  const content = readContent(kind, job.payload);
  if (!content || !isCustomerText(content)) return;
  if (isOptOut) yield* recordOptOut(content.payload.to, reason, at);
  const { instead, ...text } = content.payload;
  const mailKind = kind === "confirmation_sms" ? "confirmation_email" : "reminder_email";
  if (!isMailOn || !instead) return;
  yield* setPayload(id, text);
  yield* insertJob(leadId, { kind: mailKind, payload: instead, unless: null, dueAt: at }, at);
}

function isCustomerText(content: JobContent): content is Extract<JobContent, { kind: CustomerText }> {
  return CUSTOMER_TEXTS.some((kind) => kind === content.kind);
}
type CustomerText = (typeof CUSTOMER_TEXTS)[number];

function* recordOptOut(phone: string, reason: string, at: number): Steps<void> {
  yield* run(
    `INSERT INTO text_stops (phone, reason, at) VALUES (?, ?, ?)
     ON CONFLICT (phone) DO UPDATE SET reason = excluded.reason, at = excluded.at, freed_at = NULL`,
    phone,
    reason,
    at,
  );
}

/** Whether, since when and why a customer gets no texts. @param phone E.164 */
export function optOutOf(phone: string): Steps<OptOut | null> {
  return get<OptOut>("SELECT reason, at FROM text_stops WHERE phone = ? AND freed_at IS NULL", phone);
}

/** How many numbers an update freed: a carrier's filter had been taken for a STOP. */
function* countFreedNumbers(): Steps<number> {
  return (
    (yield* get<{ count: number }>("SELECT count(*) AS count FROM text_stops WHERE freed_at IS NOT NULL"))?.count ?? 0
  );
}

/** Lets texts go to a number again. @returns whether they were stopped */
function* allowTexts(phone: string): Steps<boolean> {
  return (yield* run("DELETE FROM text_stops WHERE phone = ? AND freed_at IS NULL", phone)) > 0;
}

/** Older rows have no copies: there the news itself is the text to the shop. */
const TEXTS: readonly JobKind[] = [...SHOP_NEWS, ...jobsThatAre({ by: "twilio" })];

/** Why texts since a moment did not arrive, the commonest reason first. */
function* whyUndelivered(since: number): Steps<{ reason: string; count: number }[]> {
  const found = yield* allFor<{ reason: string }>(
    `SELECT coalesce(last_error, '') AS reason FROM jobs WHERE kind = ? AND touched_at >= ? AND arrival = 'undelivered'`,
    TEXTS.map((kind) => [kind, since]),
  );
  return [...Map.groupBy(found, ({ reason }) => reason)]
    .map(([reason, { length: count }]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count);
}

/** How many texts since a moment have each delivery status. */
function* countTextsByStatus(since: number): Steps<Record<DeliveryStatus, number>> {
  const found = yield* allFor<{ arrival: DeliveryStatus; count: number }>(
    `SELECT arrival, count(*) AS count FROM jobs WHERE kind = ? AND touched_at >= ? AND arrival IS NOT NULL GROUP BY arrival`,
    TEXTS.map((kind) => [kind, since]),
  );
  const counts = { sent: 0, delivered: 0, undelivered: 0 };
  for (const { arrival, count } of found) counts[arrival] += count;
  return counts;
}

export interface Claim {
  kinds: readonly JobKind[];
  /** For tests; else the clock of the store, by which claims last as long as they were meant to on every machine. */
  now?: number;
  /** How long the claim lasts, in milliseconds. */
  lastsMs: number;
  /** The most jobs to claim: `fresh` were never tried, `retries` were. */
  fresh: number;
  retries: number;
  /** Ids of jobs that run in this process. They are never claimed, even when a clock jump ends their claims early. */
  running: readonly number[];
  /** The limits of messages; no message is limited without them. */
  limits?: MessageRules;
}

/** How many messages may go to customers by one channel. The database counts for every limit. */
export interface ChannelLimits {
  /** The most in any hour, and on the shop's day that began at `dayStart`. */
  perHour: number;
  perDay: number;
  /** The most in any hour for the bookings of one network; of IPv6, of one /48. */
  perCaller: number;
  /** To one number or address on the shop's day, on anonymous callers' word, of whom one gets at most all but one. */
  perContact: number;
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

/** A claim with the time that it goes by. */
export type TimedClaim = Claim & { now: number };

export interface DueMessage {
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
export function* dueMessages(ids: readonly number[]): Steps<DueMessage[]> {
  const found = yield* all<DueMessage>(
    `SELECT jobs.id, jobs.kind, jobs.lead_id AS leadId, jobs.created_at AS createdAt, leads.phone, lower(leads.email) AS email,
         ${IS_ANONYMOUS} AS isAnonymous, ${CALLER},
         doubtful = 1 OR claimed_until IS NOT NULL AS mayBeSent, touched_at AS touchedAt
       FROM ${WITH_CALLER}
       WHERE jobs.id IN (SELECT CAST(value AS bigint) FROM json_each(?)) AND jobs.status = 'waiting'`,
    JSON.stringify(ids),
  );
  const byId = new Map(found.map((message) => [message.id, withCaller(message)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** All networks of one IPv6 /48 are one caller, who may have been given it whole. */
function withCaller<Row extends { caller: string | null }>(row: Row): Row {
  return { ...row, caller: row.caller === null ? null : widestNetwork(row.caller) };
}

/** A message counts from its attempt on, unless the other side is known to have refused it. */
export const COUNTS = "(jobs.status = 'done' OR arrival IS NOT NULL OR doubtful = 1 OR claimed_until IS NOT NULL)";

interface SentMessage {
  at: number;
  leadId: string;
  createdAt: number;
  caller: string | null;
}

/** The newest messages of these kinds since a moment, newest first. */
export function* sentSince(kinds: readonly JobKind[], since: number, now: number, most: number): Steps<SentMessage[]> {
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

/** Other messages of these kinds that went to this number or address, whoever vouched for the consent. */
export function* sentTo(
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
    by === "phone" ? phone : email,
    JSON.stringify(kinds),
    since,
    now + CLOCK_SLACK_MS,
    id,
  );
  return { total: sent.length, bySameCaller: sent.map(withCaller).filter((one) => one.caller === caller).length };
}

/** When the newest job of this kind was made or tried, if within the time, by default an hour. */
export function* lastOf(kind: JobKind, now: number, withinMs = HOUR_MS): Steps<number | undefined> {
  return (yield* get<{ at: number }>(
    `SELECT touched_at AS at FROM jobs WHERE kind = ? AND touched_at > ? AND touched_at <= ?
       ORDER BY touched_at DESC LIMIT 1`,
    kind,
    now - withinMs,
    now + CLOCK_SLACK_MS,
  ))?.at;
}

/** The job is not late while it waits for room, so it becomes due then. An attempt that may have arrived keeps its date. */
export function* postpone(id: number, until: number, now: number, reason: string): Steps<void> {
  yield* run(
    `UPDATE jobs SET next_at = ?2, due_at = ?2, last_error = ?4,
       touched_at = CASE WHEN doubtful = 1 OR claimed_until IS NOT NULL THEN touched_at ELSE ?3 END
     WHERE id = ?1`,
    id,
    until,
    now,
    reason,
  );
}

/** `2:10 PM`, with the date unless it is today. */
export function timeOrDateInWords(at: number, now: number, timezone: string): string {
  const clock = { business: { timezone } };
  const { date, time } = dateAndTime(rfc3339(clock, at));
  return date === dateAndTime(rfc3339(clock, now)).date ? time : `${date}, ${time}`;
}
