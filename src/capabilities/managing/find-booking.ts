import { z } from "zod";
import { defineCapability } from "../core/capability.ts";
import { bookingOf } from "./identify.ts";
import { stepsAfter } from "./next-steps.ts";
import { requireSelfService } from "./self-service.ts";
import { managedBooking, PROOF_CHECKS, proof, SAMPLE_PROOF, toManagedBooking } from "./shapes.ts";

/** A booking as it stands now, for its customer. Source: contract section 13. */
export const findBooking = defineCapability({
  id: "find_booking",
  title: "Look up a booking",
  description:
    "The whole booking as it stands now, and until when it can be changed. Takes the confirmation code with the phone or e-mail it was made with. Changes nothing.",
  returnsPrice: true,
  useWhen: ["The user wants to see, move or cancel an appointment and has its confirmation code."],
  avoidWhen: ["You do not have both the code and the customer's phone or e-mail: ask for them, never guess."],
  input: () => z.object(proof),
  output: managedBooking,
  status: 200,
  errors: ["BOOKING_NOT_FOUND"],
  refusesUnknown: true,
  tool: false,
  sample: () => SAMPLE_PROOF,
  checks: PROOF_CHECKS,
  async run(input, ctx) {
    requireSelfService(ctx);
    const booking = await bookingOf(input, ctx);
    const data = toManagedBooking(booking, ctx);
    return { data, suggestions: stepsAfter(booking, data, input, ctx) };
  },
});
