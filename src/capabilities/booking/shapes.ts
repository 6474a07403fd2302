/** The request and the errors of a booking. */
import { z } from "zod";
import {
  consent,
  coverage,
  date,
  email,
  filmType,
  LIMITS,
  line,
  optional,
  paragraph,
  personName,
  phone,
  soft,
  time,
  vehicleType,
  vehicleYear,
} from "../../schema/fields.ts";
import type { Context } from "../core/capability.ts";
import { SAMPLE_PERSON } from "../shared/samples.ts";

export const bookingRequest = z.object({
  date: date().meta({ description: "Appointment date, from a slot of check_availability." }),
  time: time().meta({ description: "Appointment time HH:MM, from the same slot.", example: "09:00" }),
  customer_name: personName().meta({ description: "Customer's full name.", example: SAMPLE_PERSON.name }),
  customer_phone: phone().meta({ description: "Customer's phone.", example: SAMPLE_PERSON.phone }),
  customer_email: email().meta({ description: "Customer's e-mail.", example: SAMPLE_PERSON.email }),
  service_type: optional(line()).meta({
    description: "Key of a bookable service; the shop's default where it is left out.",
    example: "automotive",
  }),
  vehicle_year: optional(vehicleYear()).meta({ description: "Model year.", example: 2024, ...soft }),
  vehicle_make: optional(line()).meta({ description: "Make.", example: "Toyota", ...soft }),
  vehicle_model: optional(line()).meta({ description: "Model.", example: "Highlander", ...soft }),
  vehicle_type: optional(vehicleType()).meta({
    description: "Body type; makes length and price of the work exact.",
    example: "suv",
    ...soft,
  }),
  coverage: optional(coverage()).meta({
    description: "full or front2; the shop's default where it is left out.",
    example: "full",
    ...soft,
  }),
  film_type: optional(filmType()).meta({
    description: "standard or ceramic; the shop's default where it is left out.",
    example: "ceramic",
    ...soft,
  }),
  special_requests: optional(paragraph()).meta({ description: "Shade, add-ons, anything else the shop should know." }),
  booking_request_id: optional(line(LIMITS.bookingRequestId)).meta({
    description:
      "Your own id for this request: sending it again with the same body gives the same answer and books nothing twice. The Idempotency-Key header is an alias.",
    example: "order-7f3a",
  }),
  postal_code: optional(line()).meta({
    description: "The customer's postal code, checked against the service area.",
    example: "30060",
  }),
  consent: optional(consent()).meta({ description: "The end user's agreement." }),
});
export type BookingRequest = z.output<typeof bookingRequest>;

export const BOOKING_ERRORS = [
  "SERVICE_NOT_FOUND",
  "INVALID_VEHICLE_TYPE",
  "API_KEY_REQUIRED",
  "DATE_BLOCKED",
  "SLOT_TAKEN",
  "IDEMPOTENCY_CONFLICT",
  "OUT_OF_SERVICE_AREA",
  "BOOKING_FAILED",
] as const;
export type BookingContext = Context<(typeof BOOKING_ERRORS)[number]>;
