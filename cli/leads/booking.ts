/** A booking that begins as a lead: the lead's facts about customer and work. */
import { ownerBooking } from "../../src/capabilities/desk/owner-booking.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import { bookableServices } from "../../src/domain/schedule.ts";
import type { LeadInFull } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";

/** Fields of a request that say something else in a booking, or that the owner agrees on anew. */
const LEFT_OUT = ["estimate_id", "consent", "dry_run", "date", "time", "booking_request_id"];

/** The service of that key if the shop sells it without appointments, like work on buildings. */
export function withoutAppointments(serviceType: string, catalog: Catalog): Catalog["services"][number] | undefined {
  if (bookableServices(catalog).some(({ key }) => key === serviceType)) return undefined;
  return catalog.services.find(({ key }) => key === serviceType);
}

/**
 * The fields of a booking that the lead holds. Words that the shop has given up since are left out.
 * @throws Failure when the lead is over, or asks for work without appointments
 */
export function bookingFields(lead: LeadInFull, catalog: Catalog): Record<string, unknown> {
  const { reference, serviceType, details, name, phone, email, confirmationCode } = lead;
  if (confirmationCode) throw new Failure(`Lead ${reference} is booked already: ${confirmationCode}.`);
  const other = withoutAppointments(serviceType, catalog);
  if (other) throw new Failure(`Lead ${reference} asks for ${clean(other.name)}, which has no appointments to book.`);
  const { shape } = ownerBooking.input(catalog);
  const asked: Record<string, unknown> = { ...Object(Object(details).estimate), ...Object(details) };
  const known = Object.entries(shape).flatMap(([field, schema]) => {
    const value = asked[field];
    const isGood = value !== undefined && !LEFT_OUT.includes(field) && schema.safeParse(value).success;
    return isGood ? [[field, value]] : [];
  });
  return {
    ...Object.fromEntries(known),
    ...(bookableServices(catalog).some(({ key }) => key === serviceType) && { service_type: serviceType }),
    customer_name: name,
    customer_phone: phone,
    ...(email !== "" && { customer_email: email }),
  };
}
