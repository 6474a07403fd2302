import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { mostAtOnce, without } from "../../domain/bays.ts";
import { closedIn } from "../../domain/blocked-hours.ts";
import { shopDate } from "../../domain/schedule.ts";
import type { Start } from "../../domain/slots.ts";
import { ApiError } from "../../errors.ts";
import { moveUrl } from "../../job/forms.ts";
import { tokenIssue } from "../../job/price.ts";
import { pick } from "../../lib/fields.ts";
import { toUnits } from "../../lib/money.ts";
import { date, optional, soft, time } from "../../schema/fields.ts";
import type { Booking } from "../../store/store.ts";
import { legally } from "../booking/legal-shade.ts";
import { isByPhone, requireChangeable, requireChangesLeft, requireSelfService } from "../booking/self-service.ts";
import { refuseStart, slotAt } from "../booking/slot.ts";
import { type Answer, type Context, defineCapability, type FieldIssue } from "../core/capability.ts";
import { FORM_OF_START, firstStartOf, sampleWork } from "../core/samples.ts";
import { currencyUnits } from "../core/shapes.ts";
import { bookedLength, type ChangedWork, changedWork, WORK_FIELDS, workFields } from "./changed-work.ts";
import {
  answerAbout,
  dryRunAnswer,
  identifyBooking,
  type ManagedBooking,
  managedBooking,
  PROOF_CHECKS,
  proof,
  SAMPLE_PROOF,
} from "./managed-booking.ts";
import { announcedStart, messagesOfChange, priceOf, rewordedFor, storeChange } from "./store-change.ts";

const rescheduleRequest = (catalog: Shop) =>
  z.object({
    ...proof,
    date: optional(date()).meta({
      description: "New date, from a slot of check_availability; needed but for other work.",
      ...soft,
    }),
    time: optional(time()).meta({ description: "New time HH:MM, from the same slot.", example: "09:00", ...soft }),
    ...workFields(catalog),
    dry_run: optional(z.boolean()).meta({ description: "true checks everything and changes nothing." }),
  });
type RescheduleRequest = z.output<ReturnType<typeof rescheduleRequest>>;

const RESCHEDULE_ERRORS = [
  "BOOKING_NOT_FOUND",
  "TOO_LATE_TO_CHANGE",
  "PRICE_AGREED",
  "DATE_BLOCKED",
  "SLOT_TAKEN",
  "NOT_LEGAL_SHADE",
  "PRICE_CHANGED",
  "SERVICE_NOT_FOUND",
  "INVALID_VEHICLE_TYPE",
  "BOOKING_FAILED",
] as const;

const changedBooking = (catalog: Shop) =>
  managedBooking(catalog)
    .extend({
      previous_total: currencyUnits().optional().meta({ description: "Before other work was asked for." }),
      price_change: currencyUnits()
        .optional()
        .meta({ description: "What the other work costs more; less, where negative." }),
    })
    .meta({ title: "ChangedBooking", description: "The booking as it stands now." });
type ChangedBooking = ManagedBooking & { previous_total?: number | undefined; price_change?: number | undefined };
type RescheduleContext = Context<(typeof RESCHEDULE_ERRORS)[number]>;

/** A customer moves a booking to another time, or asks for other work. Source: contract 13. */
export const rescheduleBooking = defineCapability({
  id: "reschedule_booking",
  title: "Move a booking",
  description:
    "Moves a booking to another open time, changes its work, or both; the code stays. Price and length follow the work. dry_run shows the outcome first.",
  returnsPrice: true,
  useWhen: [
    "The user agreed to another time that is open.",
    "The user wants another film, shade, extra or vehicle in the same booking.",
  ],
  avoidWhen: ["The work is on a second vehicle: book_appointment."],
  input: rescheduleRequest,
  output: changedBooking,
  status: 200,
  errors: RESCHEDULE_ERRORS,
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE" },
  refusesUnknown: true,
  isByPhone,
  sample: (catalog, now, start = firstStartOf(sampleWork(catalog), catalog, now)) => ({
    ...SAMPLE_PROOF,
    ...(start ?? FORM_OF_START),
    dry_run: true,
  }),
  demands: ["phone", "date", "time"],
  checks: {
    ...PROOF_CHECKS,
    date: startIssue("date", "time"),
    time: startIssue("time", "date"),
    estimate_id: (token) => tokenIssue(token, "automotive"),
  },
  async run(input, ctx) {
    requireSelfService(ctx);
    const booking = await identifyBooking(input, ctx);
    requireWholeStart(input, booking);
    return move(input, booking, ctx);
  },
});

