/**
 * The limits of texts: how many go to customers, and how many tell the shop of one lead each. A number whose consent an
 * anonymous caller asserted gets one text a day. The texts are counted from the jobs in the transaction of a claim, so that
 * restarts and several processes agree.
 */

import { CUSTOMER_TEXTS, type JobKind, OWNER } from "../../constants.ts";
import { clockWords } from "../../domain/spoken-dates.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { counted } from "../../lib/text.ts";
import type { Sms, TextRules } from "../store.ts";
import { insertJob, lapse } from "./jobs.ts";
import { all, get, run, type Steps, together } from "./steps.ts";
import { CLOCK_SLACK_MS, type TimedClaim } from "./store-clock.ts";

const HOUR_LIMIT = "the hourly limit of texts is reached";
const DAY_LIMIT = "the daily limit of texts is reached";
/** The reasons of customer texts that wait. */
export const TEXT_LIMITS: readonly string[] = [HOUR_LIMIT, DAY_LIMIT];

/** Makes texts over a limit wait or lapse. @param ids due jobs @returns how many were held back */
export function* limitTexts(ids: readonly number[], claim: TimedClaim): Steps<number> {
  if (!claim.texts || ids.length === 0) return 0;
  const due = yield* dueTexts(ids);
  const customers = due.filter(({ kind }) => CUSTOMER_TEXTS.some((one) => one === kind));
  // A text that may have been sent already cannot move into a digest.
  const leads = due.filter(({ kind, mayBeSent }) => kind === "notify_shop_sms" && !mayBeSent);
  if (customers.length === 0 && leads.length === 0) return 0;
  return (
    (yield* limitCustomerTexts(customers, claim.now, claim.texts)) + (yield* limitLeadTexts(leads, claim, claim.texts))
  );
}

interface DueText {
  id: number;
  kind: JobKind;
  leadId: string;
  createdAt: number;
  phone: string;
  isAnonymous: number | boolean;
  /** An earlier attempt may have arrived. */
  mayBeSent: number | boolean;
  touchedAt: number | null;
}

