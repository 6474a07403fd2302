/** The owner's own booking, on the phone or at the counter. Source: contract 17. */
import type { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { OWNER } from "../../constants.ts";
import { email, optional, phone } from "../../schema/fields.ts";
import { bookAppointment } from "../book-appointment.ts";
import { type Placed, place, type Wish } from "../booking/place.ts";
import { type Agreed, ownerPolicy } from "../booking/policy.ts";
import { type BookingContext, bookingRequest } from "../booking/shapes.ts";
import type { Capability } from "../core/capability.ts";
import { inputError, validate } from "../core/validate.ts";

/** The request of a customer's booking. A walk-in leaves no phone, and few have an e-mail address at hand. */
const ownerRequest = (catalog: Shop) =>
  bookingRequest(catalog)
    .omit({ hold: true })
    .extend({
      customer_phone: optional(phone()).meta({ description: "Customer's phone." }),
      customer_email: optional(email()).meta({ description: "Customer's e-mail." }),
    });

/** The owner's booking as a capability, for the names and the checks of its fields. */
export const ownerBooking = {
  ...bookAppointment,
  input: ownerRequest,
  checks: {
    ...bookAppointment.checks,
    consent: () => undefined,
    /** Work on buildings has no appointments online; the owner writes it into the diary all the same. */
    service_type: (key: string | undefined, { services }: Shop) =>
      key === undefined || services.some((service) => service.key === key)
        ? undefined
        : { message: "must be a service of the shop", allowed: services.map((service) => service.key) },
  },
};

export const OWNER_CALLER = {
  network: OWNER,
  wider: [],
  keyId: null,
  isSelfRegistered: false,
  agentClass: OWNER,
  userAgent: null,
};

/** A request, read and checked as the API reads a customer's. @throws ApiError for a faulty field */
export function checked<Input extends z.ZodObject>(
  capability: Omit<Capability, "input"> & { input: (catalog: Shop) => Input },
  raw: object,
  catalog: Shop,
): z.output<Input> {
  const { input, issues } = validate(capability, raw, catalog);
  if (!input || issues.size > 0) throw inputError(issues);
  return capability.input(catalog).parse(input);
}

/**
 * Books by the owner's policy, never in a bay that is full. The customer gets the messages that are switched on.
 * @throws ApiError for a faulty request, BaysBusy, UnusualTime without `anyway`, ShadeNotLegal without `evenIllegal`, StoreUnavailable
 */
export async function bookForOwner(
  raw: object,
  ctx: BookingContext,
  { price, minutes, until, ...agreed }: Agreed & Omit<Wish, "input">,
): Promise<Placed> {
  const { customer_email = "", customer_phone = "", ...given } = checked(ownerBooking, raw, ctx.catalog);
  const input = { ...given, customer_email, customer_phone, consent: CONSENT };
  const placed = await place({ input, price, minutes, until }, ownerPolicy(agreed), ctx);
  if ("earlier" in placed) throw new Error("the owner's bookings have no id");
  return placed;
}

/** Who speaks with the shop itself agrees to hear from it about the matter. */
export const CONSENT = {
  confirmed_by_user: true as const,
  // The owner spoke with the customer, and answers for it.
  sms: true,
  statement: "Booked with the shop itself.",
  captured_at: undefined,
  agent_name: undefined,
};
