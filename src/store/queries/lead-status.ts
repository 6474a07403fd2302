/** Moving a lead forward, and one step back. These functions run inside the transaction of their caller. */
import type { JobKind } from "../../constants.ts";
import {
  bookedAs,
  LEAD_STATUSES,
  type LeadStatus,
  leadMayBecome,
  leadStateBefore,
  noLonger,
  OPEN_LEADS,
  reachedBy,
  WITH_BOOKING,
} from "../../domain/lifecycle.ts";
import { fieldsOf } from "../../lib/fields.ts";
import { newId } from "../../lib/ids.ts";
import { toCents } from "../../lib/money.ts";
import { findBooking } from "./bookings.ts";
import { refreshUnsent } from "./crm-pushes.ts";
import { insertJob, lapse, lapseOf } from "./jobs.ts";
import { findLead, isPushed, type LeadInFull, setStatus, type WonAmount } from "./leads.ts";
import { payForBooking, payForLead } from "./payments.ts";
import { all, run, type Steps } from "./steps.ts";

export const leadStatusQueries = {
  writes: { moveLead, undoLeadMove, callLeadAt },
};

export interface LeadStep {
  id: string;
  to: LeadStatus;
  note?: string | null;
  /** Epoch milliseconds. */
  at: number;
  /** What the customer pays, or was quoted, where that is known; an amount that was known before stays without it. */
  amount?: WonAmount | null;
  /** The code of the booking that wins the lead. */
  wonBy?: string | null;
}

type LeadMove =
  /** `lapsed`: how many reminders stopped. */
  { kind: "moved"; lead: LeadInFull; lapsed: number } | { kind: "refused"; lead: LeadInFull } | { kind: "unknown" };

/**
 * Moves a lead forward, or adds a note without moving it. Jobs lapse whose `unless` state is now reached; a reminder without
 * `unless` lapses when the lead is contacted. If the CRM was told of the lead, a push tells it of the change.
 */
function* moveLead({ id, to, note = null, at, amount = null, wonBy = null }: LeadStep): Steps<LeadMove> {
  const lead = yield* findLead(id);
  if (!lead) return { kind: "unknown" };
  const addsNote = lead.status === to && note !== null;
  if (!leadMayBecome(lead.status, to) && !addsNote) return { kind: "refused", lead };
  yield* setStatus(lead.id, to, note, at);
  if (amount) yield* setAmount(lead.id, to, amount);
  if (wonBy !== null || lead.status !== to) yield* setWinner(lead, wonBy);
  const ended = yield* all<{ kind: JobKind }>(
    `UPDATE jobs SET ${lapse(CONTACTED)}
       WHERE lead_id = ? AND status IN ('waiting', 'failed')
         AND coalesce(unless, CASE WHEN kind = 'remind_owner' THEN 'contacted' END) IN (SELECT value FROM json_each(?))
       RETURNING kind`,
    [lead.id, JSON.stringify(reachedBy(to))],
  );
  const moved = yield* announced(lead, note, at);
  return { kind: "moved", lead: moved, lapsed: ended.filter(({ kind }) => kind === "remind_owner").length };
}

/** Why reminders of a lead stopped. */
const CONTACTED = "its lead was contacted";

/**
 * Reminders that stopped with the step wait again. Won by hand before a booking won it, it is so again, for the price that was
 * agreed last. Refused where the lead is in another state, or has taken no step.
 */
function* undoLeadMove(id: string, from: LeadStatus, at: number): Steps<LeadMove> {
  const lead = yield* findLead(id);
  if (!lead) return { kind: "unknown" };
  const to = leadStateBefore(lead.history);
  if (to === null || lead.status !== from) return { kind: "refused", lead };
  const { wonBy } = lead;
  yield* setStatus(lead.id, to, wonBy && noLonger(bookedAs(wonBy)), at);
  yield* setAmount(lead.id, from, null);
  if (wonBy !== null && to === "won") yield* followPrice(wonBy, (yield* findBooking(wonBy))?.answer);
  yield* setWinner(lead, null);
  yield* run(
    `UPDATE jobs SET status = 'waiting', last_error = NULL
       WHERE lead_id = ? AND kind = 'remind_owner' AND status = 'lapsed' AND last_error = ?
         AND coalesce(unless, 'contacted') NOT IN (SELECT value FROM json_each(?))`,
    [lead.id, CONTACTED, JSON.stringify(reachedBy(to))],
  );
  return { kind: "moved", lead: yield* announced(lead, null, at), lapsed: 0 };
}

