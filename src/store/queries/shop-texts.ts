/** Texts to the shop: above a limit, one text tells of all further leads; another tells of messages that do not go out. */

import { fillTemplate } from "../../catalog/sections/template.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import {
  type DueMessage,
  lastOf,
  type MessageRules,
  postpone,
  sentSince,
  type TimedClaim,
  timeOrDateInWords,
} from "./delivery-status.ts";
import { insertJob, lapse } from "./jobs.ts";
import type { ShopNews } from "./payloads.ts";
import { all, type Steps } from "./steps.ts";

/** Up to the limit, each lead has its own text. At most once an hour, one text tells of all further leads. @returns how many were held back */
export function* limitLeadTexts(
  due: readonly DueMessage[],
  { now, running }: TimedClaim,
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

/**
 * Warns when a message is tried again although it has been due for too long (contract 10). One that was never tried goes out
 * now, because the server was away meanwhile. @param ids due jobs
 */
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
