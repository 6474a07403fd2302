/** Requests that succeed as they stand, for `next_actions`, documents and errors. */

import type { Catalog } from "../../catalog/schema.ts";
import { firstStart, type Occupancy } from "../../domain/schedule.ts";
import { resolveWork, type WorkRequest } from "../../domain/work.ts";
import { pick } from "../../lib/pick.ts";
import type { Suggestion } from "../core/capability.ts";
import type { VehicleFields } from "./vehicle.ts";

/** A person who does not exist, for samples. */
export const SAMPLE_PERSON = { name: "Jordan Sample", phone: "+1-404-555-0123", email: "jordan.sample@example.com" };
export const SAMPLE_CONSENT = { confirmed_by_user: true as const, statement: "Yes, please send this to the shop." };

interface BookingChoice extends VehicleFields, WorkRequest {
  special_requests?: string | undefined;
  date?: string;
  time?: string;
}

/** A booking request filled in with the choices of the caller. @param busy bookings already made */
export function sampleBooking(
  catalog: Catalog,
  now: Temporal.Instant,
  choice: BookingChoice,
  busy: readonly Occupancy[] = [],
) {
  const { service, minutes } = resolveWork(catalog, choice);
  const start = firstStart(catalog, now, minutes, busy) ?? { date: "2030-01-02", time: "09:00" };
  return {
    date: choice.date ?? start.date,
    time: choice.time ?? start.time,
    customer_name: SAMPLE_PERSON.name,
    customer_phone: SAMPLE_PERSON.phone,
    customer_email: SAMPLE_PERSON.email,
    service_type: service,
    ...pick(
      choice,
      "vehicle_type",
      "vehicle_year",
      "vehicle_make",
      "vehicle_model",
      "film_type",
      "coverage",
      "special_requests",
    ),
    consent: SAMPLE_CONSENT,
  };
}

/** Next steps for a caller who has no price yet. */
export function pricing(): Suggestion[] {
  return [
    {
      action: "automotive_estimate",
      description: "Price a vehicle: put in its body type; the answer leads on to open times and a booking.",
      input: { vehicle_type: "suv" },
    },
    {
      action: "flat_glass_estimate",
      description: "Price the windows of a building: put in the glass area; the answer leads on to a quote request.",
      input: { total_sqft: 350.5, site_type: "residential" },
    },
  ];
}
