/** Delivery status of texts; who opted out. Writes run inside a transaction. */
import { CUSTOMER_TEXTS, type JobKind, jobsThatAre, SHOP_NEWS } from "../../constants.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { type DeliveryStatus, insertJob, isOfKinds, readContent, setPayload } from "./jobs.ts";
import { all, allFor, clockOr, each, get, run, type Steps, storeClock } from "./steps.ts";

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

interface DeliveryClaim {
  /** For tests; else the clock of the store. */
  now?: number;
  lastsMs: number;
  limit: number;
}

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
    [now ?? null],
  );
  return found !== null;
}

/** Texts whose delivery status is to be asked. A claim that is not settled within `lastsMs` expires. */
function* claimUnconfirmedTexts({ now, lastsMs, limit }: DeliveryClaim): Steps<UnconfirmedText[]> {
  const at = now ?? (yield* storeClock());
  yield* run("UPDATE jobs SET ask_at = ?1 WHERE ask_at > ?2", [at, at + FARTHEST_MS]);
  return yield* all<UnconfirmedText>(
    `UPDATE jobs SET ask_at = ?2 WHERE id IN (SELECT id FROM jobs WHERE ask_at <= ?1 ORDER BY ask_at LIMIT ?3)
       RETURNING id, kind, message_sid AS messageSid, CASE WHEN touched_at > ?1 THEN 0 ELSE ?1 - touched_at END AS waitedMs`,
    [at, at + lastsMs, limit],
  );
}

/** An undelivered text is failed from then on; the rest as in `settleJob`. False where another process wrote it first. */
function* settleDeliveryReport(report: DeliveryReport, at: number, isMailOn: boolean): Steps<boolean> {
  const stillOpen = "id = ?1 AND message_sid = ?2 AND ask_at IS NOT NULL";
  const { id, messageSid } = report;
  switch (report.kind) {
    case "open":
      return (yield* run(`UPDATE jobs SET ask_at = ?3 WHERE ${stillOpen}`, [id, messageSid, at + report.pauseMs])) > 0;
    case "unknown":
    case "delivered":
      return (
        (yield* run(`UPDATE jobs SET arrival = ?3, ask_at = NULL, payload = '{}' WHERE ${stillOpen}`, [
          id,
          messageSid,
          report.kind === "delivered" ? report.kind : "sent",
        ])) > 0
      );
    case "undelivered": {
      const changed = yield* run(
        `UPDATE jobs SET status = CASE WHEN status = 'done' THEN 'failed' ELSE status END, arrival = 'undelivered',
           last_error = ?3, ask_at = NULL WHERE ${stillOpen}`,
        [id, messageSid, report.reason],
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
    [id],
  );
  if (!job) return;
  const { kind, leadId } = job;
  const content = readContent(kind, job.payload);
  if (!content || !isOfKinds(content, CUSTOMER_TEXTS)) return;
  if (isOptOut) yield* recordOptOut(content.payload.to, reason, at);
  const { instead, ...text } = content.payload;
  const mailKind = kind === "confirmation_sms" ? "confirmation_email" : "reminder_email";
  if (!isMailOn || !instead) return;
  yield* setPayload(id, text);
  yield* insertJob(leadId, { kind: mailKind, payload: instead, unless: null, dueAt: at }, at);
}

function* recordOptOut(phone: string, reason: string, at: number): Steps<void> {
  yield* run(
    `INSERT INTO text_stops (phone, reason, at) VALUES (?, ?, ?)
     ON CONFLICT (phone) DO UPDATE SET reason = excluded.reason, at = excluded.at, freed_at = NULL`,
    [phone, reason, at],
  );
}

/** Whether, since when and why a customer gets no texts. @param phone E.164 */
export function optOutOf(phone: string): Steps<OptOut | null> {
  return get<OptOut>("SELECT reason, at FROM text_stops WHERE phone = ? AND freed_at IS NULL", [phone]);
}

/** How many numbers an update freed: a carrier's filter had been taken for a STOP. */
function* countFreedNumbers(): Steps<number> {
  return (
    (yield* get<{ count: number }>("SELECT count(*) AS count FROM text_stops WHERE freed_at IS NOT NULL"))?.count ?? 0
  );
}

/** Lets texts go to a number again. @returns whether they were stopped */
function* allowTexts(phone: string): Steps<boolean> {
  return (yield* run("DELETE FROM text_stops WHERE phone = ? AND freed_at IS NULL", [phone])) > 0;
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
