/** Changes a booking: another time, other work, or its end. One machine for customers and the owner (`Policy`). Source: contract 13. */

import { manageUrl } from "../../catalog/page-addresses.ts";
import { closedIn } from "../../domain/bays.ts";
import type { BookingStatus } from "../../domain/lifecycle.ts";
import { momentShown, shopDate } from "../../domain/schedule.ts";
import type { Slot, Start } from "../../domain/slots.ts";
import { withStart } from "../../job/forms.ts";
import { defined } from "../../lib/fields.ts";
import { durationInWords } from "../../lib/text.ts";
import type { MessagePlan } from "../../messages/customer-messages.ts";
import type { Appointment } from "../../messages/words.ts";
import type { Booking, ChangeOutcome, NewJob } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { messagePlans, storeBooking } from "../core/stored-requests.ts";
import { agreedEstimate, appointmentOf, storedConfirmation, storedWarnings } from "./confirmation.ts";
import { paidDeposit } from "./deposit.ts";
import { madeLegal, requireLegal } from "./legal-shade.ts";
import {
  CUSTOMER,
  type Policy,
  PriceToAgree,
  requireChangeable,
  requireChangesLeft,
  requireMovable,
  told,
} from "./policy.ts";
import { chooseSlot, isSlotFree, refuseTaken, requireUsual } from "./slot.ts";
import { bookedLength, type ChangedWork, changedWork, ownMinutes, type WorkWish } from "./work.ts";

interface ChangeWish {
  start?: Start;
  /** Other work; its fields are those of a booking. */
  work?: WorkWish;
  /** In cents, or that of the list in place of an agreed one. The list's, where it is left out. */
  price?: number | "list" | undefined;
  /** How long the work takes; the owner's own length of before, or else the price list's, where it is left out. */
  minutes?: number | undefined;
  isDryRun?: boolean | undefined;
}

export interface Change {
  outcome: Exclude<ChangeOutcome, { kind: "taken" }>;
  work?: ChangedWork | undefined;
  /** Why customers could not have this time; null for a usual one. */
  unusual: string | null;
}

type ChangeContext = Context<
  | ("TOO_LATE_TO_CHANGE" | "PRICE_AGREED" | "PRICE_CHANGED" | "SERVICE_NOT_FOUND")
  | ("DATE_BLOCKED" | "SLOT_TAKEN" | "NOT_LEGAL_SHADE" | "BOOKING_FAILED")
>;

/** Gives a booking another time, other work, or both; the code stays. Throws ApiError, and at the desk the errors of `Policy`. */
export async function change(booking: Booking, wish: ChangeWish, policy: Policy, ctx: ChangeContext): Promise<Change> {
  const { catalog, now } = ctx;
  const { start = booking } = wish;
  const isThere = booking.status === "confirmed" && momentShown(catalog, start.date, start.time) === booking.startAt;
  const asksForWork = wish.minutes !== undefined || Object.values(wish.work ?? {}).some((one) => one !== undefined);
  if (isThere && !asksForWork) return { outcome: { kind: "changed", booking }, unusual: null };
  if (policy.quotas) {
    requireMovable(booking, ctx);
    requireChangeable(booking, ctx);
  }
  const work = asksForWork ? await workAfter(booking, wish, policy, ctx) : undefined;
  // What is booked already is no change.
  if (isThere && work && Bun.deepEquals(work.answer, storedConfirmation.parse(booking.answer)))
    return { outcome: { kind: "changed", booking }, work, unusual: null };
  if (policy.quotas) requireChangesLeft(booking, ctx);
  const length = work ? { ...work.length, minutes: work.answer.duration_minutes } : bookedLength(booking, catalog);
  const wished = {
    start,
    work: { ...length, grid: policy.grid, notice: policy.notice },
    own: booking,
    linkTo: (other: Start) => withStart(manageUrl(booking.confirmationCode, catalog), other),
  };
  const slot = madeLegal(chooseSlot(wished, ctx), work?.judged, policy, ctx);
  if (typeof slot === "function") return slot();
  const isAsked = !policy.grid && (!isThere || slot.endAt > booking.endAt);
  const unusual = isAsked ? await requireUsual(slot, policy, ctx, booking) : null;
  const { date, time, startAt, endAt, busyUntil } = slot;
  const after = { ...booking, ...(work && { answer: { ...work.answer, warnings: work.warnings } }) };
  if (wish.isDryRun) {
    if (!(await isSlotFree(slot, ctx, booking))) return refuseTaken(wished, slot, ctx);
    const shown = { ...after, date, time, startAt, endAt, busyUntil };
    return { outcome: { kind: "changed", booking: shown }, work, unusual };
  }
  const rescheduling = {
    ...{ date, time, startAt, endAt, busyUntil },
    ...(work && { work: { answer: Object(after.answer), details: work.details } }),
    confirmationCode: booking.confirmationCode,
    changes: booking.changes,
    at: now.epochMilliseconds,
    ...(policy.quotas && {
      changedOn: shopDate(catalog, now),
      mostChanges: catalog.bookings.self_service.changes_per_day,
    }),
    jobs: await messagesAbout(after, slot, isThere, policy, ctx),
    reworded: await rewordedFor(after, { startAt, endAt }, ctx),
  };
  const closed = policy.anyway ? [] : closedIn(catalog, startAt, busyUntil);
  const write = () => ctx.store.rescheduleBooking(rescheduling, catalog.scheduling.bays, closed);
  const outcome = await storeBooking(write, policy, ctx, NOT_STORED);
  return outcome.kind === "taken" ? refuseTaken(wished, slot, ctx) : { outcome, work, unusual };
}

