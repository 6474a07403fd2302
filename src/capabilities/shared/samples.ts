/** Requests that succeed as they stand, for `next_actions`, documents and errors. */
import { perCatalog } from "../../catalog/per-catalog.ts";
import type { Shop } from "../../catalog/shop.ts";
import { firstStart, type Start } from "../../domain/slots.ts";
import { resolveWork, type WorkRequest } from "../../domain/work.ts";
import { pick } from "../../lib/fields.ts";
import { newId } from "../../lib/ids.ts";
import type { Suggestion } from "../core/capability.ts";
import { SAMPLE_PERSON } from "../core/sample-person.ts";
import { JOB_FIELDS, type JobRequest } from "./job.ts";
import { bookUrl, withStart } from "./page-links.ts";
import type { VehicleFields } from "./vehicle.ts";

type BookingChoice = VehicleFields & WorkRequest & Partial<JobRequest> & { estimate_id?: string | undefined };

/** The work whose booking documents and errors show. */
export const sampleWork = perCatalog((catalog) => ({
  ...catalog.terms.example,
  coverage: catalog.automotive.defaults.coverage,
}));

/** The length of the work that documents show. */
export const sampleLength = perCatalog((catalog) => resolveWork(catalog, sampleWork(catalog)));

/** The first open time for the work in an empty diary; null when there is none. */
export function firstStartOf(choice: WorkRequest, catalog: Shop, now: Temporal.Instant): Start | null {
  return firstStart(catalog, now, resolveWork(catalog, choice));
}

/** Shows the form of a date and a time in samples when no time is open. */
export const FORM_OF_START = { date: "2030-01-02", time: "09:00" };

/**
 * The next step to a booking: a request filled in with the choices of the caller, and an id against booking twice.
 * @param page where a person books the same
 */
export function bookingStep(
  description: string,
  choice: BookingChoice,
  start: Start,
  catalog: Shop,
  page = bookUrl({ ...choice, service_type: serviceOf(choice, catalog) }, catalog),
): Suggestion {
  return {
    action: "book_appointment",
    description,
    input: { date: start.date, time: start.time, ...chosen(choice, catalog), booking_request_id: newId("try") },
    fillIn: PERSON,
    ...(page && { bookUrl: withStart(page, start) }),
  };
}

function serviceOf({ service }: BookingChoice, { automotive }: Shop): string {
  return service ?? automotive.defaults.service;
}

/** A booking request filled in with the choices of the caller. It lacks consent and the customer's own data. */
export function sampleBooking(catalog: Shop, choice: BookingChoice, start: Start | null) {
  const { date, time } = start ?? FORM_OF_START;
  const { name, phone, email } = SAMPLE_PERSON;
  return {
    date,
    time,
    customer_name: name,
    customer_phone: phone,
    customer_email: email,
    ...chosen(choice, catalog),
  };
}

/** What only the caller knows of a booking. */
const PERSON = ["customer_name", "customer_phone", "customer_email"] as const;

/** The choices of the caller as fields of a booking. */
function chosen(choice: BookingChoice, catalog: Shop) {
  return {
    // An estimate that holds the vehicle holds the service, too.
    ...((choice.vehicle_type || !choice.estimate_id) && { service_type: serviceOf(choice, catalog) }),
    ...pick(choice, ...JOB_FIELDS, "factory_glass"),
  };
}

/** Next steps for a caller who has no price yet. */
export function pricing(catalog: Shop): Suggestion[] {
  const [first, other = first] = catalog.terms.siteTypes;
  return [
    {
      action: "automotive_estimate",
      description: "Price a vehicle: put in its body type; the answer leads on to open times and a booking.",
      input: { vehicle_type: catalog.terms.example.vehicle_type },
    },
    ...(other === undefined
      ? []
      : [
          {
            action: "flat_glass_estimate" as const,
            description:
              "Price the windows of a building: put in the glass area; the answer leads on to a quote request.",
            input: { total_sqft: 350.5, site_type: other },
          },
        ]),
  ];
}
