/** Ending a booking: one wording for the command and the screen. */
import type { BookingStatus } from "../../src/domain/lifecycle.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";
import { dayAndDate } from "../terminal/times.ts";
import { statusInWords } from "./entry-text.ts";
import { noSuchBooking } from "./find.ts";

/**
 * Completes or cancels a confirmed booking, or marks it as a no-show.
 * @param at epoch milliseconds
 * @throws Failure with the reason when the booking stays as it is
 */
export async function moveBooking(store: Store, code: string, to: BookingStatus, at: number): Promise<Booking> {
  const outcome = await store.moveBooking(code, to, at);
  switch (outcome.kind) {
    case "moved":
      return outcome.booking;
    case "unknown":
      throw new Failure(noSuchBooking(code));
    case "refused":
      throw new Failure(
        `Booking ${code} is ${statusInWords(outcome.booking.status)} already; only a confirmed one can be ${statusInWords(to)}.`,
      );
    case "too_early":
      throw new Failure(
        `Booking ${code} begins ${startInWords(outcome.booking)}, which is still to come; until then it can only be cancelled.`,
      );
  }
}

/** Says that a booking was moved. */
export function movedInWords(booking: Booking): string {
  return `Booking ${booking.confirmationCode} (${startInWords(booking)}, ${clean(booking.lead.name)}) is now ${statusInWords(booking.status)}.`;
}

function startInWords({ date, time }: Booking): string {
  return `${dayAndDate(date)} ${time}`;
}
