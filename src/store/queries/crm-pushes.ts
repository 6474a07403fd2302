/** Pushes that tell the CRM of a booking's changes: those in quick succession become one with the last state. */

import { newId } from "../../lib/ids.ts";
import type { Booking } from "./bookings.ts";
import { COUNTS, insertJob, lapseJob, postpone, readContent, setPayload } from "./jobs.ts";
import { findLead, isPushed, type LeadInFull } from "./leads.ts";
import type { LeadChange } from "./payloads.ts";
import { all, CLOCK_SLACK_MS, get, type Steps } from "./steps.ts";

/** A push about a booking, after its change. */
type BookingPush = LeadChange & { booking: NonNullable<LeadChange["booking"]> };

export function* tellCrm(
  type: Exclude<LeadChange["type"], "lead.created" | "booking.created">,
  { confirmationCode, status, startAt, endAt, cancelReason, lead: { id } }: Booking,
  previousStartAt: number | null,
  at: number,
): Steps<void> {
  const lead = yield* findLead(id);
  if (!lead || !(yield* isPushed(id))) return;
  const booking = { confirmationCode, status, startAt, endAt, previousStartAt, reason: cancelReason };
  const payload = { id: newId("evt"), type, lead, note: null, at, booking };
  const unsent = yield* unsentPush(id);
  if (!unsent) return yield* insertJob(id, { kind: "push_to_crm", unless: null, payload, dueAt: at }, at);
  const merged = afterBoth(unsent.push, payload);
  if (merged) yield* setPayload(unsent.id, merged);
  else yield* lapseJob(unsent.id, "its booking was changed back before the CRM was told");
}

/** The push that waits tells of the lead as it is now. */
export function* refreshUnsent(lead: LeadInFull): Steps<void> {
  const unsent = yield* unsentPush(lead.id);
  if (unsent) yield* setPayload(unsent.id, { ...unsent.push, lead });
}

/** The push about this lead's booking that was never tried. */
function* unsentPush(leadId: string): Steps<{ id: number; push: BookingPush } | undefined> {
  const waiting = yield* all<{ id: number; payload: string }>(
    `SELECT id, payload FROM jobs INDEXED BY jobs_by_lead
     WHERE lead_id = ? AND kind = 'push_to_crm' AND status = 'waiting' AND attempts = 0 AND claimed_until IS NULL
     ORDER BY id DESC`,
    [leadId],
  );
  for (const { id, payload } of waiting) {
    const push = bookingPush(payload);
    if (push) return { id, push };
  }
  return undefined;
}

/** Null for a push about the lead alone. */
function bookingPush(payload: string): BookingPush | null {
  const content = readContent("push_to_crm", payload);
  if (content?.kind !== "push_to_crm") return null;
  const { booking, ...push } = content.payload;
  return booking ? { ...push, booking } : null;
}

/** Merges a waiting push with a newer one. @returns null when the CRM knows this state already */
function afterBoth(unsent: BookingPush, news: BookingPush): BookingPush | null {
  const push = { ...news, id: unsent.id };
  if (unsent.type === "booking.created")
    return { ...push, type: unsent.type, booking: { ...news.booking, previousStartAt: null } };
  const previousStartAt = unsent.booking.previousStartAt ?? news.booking.previousStartAt;
  const booking = { ...news.booking, previousStartAt };
  if (booking.status !== "confirmed") return { ...push, booking };
  // The CRM knows that the booking ended, and does not know yet that it is confirmed again.
  if (unsent.type === "lead.updated") return { ...push, type: unsent.type, booking };
  const isMoved = previousStartAt !== null && previousStartAt !== booking.startAt;
  return isMoved ? { ...push, type: "booking.rescheduled", booking } : null;
}

/** Those of which the CRM heard less than `pauseMs` ago wait, so that later changes join them. Returns how many. */
export function* pausePushes(ids: readonly number[], now: number, pauseMs: number): Steps<number> {
  const due = yield* all<{ id: number; leadId: string; payload: string }>(
    `SELECT id, lead_id AS leadId, payload FROM jobs
     WHERE id IN (SELECT CAST(value AS bigint) FROM json_each(?)) AND kind = 'push_to_crm'
       AND attempts = 0 AND claimed_until IS NULL`,
    [JSON.stringify(ids)],
  );
  let held = 0;
  for (const { id, leadId, payload } of due) {
    const push = bookingPush(payload);
    if (!push || push.type === "booking.created") continue;
    const pushedAt = yield* lastPush(leadId, now - pauseMs, now);
    if (pushedAt === null) continue;
    yield* postpone(id, pushedAt + pauseMs, now, "the CRM heard of this booking a moment ago");
    held += 1;
  }
  return held;
}

/** When the last push about this lead went out, if since a moment. */
function* lastPush(leadId: string, since: number, now: number): Steps<number | null> {
  const last = yield* get<{ at: number | null }>(
    `SELECT max(touched_at) AS at FROM jobs INDEXED BY jobs_by_lead
     WHERE lead_id = ? AND kind = 'push_to_crm' AND touched_at > ? AND touched_at <= ? AND ${COUNTS}`,
    [leadId, since, now + CLOCK_SLACK_MS],
  );
  return last?.at ?? null;
}
