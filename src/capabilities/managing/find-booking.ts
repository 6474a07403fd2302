import { z } from "zod";
import { isByPhone, requireSelfService } from "../booking/self-service.ts";
import { defineCapability } from "../core/capability.ts";
import { identifyBooking } from "./identify.ts";
import { answerAbout } from "./next-steps.ts";
import { managedBooking, PROOF_CHECKS, proof, SAMPLE_PROOF } from "./shapes.ts";

/** A booking as it stands now, for its customer. Source: contract 13. */
export const findBooking = defineCapability({
  id: "find_booking",
  title: "Look up a booking",
  description: "The booking as it stands now, and until when it can be changed.",
  returnsPrice: true,
  useWhen: ["The user wants to see or change an appointment."],
  avoidWhen: ["You lack the code or the customer's contact: ask, never guess."],
  input: () => z.object(proof),
  output: managedBooking,
  status: 200,
  errors: ["BOOKING_NOT_FOUND"],
  refusesUnknown: true,
  isByPhone,
  sample: () => SAMPLE_PROOF,
  demands: ["phone"],
  checks: PROOF_CHECKS,
  async run(input, ctx) {
    requireSelfService(ctx);
    return answerAbout(await identifyBooking(input, ctx), input, ctx);
  },
});
