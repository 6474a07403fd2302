import { z } from "zod";
import { isCancelled } from "../../domain/lifecycle.ts";
import { shopDate } from "../../domain/schedule.ts";
import { optional, paragraph } from "../../schema/fields.ts";
import type { Booking } from "../../store/store.ts";
import { isByPhone, requireChangeable, requireSelfService } from "../booking/self-service.ts";
import { type Context, defineCapability } from "../core/capability.ts";
import {
  answerAbout,
  dryRunAnswer,
  identifyBooking,
  managedBooking,
  PROOF_CHECKS,
  proof,
  SAMPLE_PROOF,
} from "./managed-booking.ts";
import { messagesOfChange, storeChange } from "./store-change.ts";

const cancelRequest = () =>
  z.object({
    ...proof,
    reason: optional(paragraph()).meta({ description: "Why, in the customer's words; the shop sees it." }),
    dry_run: optional(z.boolean()).meta({ description: "true checks everything and changes nothing." }),
  });
type CancelRequest = z.output<ReturnType<typeof cancelRequest>>;

const CANCEL_ERRORS = ["BOOKING_NOT_FOUND", "TOO_LATE_TO_CHANGE", "BOOKING_FAILED"] as const;

/** A customer gives up a booking. Source: contract 13. */
export const cancelBooking = defineCapability({
  id: "cancel_booking",
  title: "Cancel a booking",
  description: "Cancels a booking and frees its time at once.",
  returnsPrice: true,
  useWhen: ["The user gives up an appointment, and confirmed which one."],
  avoidWhen: ["The user wants another time: reschedule_booking."],
  input: cancelRequest,
  output: managedBooking,
  status: 200,
  errors: CANCEL_ERRORS,
  refusesUnknown: true,
  isByPhone,
  sample: () => ({ ...SAMPLE_PROOF, dry_run: true }),
  demands: ["phone"],
  checks: PROOF_CHECKS,
  async run(input, ctx) {
    requireSelfService(ctx);
    const booking = await identifyBooking(input, ctx);
    if (!input.dry_run) return answerAbout(await cancelled(input, booking, ctx), input, ctx);
    if (!isCancelled(booking.status)) requireChangeable(booking, ctx);
    return dryRunAnswer("cancel_booking", "Cancel it, once the customer agrees to that.", input, booking, ctx);
  },
});

async function cancelled(
  input: CancelRequest,
  booking: Booking,
  ctx: Context<(typeof CANCEL_ERRORS)[number]>,
): Promise<Booking> {
  if (isCancelled(booking.status)) return booking;
  requireChangeable(booking, ctx);
  // Loaded on first use, as in `newLead`.
  const { planCancellation } = await import("../../messages/plan.ts");
  const change = {
    confirmationCode: booking.confirmationCode,
    changes: booking.changes,
    reason: input.reason ?? null,
    // A cancellation counts as a change and is never refused: a customer who will not come must always be able to say
    // so.
    changedOn: shopDate(ctx.catalog, ctx.now),
    at: ctx.now.epochMilliseconds,
    jobs: await messagesOfChange(planCancellation, booking, { note: input.reason ?? null }, ctx),
  };
  const outcome = await storeChange(() => ctx.store.cancelBooking(change), ctx);
  if (outcome.kind === "changed") return outcome.booking;
  // Somebody else changed it meanwhile: try again.
  return cancelled(input, await identifyBooking(input, ctx), ctx);
}
