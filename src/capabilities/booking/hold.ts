/** Confirms a held booking. One machine for customers, the owner and payments (`Policy`). Source: contract 6. */
import type { DepositNews } from "../../catalog/sections/messages.ts";
import { depositTerms } from "../../catalog/shop.ts";
import { rfc3339 } from "../../domain/schedule.ts";
import { STORE_RETRY_SECONDS } from "../../errors.ts";
import { fieldsOf } from "../../lib/fields.ts";
import { toCents } from "../../lib/money.ts";
import type { Booking, Confirming, ConfirmOutcome, NewJob } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { messagePlans, storeBooking } from "../core/stored-requests.ts";
import { appointmentOf, messagesIn } from "./confirmation.ts";
import { depositSaid, dropPage, openPage, paymentIn, toPayment } from "./deposit.ts";
import { changeableUntil, type Policy, told } from "./policy.ts";

/**
 * What the store writes when a hold is confirmed: the messages of a booking made now, and the answer for it.
 * @param bays with them a hold that is over is confirmed too, while one is free
 * @param paid the deposit that confirms it, in cents
 */
export async function confirming(
  booking: Booking,
  policy: Policy,
  { catalog, store, now }: Pick<Context<never>, "catalog" | "store" | "now">,
  bays?: number,
  paid?: number,
): Promise<Confirming> {
  const { confirmationCode } = booking;
  const at = now.epochMilliseconds;
  const lead = await store.findLead(booking.lead.id);
  if (!lead) throw new Error("a booking has no lead");
  const { planLead } = await messagePlans();
  const cause = { ...lead, details: fieldsOf(lead.details), consent: lead.consent ? fieldsOf(lead.consent) : null };
  const deposit = paid === undefined ? undefined : depositSaid("paid", paid, 0, catalog);
  const appointment = { ...appointmentOf(booking, catalog), ...(deposit && { deposit }) };
  const planned = planLead({ ...cause, createdAt: at }, appointment, catalog);
  const jobs = await told(planned.jobs, "booked", policy);
  const answer = {
    can_change_until: changeableUntil({ ...booking, status: "confirmed" }, { catalog }),
    messages: messagesIn(jobs, catalog.pages.manage !== undefined),
  };
  return { confirmationCode, at, jobs, answer, bays, changes: booking.changes };
}

/** `waits`: it is booked once its deposit is paid. */
type HoldOutcome = Exclude<ConfirmOutcome, { kind: "outdated" }> | { kind: "waits"; booking: Booking };

/** @throws ApiError BOOKING_FAILED, at the desk StoreUnavailable */
export async function confirmHold(
  booking: Booking,
  policy: Policy,
  ctx: Context<"BOOKING_FAILED">,
  bays?: number,
): Promise<HoldOutcome> {
  const waiting = policy.deposits && booking.status === "held" ? await waitForDeposit(booking, policy, ctx) : null;
  if (waiting) return waiting;
  const write = await confirming(booking, policy, ctx, bays);
  const outcome = await storeBooking(() => ctx.store.confirmHeld(write), policy, ctx, NOT_STORED);
  return outcome.kind === "outdated" ? confirmHold(outcome.booking, policy, ctx, bays) : outcome;
}

/** Who books what they hold confirms it. @throws ApiError BOOKING_FAILED */
export async function bookHeld(booking: Booking, policy: Policy, ctx: Context<"BOOKING_FAILED">): Promise<Booking> {
  const outcome = await confirmHold(booking, policy, ctx);
  if (outcome.kind === "confirmed" || outcome.kind === "waits") return outcome.booking;
  const details = { retry_after_seconds: STORE_RETRY_SECONDS };
  return ctx.fail("BOOKING_FAILED", "The time is no longer held. This request booked nothing.", details);
}

const NOT_STORED = {
  unknown: "Whether it was confirmed is not known. Sent again, it is not confirmed twice.",
  notStored: "It could not be confirmed just now. This request changed nothing.",
};

/** A hold of work that asks for a deposit leads to its payment. @returns null where it asks for none */
async function waitForDeposit(
  booking: Booking,
  policy: Policy,
  ctx: Context<"BOOKING_FAILED">,
): Promise<HoldOutcome | null> {
  const { catalog, store, now, payments } = ctx;
  // The customer pays the deposit that the hold named, as long as the shop asks for one.
  const told = paymentIn(booking.answer);
  if (told?.url) return { kind: "waits", booking };
  if (!told || !payments || !depositTerms(booking.service, catalog)) return null;
  const amount = toCents(told.amount);
  const page = await openPage(booking, amount, ctx);
  const answer = { held_until: rfc3339(catalog, page.payUntil), payment: toPayment(amount, page, catalog) };
  const write = () => store.openDeposit(booking.confirmationCode, page, answer, now.epochMilliseconds);
  const outcome = await storeBooking(write, policy, ctx, NOT_STORED);
  if (outcome.kind !== "open" || paymentIn(outcome.booking.answer)?.url !== page.url) await dropPage(page, ctx);
  if (outcome.kind === "unknown") return outcome;
  const { booking: after, kind } = outcome;
  if (kind === "open") return { kind: "waits", booking: after };
  // Confirmed meanwhile, or over.
  return after.status === "confirmed" ? { kind: "confirmed", booking: after, isNew: false } : { kind, booking: after };
}

/** The messages about the deposit of a booking. */
export async function depositNews(
  what: DepositNews,
  booking: Booking,
  { catalog, store, now }: Pick<Context<never>, "catalog" | "store" | "now">,
): Promise<NewJob[]> {
  const { planDepositNews } = await messagePlans();
  const [lead, deposit] = await Promise.all([store.findLead(booking.lead.id), store.depositOf(booking.id)]);
  const customer = { ...booking.lead, consent: lead?.consent ? fieldsOf(lead.consent) : null };
  return planDepositNews(what, customer, appointmentOf(booking, catalog), deposit, now.epochMilliseconds, catalog);
}
