/** What is held is booked. Source: contract 6. */
import { z } from "zod";
import { optional } from "../../schema/fields.ts";
import { confirmHold } from "../booking/hold.ts";
import { CUSTOMER } from "../booking/policy.ts";
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

export const confirmBooking = defineCapability({
  id: "confirm_booking",
  title: "Confirm a held booking",
  description: "Books a time that is held.",
  inTools: ["Books a time that {tool:book_appointment} held. Ask the end user first."],
  returnsPrice: true,
  useWhen: ["The user wants the held time."],
  avoidWhen: ["Nothing is held: {tool:book_appointment}."],
  input: () =>
    z.object({
      ...proof,
      dry_run: optional(z.boolean()).meta({ description: "true checks everything and changes nothing." }),
    }),
  output: managedBooking,
  status: 200,
  errors: ["BOOKING_NOT_FOUND", "HOLD_OVER", "BOOKING_FAILED"],
  refusesUnknown: true,
  sample: () => ({ ...SAMPLE_PROOF, dry_run: true }),
  demands: ["phone"],
  checks: PROOF_CHECKS,
  async run(input, ctx) {
    const found = await identifyBooking(input, ctx);
    if (input.dry_run) {
      if (found.status !== "held" && found.status !== "confirmed") return holdOver(ctx);
      return dryRunAnswer("confirm_booking", "Book it, once the customer agrees to that.", input, found, ctx);
    }
    const outcome = await confirmHold(found, CUSTOMER, ctx);
    return outcome.kind === "confirmed" || outcome.kind === "waits"
      ? answerAbout(outcome.booking, input, ctx)
      : holdOver(ctx);
  },
});

function holdOver({ fail }: Context<"HOLD_OVER">): never {
  return fail("HOLD_OVER", "This time is no longer held: it was not confirmed in time, was cancelled, or is over.");
}
