/** Requests that succeed as they are, for `next_actions`, documents and errors. */
import type { Service } from "../../catalog/schema.ts";
import type { Shop } from "../../catalog/shop.ts";
import { firstStart, type Start } from "../../domain/slots.ts";
import { isBarred } from "../../domain/tint-law.ts";
import { toBody, withStart } from "../../job/forms.ts";
import { type JobRequest, workOf } from "../../job/job.ts";
import { newId } from "../../lib/ids.ts";
import type { Suggestion } from "./capability.ts";
import { SAMPLE_PERSON } from "./sample-person.ts";

/** The work whose booking documents and errors show. */
export const sampleWork = ({ terms, automotive }: Shop) => ({
  ...terms.example,
  coverage: automotive.defaults.coverage,
});

/** The length of the work that documents show. */
export const sampleLength = (catalog: Shop) => workOf(sampleWork(catalog), catalog);

/** The first open time for the work in an empty diary; null when there is none. */
export function firstStartOf(request: JobRequest, catalog: Shop, now: Temporal.Instant): Start | null {
  return firstStart(catalog, now, workOf(request, catalog));
}

/** Shows the form of a date and a time in samples when no time is open. */
export const FORM_OF_START = { date: "2030-01-02", time: "09:00" };

/**
 * The next step to a booking, with an id against booking twice.
 * @param work that the caller chose, as the fields of a booking
 * @param page where a person books the same
 */
export function bookingStep(description: string, work: object, start: Start, page: string | undefined): Suggestion {
  const { date, time } = start;
  return {
    action: "book_appointment",
    description,
    input: { date, time, ...work, booking_request_id: newId("try") },
    fillIn: PERSON,
    ...(page && { bookUrl: withStart(page, start) }),
  };
}

/**
 * The step that books a job: with the customer's acceptance to be asked where its film is not legal.
 * @param law undefined where no vehicle is known @returns none where the shop books no such job
 */
export function lawfully(
  step: Suggestion,
  law: Parameters<typeof isBarred>[0],
  { tint_law: { not_legal: policy } }: Shop,
): Suggestion[] {
  if (policy === "warn" || !isBarred(law)) return [step];
  return policy === "ask" ? [{ ...step, fillIn: [...(step.fillIn ?? []), "accept_not_legal"] }] : [];
}

/** A booking request filled in with the choices of the caller. It lacks consent and the customer's own data. */
export function sampleBooking(catalog: Shop, request: JobRequest, start: Start | null) {
  const { date, time } = start ?? FORM_OF_START;
  const { name, phone, email } = SAMPLE_PERSON;
  return {
    date,
    time,
    customer_name: name,
    customer_phone: phone,
    customer_email: email,
    ...toBody(request, catalog.automotive.defaults.service),
  };
}

/** What only the caller knows of a booking. */
const PERSON = ["customer_name", "customer_phone", "customer_email"] as const;

/** Leads to the shop's phone, hours and address. */
export function toShop(description: string): Suggestion {
  return { action: "business_location", description, input: {} };
}

/**
 * Next steps for a caller who has no price yet.
 * @param category of the questions that the caller read: a price of such work alone
 */
export function pricing(catalog: Shop, category?: Service["faq_category"]): Suggestion[] {
  const ofCategory = catalog.services.filter((one) => one.faq_category === category).map(({ estimate }) => estimate);
  const isAbout = (estimate: Service["estimate"]) => ofCategory.length === 0 || ofCategory.includes(estimate);
  const [site, ...others] = catalog.terms.siteTypes.filter(
    (one) => one === category || !ofCategory.includes("flat_glass"),
  );
  const asksSite = others.length > 0;
  return [
    ...(isAbout("automotive")
      ? [
          {
            action: "automotive_estimate" as const,
            description: "Price a vehicle: put in its body type; the answer leads on to open times and a booking.",
            input: {},
            fillIn: ["vehicle_type"],
          },
        ]
      : []),
    ...(site !== undefined && isAbout("flat_glass")
      ? [
          {
            action: "flat_glass_estimate" as const,
            description:
              "Price the windows of a building: put in the glass area; the answer leads on to a quote request.",
            input: asksSite ? {} : { site_type: site },
            fillIn: ["total_sqft", ...(asksSite ? ["site_type"] : [])],
          },
        ]
      : []),
  ];
}
