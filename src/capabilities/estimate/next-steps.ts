/** The steps after an automotive estimate: open times, and a booking filled in with the choices of the caller. */
import type { Shop } from "../../catalog/shop.ts";
import type { Start } from "../../domain/slots.ts";
import { serviceOf, type Work } from "../../domain/work.ts";
import { pick } from "../../lib/fields.ts";
import type { Suggestion } from "../core/capability.ts";
import { holdsWork } from "../lock/token.ts";
import { bookingStep } from "../shared/samples.ts";
import type { EstimateRequest } from "./request.ts";

export type BookingFields = ReturnType<typeof bookingFieldsOf>;

/** What a brief answer says of the job: the estimate holds the rest, where it is short enough to hold it. */
export function linkFields(job: BookingFields, view: EstimateRequest["view"]): Partial<BookingFields> {
  const isHeld = job.estimate_id !== undefined && holdsWork(job.estimate_id);
  return view === "brief" && isHeld
    ? pick(job, "service", "vehicle_year", "vehicle_make", "vehicle_model", "factory_glass", "estimate_id")
    : job;
}

/** The job that was priced, as the fields of a booking. */
export function bookingFieldsOf(
  input: EstimateRequest,
  { service, filmType, coverage, addons, removal }: Work,
  estimateId: string | undefined,
) {
  return {
    service,
    ...pick(input, "vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model"),
    ...(filmType && { film_type: filmType }),
    ...(coverage && { coverage }),
    ...(addons.length > 0 && { addons }),
    ...(removal && { remove_old_film: true }),
    ...pick(input, "shade", "windshield_shade", "factory_glass", "jurisdiction"),
    ...(estimateId && { estimate_id: estimateId }),
  };
}

/**
 * @param job that was priced
 * @param start an open time for it; null where it can be booked at none
 * @param linked the job for the booking
 * @param page where a person books it
 * @param view of the answer; a brief one has few words
 */
export function estimateNextSteps(
  job: BookingFields,
  linked: Partial<BookingFields>,
  start: Start | null,
  page: string | undefined,
  view: EstimateRequest["view"],
  catalog: Shop,
): Suggestion[] {
  const service = serviceOf(catalog, job.service);
  if (!service.bookable) return [CALL];
  if (!start) return [CALL_FOR_A_TIME];
  const says = view === "brief" ? BRIEFLY : AT_LENGTH;
  const { service: _, factory_glass: __, shade, ...rest } = linked;
  // A query has no good form for a shade of each glass, and the estimate holds it.
  const isHeld = typeof shade === "object" && rest.estimate_id !== undefined && holdsWork(rest.estimate_id);
  const named = isHeld || shade === undefined ? rest : { ...rest, shade };
  return [
    {
      action: "check_availability",
      description: says.times,
      // Without its vehicle type the job is held by the estimate.
      input: named.vehicle_type === undefined ? named : { service: service.id, ...named },
    },
    bookingStep(says.booking, linked, start, catalog, page),
  ];
}

const AT_LENGTH = {
  times: "See when the shop has time for this work.",
  booking: "Book this work once the customer agrees, at a time from check_availability.",
};
const BRIEFLY = { times: "Times.", booking: "Book." };

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
