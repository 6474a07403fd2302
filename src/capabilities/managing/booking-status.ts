import { z } from "zod";
import { rfc3339 } from "../../domain/schedule.ts";
import { defineCapability } from "../core/capability.ts";
import { SAMPLE_CODE } from "../core/sample-person.ts";
import { calendarDate, clockTime, timestamp } from "../core/shapes.ts";
import { bookingWithCode } from "./identify.ts";
import { CALL_THE_SHOP } from "./next-steps.ts";
import { bookingStatusWord, confirmationCode } from "./shapes.ts";

/** The state of a booking, without anything about a person. Source: contract 13. */
export const bookingStatus = defineCapability({
  id: "booking_status",
  title: "Status of a booking",
  description: "Status and time of a booking; nothing about the customer.",
  returnsPrice: false,
  useWhen: ["The user asks whether an appointment stands."],
  avoidWhen: ["The user wants to change it: find_booking."],
  input: () => z.object({ confirmation_code: confirmationCode() }),
  output: () =>
    z
      .object({
        confirmation_code: z.string().describe("The code that was asked for."),
        status: bookingStatusWord().meta({ title: "BookingStatus" }),
        date: calendarDate(),
        time: clockTime(),
        start: timestamp(),
        end: timestamp(),
        service: z.string().describe("Key of the service."),
      })
      .meta({ title: "BookingState", description: "A booking without its customer." }),
  status: 200,
  errors: ["BOOKING_NOT_FOUND"],
  sample: () => ({ confirmation_code: SAMPLE_CODE }),
  async run({ confirmation_code }, ctx) {
    const booking = await bookingWithCode(confirmation_code, ctx);
    const { confirmationCode: code, status, date, time, startAt, endAt, service } = booking;
    return {
      data: {
        confirmation_code: code,
        status,
        date,
        time,
        start: rfc3339(ctx.catalog, startAt),
        end: rfc3339(ctx.catalog, endAt),
        service,
      },
      suggestions: ctx.catalog.bookings.self_service.enabled
        ? [
            {
              action: "find_booking",
              description: "See the whole booking: put in the customer's own phone or e-mail.",
              input: { confirmation_code: code },
              fillIn: ["phone"],
            },
          ]
        : [CALL_THE_SHOP],
    };
  },
});
