/** What is read of a booking: the whole of it by its customer, its state by anybody, and the times to which it can move. */
import { z } from "zod";
import { addDays, laterDate, rfc3339, shopDate } from "../../domain/schedule.ts";
import { isOpen } from "../../domain/slots.ts";
import type { Booking } from "../../store/store.ts";
import { storedWarnings } from "../booking/confirmation.ts";
import { toCompactDay } from "../booking/open-times.ts";
import { isByPhone, requireSelfService } from "../booking/policy.ts";
import { bookedLength } from "../booking/work.ts";
import { type Context, defineCapability } from "../core/capability.ts";
import { SAMPLE_CODE } from "../core/sample-person.ts";
import { calendarDate, clockTime, timestamp } from "../core/shapes.ts";
import {
  answerAbout,
  bookingStatusWord,
  bookingWithCode,
  CALL_THE_SHOP,
  confirmationCode,
  identifyBooking,
  managedBooking,
  PROOF_CHECKS,
  proof,
  SAMPLE_PROOF,
} from "./managed-booking.ts";

/** A booking as it is now, for its customer. Source: contract 13. */
export const findBooking = defineCapability({
  id: "find_booking",
  title: "Look up a booking",
  description: "The booking as it is now, and until when it can be changed.",
  inTools: ["The booking as it is, and until when it can be changed."],
  returnsPrice: true,
  useWhen: ["The user wants to see or change an appointment."],
  avoidWhen: ["You lack code or contact: ask, never guess."],
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
    const booking = await identifyBooking(input, ctx);
    // An assistant may have changed it: the customer sees what was taken out.
    const warnings = storedWarnings.parse(booking.answer).warnings.filter(({ code }) => code === "REMOVED");
    return { ...(await answerAbout(booking, input, ctx)), warnings };
  },
});

/** The state of a booking, without anything about a person. Source: contract 13. */
export const bookingStatus = defineCapability({
  id: "booking_status",
  title: "Status of a booking",
  description: "Status and time of a booking; nothing about the customer.",
  inTools: ["Status and time of a booking, without its customer."],
  returnsPrice: false,
  useWhen: ["The user asks whether an appointment stands."],
  avoidWhen: ["The user wants to change it: {tool:find_booking}."],
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
    const { confirmationCode: code, status, date, time, service } = booking;
    const [start, end] = [rfc3339(ctx.catalog, booking.startAt), rfc3339(ctx.catalog, booking.endAt)];
    return {
      data: { confirmation_code: code, status, date, time, start, end, service },
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

/**
 * Days with the times at which the booking's own length fits. Its own bay counts as free, and the time that it has is left out.
 * @param from the first of `count` days; by default today
 * @returns the days, and where none of them has a time, the next one that has
 */
export async function timesToMove(booking: Booking, from: string | undefined, count: number, ctx: Context<never>) {
  const { catalog, now, diary } = ctx;
  const work = bookedLength(booking, catalog);
  const today = shopDate(catalog, now);
  const found = await diary.days(from ?? today, count, work, { catalog, now }, booking);
  const others = found.map(({ slots, ...day }) => ({
    ...day,
    open: slots.filter((slot) => isOpen(slot) && slot.startAt !== booking.startAt),
  }));
  const hasTime = others.some(({ open }) => open.length > 0);
  const first = hasTime ? null : await diary.firstOpen(work, { catalog, now });
  const next = first && laterDate(first.date, addDays(found.at(-1)?.date ?? today, 1));
  const isBookable = next !== null && next <= addDays(today, catalog.scheduling.horizon_days);
  return { days: others.map(toCompactDay), next: isBookable ? next : undefined };
}
