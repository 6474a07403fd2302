/** The request, the answer and the errors of a booking. */
import { z } from "zod";
import { keepLatest } from "../../lib/latest.ts";
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
import { COVERAGES, FILM_TYPES } from "../../vocabulary.ts";
import type { Context } from "../core/capability.ts";
import { address, calendarDate, clockTime, lineItem, money, timestamp } from "../core/shapes.ts";
import { SAMPLE_PERSON } from "../shared/samples.ts";
import { vehicle } from "../shared/vehicle.ts";

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

export const confirmation = keepLatest(() =>
  z.object({
    confirmation_code: z.string().meta({ description: "8 characters; the customer needs it to change or cancel." }),
    booking_id: z.string(),
    status: z.literal("confirmed"),
    date: calendarDate(),
    time: clockTime(),
    start: timestamp(),
    end: timestamp(),
    timezone: z.string(),
    duration_minutes: z.int(),
    service: z.string(),
    vehicle: vehicle(),
    film_type: z.enum(FILM_TYPES).nullable(),
    coverage: z.enum(COVERAGES).nullable(),
    special_requests: z.string().nullable(),
    estimate: z
      .object({ currency: z.string(), total: money(), line_items: z.array(lineItem()) })
      .nullable()
      .meta({ description: "null when no vehicle_type was given." }),
    customer: z.object({ name: z.string() }),
    lead_id: z.string(),
    location: z.object({
      name: z.string(),
      address: address(),
      phone: z.string(),
    }),
    booking_request_id: z.string().nullable(),
  }),
);
export type Confirmation = z.output<ReturnType<typeof confirmation>>;

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