async function move(
  input: RescheduleRequest,
  booking: Booking,
  ctx: RescheduleContext,
): Promise<Answer<ChangedBooking>> {
  const { date: asksDate = booking.date, time: asksTime = booking.time, ...wish } = input;
  const start = { date: asksDate, time: asksTime };
  const isThere = booking.status === "confirmed" && booking.date === start.date && booking.time === start.time;
  const asked = pick(wish, ...WORK_FIELDS);
  const asksForWork = Object.keys(asked).length > 0;
  const moveLater = (after: Booking) =>
    dryRunAnswer("reschedule_booking", "Make this move, once the customer agrees to it.", input, after, ctx);
  if (isThere && !asksForWork) return input.dry_run ? moveLater(booking) : answerAbout(booking, input, ctx);
  requireChangeable(booking, ctx);
  requireChangesLeft(booking, ctx);
  const work = await changedWork(asked, booking, ctx);
  if (work?.endsAgreement) {
    const { phone } = ctx.catalog.business;
    ctx.fail("PRICE_AGREED", `The shop agreed a price for this booking. For other work call the shop at ${phone}.`);
  }
  const booked = bookedLength(booking, ctx.catalog);
  const length = { ...booked, minutes: work?.minutes ?? booked.minutes };
  const linkTo = (other: Start) => moveUrl(booking.confirmationCode, other, ctx.catalog);
  const slot = legally(slotAt(start, length, ctx, { own: booking, linkTo }), work?.judged, ctx);
  if (typeof slot === "function") return slot();
  const { startAt, endAt, busyUntil } = slot;
  const time = { date: slot.date, time: slot.time, startAt, endAt, busyUntil };
  const refuse = () => refuseStart("booked", start, length, ctx, { own: booking, linkTo, slot });
  const { bays } = ctx.catalog.scheduling;
  const closed = closedIn(ctx.catalog, startAt, busyUntil);
  if (input.dry_run) {
    const others = without(booking, await ctx.store.busyBetween(startAt, busyUntil));
    if (mostAtOnce([...others, ...closed], startAt, busyUntil) >= bays) return refuse();
    return withChange(moveLater({ ...booking, ...time, ...(work && { answer: work.answer }) }), booking, work);
  }

  // Loaded on first use, as in `newLead`.
  const { planNewWork, planRescheduling } = await import("../../messages/plan.ts");
  const after = { ...booking, ...(work && { answer: work.answer }) };
  const change = {
    ...(work && { work: { answer: work.answer, details: work.details } }),
    ...time,
    confirmationCode: booking.confirmationCode,
    changes: booking.changes,
    at: ctx.now.epochMilliseconds,
    changedOn: shopDate(ctx.catalog, ctx.now),
    mostChanges: ctx.catalog.bookings.self_service.changes_per_day,
    jobs: isThere
      ? await messagesOfChange(planNewWork, after, { startAt, endAt }, ctx)
      : await messagesOfChange(
          planRescheduling,
          after,
          { startAt, endAt, previousStartAt: await announcedStart(booking, ctx) },
          ctx,
        ),
    reworded: await rewordedFor(after, { startAt, endAt }, ctx),
  };
  const outcome = await storeChange(() => ctx.store.rescheduleBooking(change, bays, closed), ctx);
  switch (outcome.kind) {
    case "changed":
      return withChange(answerAbout(outcome.booking, input, ctx), booking, work);
    case "taken":
      return refuse();
    case "too_often":
    case "outdated":
      // Somebody else changed it meanwhile: try again.
      return move(input, await identifyBooking(input, ctx), ctx);
  }
}

/** A date needs its time, and the other way round, which is asked at once where the booking is not named. */
function startIssue(field: "date" | "time", other: "date" | "time") {
  return (value: unknown, _: Shop, body?: Readonly<Record<string, unknown>>): FieldIssue | undefined => {
    if (value !== undefined || body === undefined) return undefined;
    const isKnown =
      body[other] === undefined
        ? WORK_FIELDS.some((name) => body[name] !== undefined)
        : body.confirmation_code !== undefined && (body.phone ?? body.email) !== undefined;
    return isKnown ? undefined : { missing: field, message: "is missing" };
  };
}

/** Refuses a date without its time, and the other way round, with that of the booking in the sample. @throws ApiError */
function requireWholeStart({ date, time }: RescheduleRequest, booking: Booking): void {
  if ((date === undefined) === (time === undefined)) return;
  const missing = date === undefined ? "date" : "time";
  const known = { [missing]: booking[missing] };
  throw new ApiError("MISSING_FIELD", `${missing} is missing.`, { missing_fields: [missing], known });
}

/** What the change of the work costs, and what the customer should know of it. */
function withChange(
  answer: Answer<ManagedBooking>,
  booking: Booking,
  work: ChangedWork | undefined,
): Answer<ChangedBooking> {
  if (!work) return answer;
  const [before, now] = [priceOf(booking), priceOf({ answer: work.answer })];
  return {
    ...answer,
    warnings: work.warnings,
    data: {
      ...answer.data,
      ...(before !== null && { previous_total: toUnits(before) }),
      ...(before !== null && now !== null && { price_change: toUnits(now - before) }),
    },
  };
}
