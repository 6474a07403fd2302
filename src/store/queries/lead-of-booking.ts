/** The lead of a booking follows it. Functions run inside the transaction of their caller. */
import { type LeadStatus, OPEN_LEADS, WITH_BOOKING } from "../../domain/lifecycle.ts";
import { findLead, setStatus } from "./leads.ts";
import type { Steps } from "./steps.ts";

export function* followBooking(leadId: string, to: LeadStatus, at: number): Steps<void> {
  const from = (yield* findLead(leadId))?.status;
  // A lead that the owner ended stays.
  if (from === undefined || !OPEN_LEADS.includes(from)) return;
  yield* setStatus(leadId, to, WITH_BOOKING, at);
}

/** Takes back `followBooking`; a lead that the owner ended stays. */
export function* unfollowBooking(leadId: string, at: number): Steps<void> {
  const [last, before] = (yield* findLead(leadId))?.history.toReversed() ?? [];
  if (last?.note === WITH_BOOKING && !OPEN_LEADS.includes(last.status))
    yield* setStatus(leadId, before?.status ?? "new", WITH_BOOKING, at);
}