/** The waiting texts among these jobs, in the order of the ids. */
function* dueTexts(ids: readonly number[]): Steps<DueText[]> {
  const found = yield* all<DueText>(
    `SELECT jobs.id, jobs.kind, lead_id AS leadId, jobs.created_at AS createdAt, phone,
         key_id IS NULL AND agent_class IS DISTINCT FROM '${OWNER}' AS isAnonymous,
         doubtful = 1 OR claimed_until IS NOT NULL AS mayBeSent, touched_at AS touchedAt
       FROM jobs JOIN leads ON leads.id = lead_id
       WHERE jobs.id IN (SELECT CAST(value AS bigint) FROM json_each(?)) AND jobs.status = 'waiting'`,
    JSON.stringify(ids),
  );
  const byId = new Map(found.map((text) => [text.id, text]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A text counts from its attempt on, unless Twilio is known to have refused it. */
const COUNTS = "(jobs.status = 'done' OR doubtful = 1 OR claimed_until IS NOT NULL)";

interface SentText {
  at: number;
  leadId: string;
  createdAt: number;
}

/** The newest texts of these kinds since a moment, newest first. */
function* sentSince(kinds: readonly JobKind[], since: number, now: number, most: number): Steps<SentText[]> {
  const newest = (kind: JobKind) =>
    all<SentText>(
      `SELECT touched_at AS at, lead_id AS leadId, created_at AS createdAt FROM jobs
       WHERE kind = ? AND touched_at >= ? AND touched_at <= ? AND ${COUNTS} ORDER BY touched_at DESC LIMIT ?`,
      kind,
      since,
      now + CLOCK_SLACK_MS,
      most,
    );
  return (yield* together(...kinds.map(newest)))
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, most);
}

function* limitCustomerTexts(due: readonly DueText[], now: number, rules: TextRules): Steps<number> {
  if (due.length === 0) return 0;
  const { perHour, perDay, dayStart, nextDay } = rules;
  let hour = (yield* sentSince(CUSTOMER_TEXTS, now - HOUR_MS + 1, now, perHour)).map(({ at }) => at);
  let day = (yield* sentSince(CUSTOMER_TEXTS, dayStart, now, perDay)).map(({ at }) => at);
  const phones = new Set<string>();
  const reviewed = new Set<string>();
  let held = 0;
  let warned = false;
  for (const text of due) {
    // An earlier attempt of this text is counted already.
    if (text.mayBeSent && (text.touchedAt ?? 0) > now - HOUR_MS && (text.touchedAt ?? 0) >= dayStart) continue;
    const isReview = text.kind === "review_sms";
    if (
      isReview &&
      (reviewed.has(text.phone) || (yield* wasTextedSince(text, now - rules.reviewPauseMs, now, ["review_sms"])))
    ) {
      yield* lapseJob(text.id, "this number was asked for a review already");
      held += 1;
      continue;
    }
    if (text.isAnonymous && (phones.has(text.phone) || (yield* wasTextedSince(text, dayStart, now)))) {
      yield* lapseJob(text.id, "a caller without a key gave the consent, and this number got a text today");
      held += 1;
      continue;
    }
    const isDayFull = day.length >= perDay;
    if (isDayFull || hour.length >= perHour) {
      const reason = isDayFull ? DAY_LIMIT : HOUR_LIMIT;
      const roomAt = (hour[perHour - 1] ?? now) + HOUR_MS;
      yield* postpone(text.id, isDayFull ? nextDay : roomAt, now, reason);
      held += 1;
      if (!warned) yield* warnOnceAnHour(text.leadId, warningText(reason, now, rules), now);
      warned = true;
      continue;
    }
    hour = [now, ...hour];
    day = [now, ...day];
    phones.add(text.phone);
    if (isReview) reviewed.add(text.phone);
  }
  return held;
}

/** Whether another text went to this number, whoever asserted the consent. */
function* wasTextedSince(
  { id, phone }: DueText,
  since: number,
  now: number,
  kinds: readonly JobKind[] = CUSTOMER_TEXTS,
): Steps<boolean> {
  return (
    (yield* get(
      `SELECT 1 FROM leads JOIN jobs ON jobs.lead_id = leads.id
         WHERE leads.phone = ? AND jobs.kind IN (SELECT value FROM json_each(?))
           AND touched_at >= ? AND touched_at <= ? AND ${COUNTS} AND jobs.id <> ? LIMIT 1`,
      phone,
      JSON.stringify(kinds),
      since,
      now + CLOCK_SLACK_MS,
      id,
    )) !== null
  );
}

function* warnOnceAnHour(leadId: string, warning: Sms, now: number): Steps<void> {
  if ((yield* lastOf("text_limit_sms", now)) !== undefined) return;
  yield* insertJob(leadId, { kind: "text_limit_sms", payload: warning, unless: null, dueAt: now }, now);
}

/** When the newest job of this kind was made or tried, if within the hour. */
function* lastOf(kind: JobKind, now: number): Steps<number | undefined> {
  return (yield* get<{ at: number }>(
    `SELECT touched_at AS at FROM jobs WHERE kind = ? AND touched_at > ? AND touched_at <= ?
       ORDER BY touched_at DESC LIMIT 1`,
    kind,
    now - HOUR_MS,
    now + CLOCK_SLACK_MS,
  ))?.at;
}

/** Up to the limit, each lead has its own text. At most once an hour, one text tells of all further leads. */
function* limitLeadTexts(due: readonly DueText[], { now, running }: TimedClaim, rules: TextRules): Steps<number> {
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
  const told = yield* all<{ leadId: string; createdAt: number }>(
    `UPDATE jobs SET ${lapse("told in one text with other requests")}
       WHERE status = 'waiting' AND attempts = 0 AND kind = 'notify_shop_sms' AND due_at <= ?1 AND doubtful = 0
         AND claimed_until IS NULL AND id NOT IN (SELECT CAST(value AS bigint) FROM json_each(?2))
       RETURNING lead_id AS leadId, created_at AS createdAt`,
    now,
    JSON.stringify([...own.map(({ id }) => id), ...running]),
  );
  const [first] = told;
  // A text that was refused before is not counted in a digest.
  if (!first) return 0;
  // The digest counts every lead of the hour, so that it makes sense to somebody who reads nothing else.
  const leads = [...told, ...own, ...sent];
  const count = new Set(leads.map(({ leadId }) => leadId)).size;
  const payload = digestText(count, Math.min(...leads.map(({ createdAt }) => createdAt)), now, rules);
  yield* insertJob(first.leadId, { kind: "digest_sms", payload, unless: null, dueAt: now }, now);
  return told.length;
}

/** @param reason a fixed text */
function* lapseJob(id: number, reason: string): Steps<void> {
  yield* run(`UPDATE jobs SET ${lapse(reason)} WHERE id = ?`, id);
}

/** The job is not late while it waits for room, so it becomes due then. An attempt that may have arrived keeps its date. */
function* postpone(id: number, until: number, now: number, reason: string): Steps<void> {
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

/** One text about many leads. @param since when the first of them was made */
export function digestText(leads: number, since: number, now: number, { shop }: TextRules): Sms {
  return {
    to: shop.number,
    text: `${counted(leads, "new request")} since ${moment(since, now, shop.timezone)}: tint leads`,
  };
}

function warningText(reason: string, now: number, { shop }: TextRules): Sms {
  const text = `Texts to customers wait since ${moment(now, now, shop.timezone)}: ${reason}. See tint outbox`;
  return { to: shop.number, text };
}

/** `2:10 PM`, with the date unless it is today. */
function moment(at: number, now: number, timezone: string): string {
  const { date, time } = clockWords(timezone);
  return date(at) === date(now) ? time(at) : `${date(at)}, ${time(at)}`;
}
