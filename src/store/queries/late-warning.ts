/** The text that tells the owner of messages that do not go out. */
import { HOUR_MS } from "../../lib/durations.ts";
import type { MessageRules } from "../records/jobs.ts";
import { insertJob } from "./jobs.ts";
import { lastOf, timeOrDateInWords } from "./sent-messages.ts";
import { all, type Steps } from "./steps.ts";

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
