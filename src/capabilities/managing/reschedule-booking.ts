import { z } from "zod";
import { mostAtOnce, without } from "../../domain/bays.ts";
import { closedIn } from "../../domain/blocked-hours.ts";
import { shopDate } from "../../domain/schedule.ts";
import type { Start } from "../../domain/slots.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { date, optional, time } from "../../schema/fields.ts";
import type { Booking } from "../../store/store.ts";
import { refuseStart, slotAt } from "../booking/slot.ts";
import { type Answer, type Context, defineCapability } from "../core/capability.ts";
import { manageUrl } from "../shared/page-links.ts";
import { FORM_OF_START, firstStartOf, sampleWork } from "../shared/samples.ts";
import { isByPhone, requireChangeable, requireChangesLeft, requireSelfService } from "../shared/self-service.ts";
import { bookingOf } from "./identify.ts";
import { answerAbout } from "./next-steps.ts";
import { type ManagedBooking, managedBooking, PROOF_CHECKS, proof, SAMPLE_PROOF } from "./shapes.ts";
import { messagesOf, rewordedFor, storeChange, toldStart } from "./store-change.ts";

const rescheduleRequest = () =>
  z.object({
    ...proof,
    date: date().meta({ description: "New date, from a slot of check_availability." }),
    time: time().meta({ description: "New time HH:MM, from the same slot.", example: "09:00" }),
    dry_run: optional(z.boolean()).meta({ description: "true checks everything and changes nothing." }),
  });
type RescheduleRequest = z.output<ReturnType<typeof rescheduleRequest>>;

const RESCHEDULE_ERRORS = [
  "BOOKING_NOT_FOUND",
  "TOO_LATE_TO_CHANGE",
  "DATE_BLOCKED",
  "SLOT_TAKEN",
  "BOOKING_FAILED",
] as const;
type RescheduleContext = Context<(typeof RESCHEDULE_ERRORS)[number]>;

/** A customer moves a booking to another time. Source: contract 13. */
export const rescheduleBooking = defineCapability({
  id: "reschedule_booking",
  title: "Move a booking",
  description: "Moves a booking to another open time; code, price and length stay. dry_run shows the outcome first.",
  returnsPrice: true,
  useWhen: ["The user agreed to another time that is open."],
  avoidWhen: ["The user wants other work: cancel_booking, then book_appointment."],
  input: rescheduleRequest,
  output: managedBooking,
  status: 200,
  errors: RESCHEDULE_ERRORS,
  refusesUnknown: true,
  isByPhone,
  sample: (catalog, now, start = firstStartOf(sampleWork(catalog), catalog, now)) => ({
    ...SAMPLE_PROOF,
    ...(start ?? FORM_OF_START),
    dry_run: true,
  }),
  checks: PROOF_CHECKS,
  async run(input, ctx) {
    requireSelfService(ctx);
    return move(input, await bookingOf(input, ctx), ctx);
  },
});

async function move(
  input: RescheduleRequest,
  booking: Booking,
  ctx: RescheduleContext,
): Promise<Answer<ManagedBooking>> {
  const isThere = booking.status === "confirmed" && booking.date === input.date && booking.time === input.time;
  if (isThere) return input.dry_run ? dryRunAnswer(input, booking, ctx) : answerAbout(booking, input, ctx);
  requireChangeable(booking, ctx);
  requireChangesLeft(booking, ctx);
  const minutes = (booking.endAt - booking.startAt) / MINUTE_MS;
  const linkTo = (start: Start) => manageUrl(booking.confirmationCode, ctx.catalog, start);
  const slot = slotAt(input, minutes, ctx, { own: booking, linkTo });
  if (typeof slot === "function") return slot();
  const { startAt, endAt, busyUntil } = slot;
  const time = { date: slot.date, time: slot.time, startAt, endAt, busyUntil };
  const refuse = () => refuseStart("booked", input, minutes, ctx, { own: booking, linkTo });
  const { bays } = ctx.catalog.scheduling;
  const closed = closedIn(ctx.catalog, startAt, busyUntil);
  if (input.dry_run) {
    const others = without(booking, await ctx.store.busyBetween(startAt, busyUntil));
    if (mostAtOnce([...others, ...closed], startAt, busyUntil) >= bays) return refuse();
    return dryRunAnswer(input, { ...booking, ...time }, ctx);
  }

  // Loaded on first use, as in `newLead`.
  const { planRescheduling } = await import("../../jobs/plan-change.ts");
  const change = {
    ...time,
    confirmationCode: booking.confirmationCode,
    changes: booking.changes,
    at: ctx.now.epochMilliseconds,
    changedOn: shopDate(ctx.catalog, ctx.now),
    mostChanges: ctx.catalog.bookings.self_service.changes_per_day,
    jobs: await messagesOf(
      planRescheduling,
      booking,
      { startAt, endAt, previousStartAt: await toldStart(booking, ctx) },
      ctx,
    ),
    reworded: await rewordedFor(booking, { startAt, endAt }, ctx),
  };
  const outcome = await storeChange(() => ctx.store.rescheduleBooking(change, bays, closed), ctx);
  switch (outcome.kind) {
    case "changed":
      return answerAbout(outcome.booking, input, ctx);
    case "taken":
      return refuse();
    case "too_often":
    case "outdated":
      // Somebody else changed it meanwhile: try again.
      return move(input, await bookingOf(input, ctx), ctx);
  }
}

/** The answer that the move would get, and the move as the next step. */
function dryRunAnswer(input: RescheduleRequest, booking: Booking, ctx: RescheduleContext): Answer<ManagedBooking> {
  const { dry_run: _, ...real } = input;
  const answer = answerAbout(booking, input, ctx);
  return {
    ...answer,
    data: { ...answer.data, status: "dry_run" },
    suggestions: [
      { action: "reschedule_booking", description: "Make this move, once the customer agrees to it.", input: real },
    ],
  };
}
