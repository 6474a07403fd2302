/** What becomes of texts that Twilio took. Functions that write run inside the transaction of their caller. */
import { CUSTOMER_TEXTS, type JobKind, SHOP_NEWS } from "../../constants.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import type { Arrival, ArrivalClaim, ArrivalNews, AskedText, Delivery, TextStop } from "../store.ts";
import { insertJob, readDelivery } from "./jobs.ts";
import { all, get, run, type Steps, together } from "./steps.ts";
import { clockOr, storeClock } from "./store-clock.ts";

/** No question is planned further ahead. A later time shows that the clock went back since. */
const FARTHEST_MS = 2 * HOUR_MS;

/** Asked first, because a claim takes the write lock. */
export function* hasTextsToAsk({ now }: ArrivalClaim): Steps<boolean> {
  const clock = clockOr("?1");
  const found = yield* get(
    `SELECT 1 AS due FROM jobs WHERE ask_at <= ${clock} UNION ALL SELECT 1 FROM jobs WHERE ask_at > ${clock} + ${FARTHEST_MS} LIMIT 1`,
    now ?? null,
  );
  return found !== null;
}

export function* claimArrivals({ now, lastsMs, limit }: ArrivalClaim): Steps<AskedText[]> {
  const at = now ?? (yield* storeClock());
  yield* run("UPDATE jobs SET ask_at = ?1 WHERE ask_at > ?2", at, at + FARTHEST_MS);
  return yield* all<AskedText>(
    `UPDATE jobs SET ask_at = ?2 WHERE id IN (SELECT id FROM jobs WHERE ask_at <= ?1 ORDER BY ask_at LIMIT ?3)
       RETURNING id, kind, message_sid AS messageSid, CASE WHEN touched_at > ?1 THEN 0 ELSE ?1 - touched_at END AS waitedMs`,
    at,
    at + lastsMs,
    limit,
  );
}

/** @returns whether it was news: another process may have heard it first */
export function* settleArrival(news: ArrivalNews, at: number, isMailOn: boolean): Steps<boolean> {
  const stillOpen = "id = ?1 AND message_sid = ?2 AND ask_at IS NOT NULL";
  const { id, messageSid } = news;
  switch (news.kind) {
    case "open":
      return (yield* run(`UPDATE jobs SET ask_at = ?3 WHERE ${stillOpen}`, id, messageSid, at + news.pauseMs)) > 0;
    case "unknown":
    case "delivered":
      return (
        (yield* run(
          `UPDATE jobs SET arrival = ?3, ask_at = NULL, payload = '{}' WHERE ${stillOpen}`,
          id,
          messageSid,
          news.kind === "delivered" ? news.kind : "sent",
        )) > 0
      );
    case "undelivered": {
      const changed = yield* run(
        `UPDATE jobs SET status = CASE WHEN status = 'done' THEN 'failed' ELSE status END, arrival = 'undelivered',
           last_error = ?3, ask_at = NULL WHERE ${stillOpen}`,
        id,
        messageSid,
        news.reason,
      );
      if (changed > 0) yield* afterFailure(id, news, at, isMailOn);
      return changed > 0;
    }
  }
}

/** A customer's text that cannot arrive: a reply of STOP is remembered, and a confirmation or reminder goes by e-mail, once. */
export function* afterFailure(
  id: number,
  { reason, isStop = false }: { reason: string; isStop?: boolean },
  at: number,
  isMailOn: boolean,
): Steps<void> {
  const job = yield* get<{ kind: JobKind; leadId: string; payload: string }>(
    "SELECT kind, lead_id AS leadId, payload FROM jobs WHERE id = ? AND status = 'failed'",
    id,
  );
  if (!job) return;
  const { kind, leadId } = job;
  const delivery = readDelivery(kind, job.payload);
  if (!delivery || !isCustomerText(delivery)) return;
  if (isStop) yield* stopTexts(delivery.payload.to, reason, at);
  const { instead, ...text } = delivery.payload;
  const mailKind = kind === "confirmation_sms" ? "confirmation_email" : "reminder_email";
  if (!isMailOn || !instead) return;
  yield* run("UPDATE jobs SET payload = ? WHERE id = ?", JSON.stringify(text), id);
  yield* insertJob(leadId, { kind: mailKind, payload: instead, unless: null, dueAt: at }, at);
}

function isCustomerText(delivery: Delivery): delivery is Extract<Delivery, { kind: CustomerText }> {
  return CUSTOMER_TEXTS.some((kind) => kind === delivery.kind);
}
type CustomerText = (typeof CUSTOMER_TEXTS)[number];

function* stopTexts(phone: string, reason: string, at: number): Steps<void> {
  yield* run(
    `INSERT INTO text_stops (phone, reason, at) VALUES (?, ?, ?)
     ON CONFLICT (phone) DO UPDATE SET reason = excluded.reason, at = excluded.at`,
    phone,
    reason,
    at,
  );
}

export function textStop(phone: string): Steps<TextStop | null> {
  return get<TextStop>("SELECT reason, at FROM text_stops WHERE phone = ?", phone);
}

/** @returns whether texts to this number were stopped */
export function* allowTexts(phone: string): Steps<boolean> {
  return (yield* run("DELETE FROM text_stops WHERE phone = ?", phone)) > 0;
}

/** How many texts since a moment have each state. */
export function* countArrivals(since: number): Steps<Record<Arrival, number>> {
  const ofKind = (kind: JobKind) =>
    all<{ arrival: Arrival; count: number }>(
      `SELECT arrival, count(*) AS count FROM jobs WHERE kind = ? AND touched_at >= ? AND arrival IS NOT NULL GROUP BY arrival`,
      kind,
      since,
    );
  const counts = { sent: 0, delivered: 0, undelivered: 0 };
  // Rows from before there were copies are the texts to the shop themselves.
  const found = yield* together(...[...SHOP_NEWS, "shop_sms" as const, ...CUSTOMER_TEXTS].map(ofKind));
  for (const { arrival, count } of found.flat()) counts[arrival] += count;
  return counts;
}
