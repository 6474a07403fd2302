/** Confirms a held booking. One machine for customers, the owner and payments (`Policy`). Source: contract 6. */
import { STORE_RETRY_SECONDS } from "../../errors.ts";
import { fieldsOf } from "../../lib/fields.ts";
import type { Booking, Confirming, ConfirmOutcome } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { messagePlans, storeBooking } from "../core/stored-requests.ts";
import { appointmentOf, messagesIn } from "./confirmation.ts";
import { changeableUntil, type Policy, told } from "./policy.ts";

/**
 * What the store writes when a hold is confirmed: the messages of a booking made now, and the answer for it.
 * @param bays with them a hold that is over is confirmed too, while one is free
 */
export async function confirming(
  booking: Booking,
  policy: Policy,
  { catalog, store, now }: Pick<Context<never>, "catalog" | "store" | "now">,
  bays?: number,
): Promise<Confirming> {
  const { confirmationCode } = booking;
  const at = now.epochMilliseconds;
  const lead = await store.findLead(booking.lead.id);
  if (!lead) throw new Error("a booking has no lead");
  const { planLead } = await messagePlans();
  const cause = { ...lead, details: fieldsOf(lead.details), consent: lead.consent ? fieldsOf(lead.consent) : null };
  const planned = planLead({ ...cause, createdAt: at }, appointmentOf(booking, catalog), catalog);
  const jobs = await told(planned.jobs, "booked", policy);
  const { held_until: _, ...held } = fieldsOf(booking.answer);
  const answer = {
    ...held,
    status: "confirmed",
    can_change_until: changeableUntil({ ...booking, status: "confirmed" }, { catalog }),
    messages: messagesIn(jobs, catalog.pages.manage !== undefined),
  };
  return { confirmationCode, at, jobs, answer, bays };
}

/** @throws ApiError BOOKING_FAILED, at the desk StoreUnavailable */
export async function confirmHold(
  booking: Booking,
  policy: Policy,
  ctx: Context<"BOOKING_FAILED">,
  bays?: number,
): Promise<ConfirmOutcome> {
  const write = await confirming(booking, policy, ctx, bays);
  return storeBooking(() => ctx.store.confirmHeld(write), policy, ctx, NOT_STORED);
}

/** Who books what they hold confirms it. @throws ApiError BOOKING_FAILED */
export async function bookHeld(booking: Booking, policy: Policy, ctx: Context<"BOOKING_FAILED">): Promise<Booking> {
  const outcome = await confirmHold(booking, policy, ctx);
  if (outcome.kind === "confirmed") return outcome.booking;
  const details = { retry_after_seconds: STORE_RETRY_SECONDS };
  return ctx.fail("BOOKING_FAILED", "The time is no longer held. This request booked nothing.", details);
}

const NOT_STORED = {
  unknown: "Whether it was confirmed is not known. Sent again, it is not confirmed twice.",
  notStored: "It could not be confirmed just now. This request changed nothing.",
};
