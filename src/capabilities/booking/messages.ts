/** What messages say of a booking, and the messages of a change of one. */
import type { Shop } from "../../catalog/shop.ts";
import type { MessagePlan } from "../../messages/customer-messages.ts";
import type { Appointment } from "../../messages/words.ts";
import type { Booking, NewJob } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { appointmentIn, priceOf, storedConfirmation } from "./confirmation.ts";

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

/** The messages of a new booking again, in words for the booking after a change. */
export async function rewordedFor(booking: Booking, now: Partial<Appointment>, ctx: Context<never>): Promise<NewJob[]> {
  // Loaded on first use, as in `newLead`.
  const { rewordedMessages } = await import("../../messages/plan.ts");
  const plan: MessagePlan = (customer, appointment, _at, catalog) =>
    rewordedMessages(customer, appointment, booking.createdAt, catalog);
  return messagesOfChange(plan, booking, now, ctx);
}

/** When the appointment begins according to the last message that shop and customer got, epoch milliseconds. */
export async function announcedStart({ lead, startAt }: Booking, { store }: Context<never>): Promise<number> {
  return (await store.unannouncedStart(lead.id)) ?? startAt;
}

export function appointmentOf(booking: Booking, catalog: Shop): Appointment {
  const answer = storedConfirmation.safeParse(booking.answer).data;
  return { ...appointmentIn(booking, answer, catalog), price: priceOf(booking), changes: booking.changes };
}
