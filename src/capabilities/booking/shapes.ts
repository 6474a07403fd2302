/** The request and the errors of a booking. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { MAX_TOKEN } from "../../job/forms.ts";
import { jobFields, vehicleFields } from "../../job/job.ts";
import { oneOf } from "../../schema/explain.ts";
import {
  consent,
  date,
  email,
  inTool,
  LIMITS,
  line,
  MARKS,
  optional,
  paragraph,
  personName,
  phone,
  seldom,
  soft,
  time,
} from "../../schema/fields.ts";
import type { Context } from "../core/capability.ts";
import { SAMPLE_PERSON } from "../core/samples.ts";
import { termFields } from "../core/shapes.ts";
import { dryRun } from "../core/stored-requests.ts";

export const bookingRequest = (catalog: Shop) => {
  const { vehicleType, coverage, filmType, addon } = termFields(catalog);
  const { example, films, coverages } = catalog.terms;
  const { defaults } = catalog.automotive;
  const holdsTimes = catalog.bookings.hold_minutes > 0;
  return z.object({
    date: date().meta({ description: "Appointment date, from an open slot.", ...inTool("From an open slot.") }),
    time: time().meta({ description: "Appointment time HH:MM, from the same slot.", example: "09:00" }),
    customer_name: personName().meta({ description: "Customer's full name.", example: SAMPLE_PERSON.name }),
    customer_phone: phone().meta({ description: "Customer's phone.", example: SAMPLE_PERSON.phone }),
    customer_email: email().meta({ description: "Customer's e-mail.", example: SAMPLE_PERSON.email }),
    service_type: optional(line()).meta({
      description: "Key of a bookable service; else the shop's default.",
      example: defaults.service,
    }),
    ...vehicleFields(catalog, soft),
    vehicle_type: optional(vehicleType)
      .meta({
        description: "Body type; makes length and price of the work exact.",
        example: example.vehicle_type,
        ...soft,
      })
      .register(MARKS, { first: true }),
    coverage: optional(coverage).meta({
      description: `${oneOf(coverages)}; else the shop's default.`,
      example: defaults.coverage,
      ...soft,
    }),
    film_type: optional(filmType).meta({
      description: `${oneOf(films)}; else the shop's default.`,
      example: example.film_type,
      ...soft,
    }),
    ...jobFields(catalog, addon),
    estimate_id: optional(line(MAX_TOKEN)).meta({
      ...inTool("Its price holds, and it fills in the work."),
      description: "From an estimate: its price holds, and it fills in the rest of the work.",
    }),
    special_requests: optional(paragraph()).meta({ description: "Anything else the shop should know." }),
    booking_request_id: optional(line(LIMITS.bookingRequestId)).meta({
      description: "Your own id: sent again, it books nothing twice.",
      ...inTool("Your own id: sent again, it books nothing twice."),
    }),
    postal_code: optional(line()).meta({
      description: "Postal code, checked against the service area.",
      example: catalog.business.address.postal_code,
    }),
    consent: optional(consent()).meta({ description: "The end user's agreement." }),
    accept_not_legal: optional(z.boolean({ error: ACCEPTED })).meta({
      description: "The customer knows that the shade is not legal.",
      ...inTool("The customer knows that the shade is not legal."),
    }),
    another: optional(z.boolean()).meta({
      description: "A second vehicle: the same was booked minutes ago.",
      ...inTool("A second vehicle, like the one just booked."),
    }),
    hold: optional(
      holdsTimes
        ? z.boolean()
        : z.boolean().refine((isHeld) => !isHeld, { error: "must be left out: this shop holds no times" }),
    ).meta({
      description: holdsTimes
        ? "Holds the time for a while; it is booked once confirmed."
        : "This shop holds no times: leave it out.",
      ...(holdsTimes && catalog.mcp.tools.includes("confirm_booking")
        ? inTool("Only holds the time: confirm_booking books it.")
        : seldom),
    }),
    dry_run: dryRun(),
  });
};

/** Consent in other words is asked for. */
const ACCEPTED =
  "must be true or false: true only where the end user was told that the shade is not legal, and wants it";
export type BookingRequest = z.output<ReturnType<typeof bookingRequest>>;

export const BOOKING_ERRORS = [
  "SERVICE_NOT_FOUND",
  "INVALID_VEHICLE_TYPE",
  "API_KEY_REQUIRED",
  "DATE_BLOCKED",
  "SLOT_TAKEN",
  "NOT_LEGAL_SHADE",
  "PRICE_CHANGED",
  "IDEMPOTENCY_CONFLICT",
  "OUT_OF_SERVICE_AREA",
  "BOOKING_FAILED",
] as const;
export type BookingContext = Context<(typeof BOOKING_ERRORS)[number]>;