/** The inquiries that a booking won are lost with it, and won again with it, unless the owner moved them on meanwhile. */
export function* followWinner(
  { confirmationCode, answer }: { confirmationCode: string; answer: unknown },
  to: "won" | "lost",
  at: number,
): Steps<void> {
  const from = to === "won" ? "lost" : "won";
  const leads = yield* all<{ id: string }>("SELECT id FROM leads WHERE won_by = ? AND status = ?", [
    confirmationCode,
    from,
  ]);
  for (const { id } of leads) {
    const lead = yield* findLead(id);
    if (!lead || (to === "won" && lead.history.at(-1)?.note !== WITH_BOOKING)) continue;
    yield* setStatus(id, to, to === "won" ? bookedAs(confirmationCode) : WITH_BOOKING, at);
    if (to === "won") yield* followPrice(confirmationCode, answer);
    else yield* setAmount(id, "won", null);
    yield* announced(lead, null, at);
  }
}

/** What a booking won is won for the price that its answer has. */
export function* followPrice(confirmationCode: string, answer: unknown): Steps<void> {
  const { total, currency } = fieldsOf(fieldsOf(answer).estimate);
  const isPriced = typeof total === "number" && typeof currency === "string";
  const [cents, money] = isPriced ? [toCents(total), currency] : [null, null];
  yield* run("UPDATE leads SET won_cents = ?, won_currency = ? WHERE won_by = ? AND status = 'won'", [
    cents,
    money,
    confirmationCode,
  ]);
}

/** One reminder, or none, in place of those that wait; it lapses with the lead's next step. Refused when it has ended. */
function* callLeadAt(id: string, dueAt: number | null, at: number): Steps<LeadMove> {
  const lead = yield* findLead(id);
  if (!lead) return { kind: "unknown" };
  const unless = LEAD_STATUSES.find((to) => to !== lead.status && leadMayBecome(lead.status, to));
  if (unless === undefined || !OPEN_LEADS.includes(lead.status)) return { kind: "refused", lead };
  const lapsed = yield* run(
    `UPDATE jobs SET status = 'lapsed', last_error = 'another time to call back'
       WHERE lead_id = ? AND kind = 'remind_owner' AND status = 'waiting'`,
    [lead.id],
  );
  // Who is told of the reminders hears nothing of a time that no longer holds.
  yield* lapseOf(lead.id, "another time to call back", "kind = 'remind_owner_notice' AND status = 'waiting'");
  if (dueAt !== null) yield* insertJob(lead.id, { kind: "remind_owner", unless, payload: {}, dueAt }, at);
  return { kind: "moved", lead: (yield* findLead(lead.id)) ?? lead, lapsed };
}

/** @param of the state in which the amount is named */
function* setAmount(id: string, of: LeadStatus, amount: WonAmount | null): Steps<void> {
  const { cents = null, currency = null } = amount ?? {};
  const name = of === "quoted" ? "quoted" : "won";
  yield* run(`UPDATE leads SET ${name}_cents = ?, ${name}_currency = ? WHERE id = ?`, [cents, currency, id]);
}

/** What was paid for a lead goes with the booking that wins it, and comes back without it. */
function* setWinner({ id, wonBy }: LeadInFull, confirmationCode: string | null): Steps<void> {
  if (wonBy !== null) yield* payForLead(id, wonBy);
  yield* run("UPDATE leads SET won_by = ? WHERE id = ?", [confirmationCode, id]);
  if (confirmationCode !== null) yield* payForBooking(id, confirmationCode);
}

/** Tells the CRM of a lead that has changed. @returns the lead as it is now */
function* announced(lead: LeadInFull, note: string | null, at: number): Steps<LeadInFull> {
  const moved = (yield* findLead(lead.id)) ?? lead;
  yield* refreshUnsent(moved);
  if (yield* isPushed(lead.id)) {
    const payload = { id: newId("evt"), type: "lead.updated" as const, lead: moved, note, at };
    yield* insertJob(lead.id, { kind: "push_to_crm", unless: null, payload, dueAt: at }, at);
  }
  return moved;
}
