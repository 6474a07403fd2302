/** The next steps of a caller with a booking. */
import { bookableServices } from "../../domain/schedule.ts";
import { pick } from "../../lib/pick.ts";
import type { Booking } from "../../store/store.ts";
import type { Context, Suggestion } from "../core/capability.ts";
import { SAMPLE_PERSON } from "../shared/sample-person.ts";
import { canChange } from "./self-service.ts";
import type { ManagedBooking, Proof } from "./shapes.ts";

/** As the caller gave it. */
type Contact = Partial<Pick<Proof, "phone" | "email">>;

export const CALL_THE_SHOP: Suggestion = {
  action: "business_location",
  description: "Get the shop's phone and hours: online nothing can be changed.",
  input: {},
};

/** Moving and cancelling. Neither changes anything when it is sent as it stands. */
export function changes(
  { confirmation_code, date, time }: Pick<ManagedBooking, "confirmation_code" | "date" | "time">,
  contact: Contact,
): Suggestion[] {
  return [
    {
      action: "reschedule_booking",
      description: "Move the booking: put in a date and time from check_availability that the customer agreed to.",
      input: { confirmation_code, ...pick(contact, "phone", "email"), date, time },
    },
    {
      action: "cancel_booking",
      description: "Cancel the booking: put in the customer's own phone or e-mail once they agree.",
      input: { confirmation_code, phone: SAMPLE_PERSON.phone },
    },
  ];
}

/** After a look-up or a change. */
export function stepsAfter(
  booking: Booking,
  shown: ManagedBooking,
  contact: Contact,
  ctx: Context<never>,
): Suggestion[] {
  if (booking.status !== "confirmed") return otherTimes(shown, "See open times for another booking.", ctx);
  if (!canChange(booking, ctx)) return [CALL_THE_SHOP];
  return [...otherTimes(shown, "See the times to which this booking can move.", ctx), ...changes(shown, contact)];
}

/** Open times for the same work; none when the shop no longer sells it online. */
function otherTimes(shown: ManagedBooking, description: string, { catalog }: Context<never>): Suggestion[] {
  const service = bookableServices(catalog).find(({ key }) => key === shown.service);
  if (!service) return [CALL_THE_SHOP];
  const work = {
    ...(shown.vehicle.type !== null && { vehicle_type: shown.vehicle.type }),
    ...pick(shown, "coverage", "film_type"),
    ...(shown.addons.length > 0 && { addons: shown.addons }),
    ...(shown.remove_old_film && { remove_old_film: true }),
  };
  return [{ action: "check_availability", description, input: { service: service.id, ...work } }];
}
