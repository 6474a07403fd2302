/** Messages that wait while their booking changes. These functions run inside the transaction of their caller. */
import { fieldsOf } from "../../lib/fields.ts";
import { insertJob, lapse, lapseOf, type NewJob, setPayload } from "./jobs.ts";
import { findLead } from "./leads.ts";
import { all, get, type Steps } from "./steps.ts";

export const rewordingQueries = {
  reads: { unannouncedStart },
  writes: { addMessage },
};

/** `waits`: nothing was added, because a message of this kind waits already. */
export type AddedMessage = "added" | "waits" | "unknown";

/** Only messages that were never tried: after an attempt the customer may have the old words already. */
const UNTRIED = "status IN ('waiting', 'failed') AND attempts = 0 AND claimed_until IS NULL";

/** The text to the shop that was written with the booking, not one about a later change. */
const ABOUT_NEW_BOOKING = "created_at = (SELECT created_at FROM leads WHERE leads.id = lead_id)";

/** The words for the booking as it now is. Returns whether the shop's text about the new booking was among them. */
export function* reword(leadId: string, messages: readonly NewJob[]): Steps<boolean> {
  let isShopTextWaiting = false;
  for (const { kind, payload } of messages) {
    const waiting = yield* all<{ id: number; payload: string }>(
      `SELECT id, payload FROM jobs INDEXED BY jobs_by_lead
       WHERE lead_id = ? AND kind = ? AND ${UNTRIED} AND (kind <> 'notify_shop_sms' OR ${ABOUT_NEW_BOOKING})`,
      [leadId, kind],
    );
    for (const job of waiting) {
      // Whom the step of `follow_up` names stays.
      const { receivers } = fieldsOf(JSON.parse(job.payload));
      const reworded = { ...payload, ...(receivers !== undefined && { receivers }) };
      yield* setPayload(job.id, reworded);
    }
    if (kind === "notify_shop_sms" && waiting.length > 0) isShopTextWaiting = true;
  }
  return isShopTextWaiting;
}

/** When an appointment began before the first of its moves whose message still waits; null when none waits, or when it was never confirmed. */
function* unannouncedStart(leadId: string): Steps<number | null> {
  const confirmations = yield* get<{ all: number; lapsed: number }>(
    `SELECT count(*) AS "all", count(CASE WHEN status = 'lapsed' AND attempts = 0 THEN 1 END) AS lapsed
     FROM jobs INDEXED BY jobs_by_lead WHERE lead_id = ? AND kind IN ('confirmation_sms', 'confirmation_email')`,
    [leadId],
  );
  if (confirmations && confirmations.lapsed > 0 && confirmations.lapsed === confirmations.all) return null;
  const waiting = yield* all<{ payload: string }>(
    `SELECT payload FROM jobs INDEXED BY jobs_by_lead
     WHERE lead_id = ? AND kind IN ('rescheduled_sms', 'rescheduled_email', 'notify_shop_sms') AND ${UNTRIED} ORDER BY id`,
    [leadId],
  );
  for (const { payload } of waiting) {
    const { movedFrom } = fieldsOf(JSON.parse(payload));
    if (typeof movedFrom === "number") return movedFrom;
  }
  return null;
}

/** Texts to the shop about earlier changes of a booking lapse: a later change made them wrong. */
export function* lapseOldChanges(leadId: string): Steps<void> {
  const changes = `kind = 'notify_shop_sms' AND ${UNTRIED} AND NOT ${ABOUT_NEW_BOOKING}`;
  yield* lapseOf(leadId, "its booking was changed again", changes);
}

/** Returns whether the text about the new booking was among them: then the shop never heard of it. */
export function* lapseShopTexts(leadId: string): Steps<boolean> {
  const lapsed = yield* all<{ isNew: number | boolean }>(
    `UPDATE jobs INDEXED BY jobs_by_lead SET ${lapse("its booking ended before the text was sent")}
       WHERE lead_id = ? AND kind = 'notify_shop_sms' AND ${UNTRIED} RETURNING ${ABOUT_NEW_BOOKING} AS isNew`,
    [leadId],
  );
  return lapsed.some(({ isNew }) => Boolean(isNew));
}

/** Adds a message to the customer of a lead, unless one of its kind waits. */
function* addMessage(leadId: string, job: NewJob, at: number): Steps<AddedMessage> {
  if (!(yield* findLead(leadId))) return "unknown";
  const waiting = yield* get(
    "SELECT 1 FROM jobs INDEXED BY jobs_by_lead WHERE lead_id = ? AND kind = ? AND status = 'waiting'",
    [leadId, job.kind],
  );
  if (waiting) return "waits";
  yield* insertJob(leadId, job, at);
  return "added";
}
