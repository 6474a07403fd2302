/** The steps after an automotive estimate: open times, and a booking filled in with the choices of the caller. */
import type { Catalog } from "../../catalog/schema.ts";
import type { Start } from "../../domain/slots.ts";
import { serviceOf, type Work } from "../../domain/work.ts";
import { pick } from "../../lib/pick.ts";
import type { Suggestion } from "../core/capability.ts";
import { bookingStep } from "../shared/samples.ts";
import type { EstimateRequest } from "./request.ts";

/** @param start an open time for the work; null where it can be booked at none */
export function nextSteps(
  catalog: Catalog,
  input: EstimateRequest,
  work: Work,
  start: Start | null,
  estimateId?: string,
): Suggestion[] {
  const { service, filmType, coverage, addons, removal } = work;
  if (!serviceOf(catalog, service).bookable) return [CALL];
  if (!start) return [CALL_FOR_A_TIME];
  const vehicle = pick(input, "vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model");
  const priced = {
    ...(filmType && { film_type: filmType }),
    ...(coverage && { coverage }),
    ...(addons.length > 0 && { addons }),
    ...(removal && { remove_old_film: true }),
  };
  return [
    {
      action: "check_availability",
      description: "See when the shop has time for this work.",
      input: { service: serviceOf(catalog, service).id, ...pick(vehicle, "vehicle_type"), ...priced },
    },
    {
      action: "book_appointment",
      description:
        "Book this work once the customer agrees: put in a time from check_availability and the customer's own name, phone and e-mail.",
      input: bookingStep(
        catalog,
        {
          ...vehicle,
          ...priced,
          service,
          ...pick(input, "shade", "windshield_shade", "jurisdiction"),
          estimate_id: estimateId,
        },
        start,
      ),
    },
  ];
}

const CALL: Suggestion = {
  action: "business_location",
  description: "This service is not booked online: call the shop.",
  input: {},
};

const CALL_FOR_A_TIME: Suggestion = {
  action: "business_location",
  description: "No time that can be booked online is long enough and open for this work: call the shop.",
  input: {},
};
