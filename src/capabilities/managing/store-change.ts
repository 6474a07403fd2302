/** Storing a customer's change of a booking, with its messages. */
import type { Shop } from "../../catalog/shop.ts";
import { toCents } from "../../lib/money.ts";
import type { MessagePlan } from "../../messages/customer-messages.ts";
import type { Appointment } from "../../messages/words.ts";
import type { Booking, ChangeOutcome, NewJob } from "../../store/store.ts";
import { extrasOf, storedConfirmation } from "../booking/confirmation.ts";
import type { Context } from "../core/capability.ts";
import { storeBooking } from "../core/stored-requests.ts";

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

export function appointmentOf(booking: Booking, catalog: Shop): Appointment {
  const confirmation = storedConfirmation.safeParse(booking.answer).data;
  const withTax = confirmation?.estimate?.total_with_tax;
  return {
    code: booking.confirmationCode,
    name: booking.lead.name,
    service: booking.service,
    startAt: booking.startAt,
    endAt: booking.endAt,
    price: priceOf(booking),
    ...(withTax !== undefined && { withTax: toCents(withTax) }),
    extras: confirmation ? extrasOf(confirmation, catalog) : [],
    changes: booking.changes,
    ...(confirmation && {
      job: {
        phone: booking.lead.phone,
        extension: booking.lead.extension,
        email: booking.lead.email,
        vehicle: confirmation.vehicle,
        film: confirmation.film_type,
        coverage: confirmation.coverage,
      },
      note: confirmation.special_requests,
    }),
  };
}

/** When the appointment begins according to the last message that shop and customer got, epoch milliseconds. */
export async function announcedStart({ lead, startAt }: Booking, { store }: Context<never>): Promise<number> {
  return (await store.unannouncedStart(lead.id)) ?? startAt;
}

/** The messages of a new booking again, in words for the booking after a change. */
export async function rewordedFor(booking: Booking, now: Partial<Appointment>, ctx: Context<never>): Promise<NewJob[]> {
  // Loaded on first use, as in `newLead`.
  const { rewordedMessages } = await import("../../messages/plan.ts");
  const plan: MessagePlan = (customer, appointment, _at, catalog) =>
    rewordedMessages(customer, appointment, booking.createdAt, catalog);
  return messagesOfChange(plan, booking, now, ctx);
}

/** The agreed price in cents; null when no vehicle was named. */
export function priceOf({ answer }: Pick<Booking, "answer">): number | null {
  const { estimate = null } = storedConfirmation.pick({ estimate: true }).safeParse(answer).data ?? {};
  return estimate && toCents(estimate.total);
}

/** @throws ApiError BOOKING_FAILED when it could not be stored */
export function storeChange(
  write: () => Promise<ChangeOutcome>,
  ctx: Context<"BOOKING_FAILED">,
): Promise<ChangeOutcome> {
  return storeBooking(write, ctx, {
    unknown: "Whether the change was stored is not known. Sent again, it is not made twice.",
    notStored: "The change could not be stored just now. This request changed nothing.",
  });
}