/** The other work with the price that the policy gives it. */
async function workAfter(
  booking: Booking,
  { work: asked, price, minutes }: ChangeWish,
  policy: Policy,
  ctx: ChangeContext,
) {
  const { catalog } = ctx;
  const before = storedConfirmation.parse(booking.answer);
  const wish = defined(asked ?? {});
  const same = {
    answer: before,
    details: {},
    ...storedWarnings.parse(booking.answer),
    judged: undefined,
    endsAgreement: false,
  };
  const work = Object.keys(wish).length > 0 ? await changedWork(wish, booking, policy, ctx) : same;
  if (work.endsAgreement && price === undefined) {
    if (policy.terms === "owner") throw new PriceToAgree(before.estimate, work.answer.estimate);
    const { phone } = catalog.business;
    ctx.fail("PRICE_AGREED", `The shop agreed a price for this booking. For other work call the shop at ${phone}.`);
  }
  // What was agreed to when it was booked is not asked about again.
  requireLegal(work.judged?.price?.law, policy, catalog);
  const own = policy.terms === "owner" ? (minutes ?? ownMinutes(booking, catalog)) : undefined;
  const { estimate, duration_minutes } = work.answer;
  const answer = {
    ...work.answer,
    estimate: typeof price === "number" ? agreedEstimate(estimate, price, catalog) : estimate,
    duration_minutes: own ?? duration_minutes,
    duration: durationInWords(own ?? duration_minutes),
  };
  const { overNight } = bookedLength(booking, catalog);
  return { ...work, answer, length: { overNight: overNight || own !== undefined } };
}

async function messagesAbout(
  after: Booking,
  { startAt, endAt }: Slot,
  isThere: boolean,
  policy: Policy,
  ctx: Context<never>,
): Promise<NewJob[]> {
  const { planNewWork, planRescheduling } = await messagePlans();
  // When it begins according to the last message that shop and customer got.
  const announced = isThere ? undefined : ((await ctx.store.unannouncedStart(after.lead.id)) ?? after.startAt);
  const moved = announced !== undefined && { previousStartAt: announced };
  const plan = isThere ? planNewWork : planRescheduling;
  const jobs = await messagesOfChange(plan, after, { startAt, endAt, ...moved }, ctx);
  return told(jobs, isThere ? "booked" : "rescheduled", policy);
}

/** The messages of a change. @param now the facts of the appointment that the change makes different */
export async function messagesOfChange(
  plan: MessagePlan,
  booking: Booking,
  now: Partial<Appointment>,
  ctx: Context<never>,
): Promise<NewJob[]> {
  const { phone, email, id, reference } = booking.lead;
  const lead = await ctx.store.findLead(id);
  const appointment = { ...appointmentOf(booking, ctx.catalog), changes: booking.changes + 1, ...now };
  const consent = lead?.consent ? Object(lead.consent) : null;
  return plan({ phone, email, consent, reference }, appointment, ctx.now.epochMilliseconds, ctx.catalog);
}

/** They say too what becomes of a deposit. */
export async function messagesOfCancellation(
  to: BookingStatus,
  booking: Booking,
  more: Partial<Appointment>,
  ctx: Context<never>,
): Promise<NewJob[]> {
  const { planCancellation } = await messagePlans();
  const deposit = (await paidDeposit(booking, ctx, to))?.said;
  return messagesOfChange(planCancellation, booking, { ...more, ...(deposit && { deposit }) }, ctx);
}

/** The messages of a new booking again, in words for the booking after a change. */
export async function rewordedFor(booking: Booking, now: Partial<Appointment>, ctx: Context<never>): Promise<NewJob[]> {
  const { rewordedMessages } = await messagePlans();
  const plan: MessagePlan = (customer, appointment, _at, catalog) =>
    rewordedMessages(customer, appointment, booking.createdAt, catalog);
  return messagesOfChange(plan, booking, now, ctx);
}

/** Ends a booking for its customer. Never refused for the number of changes: who will not come must always be able to say so. */
export async function cancelBooked(
  booking: Booking,
  reason: string | null,
  ctx: Context<"TOO_LATE_TO_CHANGE" | "BOOKING_FAILED">,
): Promise<ChangeOutcome> {
  requireChangeable(booking, ctx);
  const cancellation = {
    confirmationCode: booking.confirmationCode,
    changes: booking.changes,
    reason,
    changedOn: shopDate(ctx.catalog, ctx.now),
    at: ctx.now.epochMilliseconds,
    // Nobody was told of a hold.
    jobs:
      booking.status === "held"
        ? []
        : await messagesOfCancellation("cancelled_by_customer", booking, { note: reason }, ctx),
  };
  return storeBooking(() => ctx.store.cancelBooking(cancellation), CUSTOMER, ctx, NOT_STORED);
}

const NOT_STORED = {
  unknown: "Whether the change was stored is not known. Sent again, it is not made twice.",
  notStored: "The change could not be stored just now. This request changed nothing.",
};
