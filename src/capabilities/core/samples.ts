/** Requests that succeed as they are, and for one caller those that leave out what only the caller can know. Source: contract 1. */
import type { Service } from "../../catalog/schema.ts";
import type { Shop } from "../../catalog/shop.ts";
import { firstStart, type Start } from "../../domain/slots.ts";
import { isBarred } from "../../domain/tint-law.ts";
import { toBody, withStart } from "../../job/forms.ts";
import { type JobRequest, workOf } from "../../job/job.ts";
import { newId } from "../../lib/ids.ts";
import type { Suggestion } from "./capability.ts";

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

/** With an id against booking twice. @param work that the caller chose, as the fields of a booking */
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

/** Books a job, with acceptance to be asked where its film is not legal; no step where the shop books no such job. */
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

export function toShop(description: string): Suggestion {
  return { action: "business_location", description, input: {} };
}

/** For a caller who has no price yet. @param category of the questions that they read: a price of such work alone */
export function pricing(catalog: Shop, category?: Service["faq_category"]): Suggestion[] {
  const ofCategory = catalog.services.filter((one) => one.faq_category === category).map(({ estimate }) => estimate);
  const isAbout = (estimate: Service["estimate"]) => ofCategory.length === 0 || ofCategory.includes(estimate);
  const [site, ...others] = catalog.terms.siteTypes.filter(
    (one) => one === category || !ofCategory.includes("flat_glass"),
  );
  const asksSite = others.length > 0;
  const steps: Suggestion[] = [];
  if (isAbout("automotive"))
    steps.push({
      action: "automotive_estimate",
      description: "Price a vehicle: put in its body type; the answer leads on to open times and a booking.",
      input: {},
      fillIn: ["vehicle_type"],
    });
  if (site !== undefined && isAbout("flat_glass"))
    steps.push({
      action: "flat_glass_estimate",
      description: "Price the windows of a building: put in the glass area; the answer leads on to a quote request.",
      input: asksSite ? {} : { site_type: site },
      fillIn: ["total_sqft", ...(asksSite ? ["site_type"] : [])],
    });
  return steps;
}

/** A person who does not exist, for samples. Nothing is stored for this e-mail address. */
export const SAMPLE_PERSON = {
  name: "Jordan Sample",
  first_name: "Jordan",
  last_name: "Sample",
  phone: "+1-404-555-0123",
  email: "jordan.sample@example.com",
};

/** A confirmation code that no booking has. */
export const SAMPLE_CODE = "7K2MQ9XA";

const { name, first_name, last_name, phone, email } = SAMPLE_PERSON;
const CONTACTS = new Map<string, unknown>(
  Object.entries({ customer_phone: phone, customer_email: email, phone, email, confirmation_code: SAMPLE_CODE }),
);
/** A real customer can have one of these names, but not together with the sample's phone or e-mail. */
const NAMES = new Map<string, unknown>(Object.entries({ customer_name: name, name, first_name, last_name }));

interface Incomplete {
  input: Record<string, unknown>;
  fillIn: string[];
}

/** Without the person. @param asked fields that the caller has to put in besides those of the person */
export function toFillIn(whole: object, asked: readonly string[] = []): Incomplete {
  let isOfPerson = false;
  const input: Record<string, unknown> = {};
  const fillIn: string[] = [];
  for (const [field, value] of Object.entries(whole))
    isOfPerson ||= CONTACTS.has(field) && CONTACTS.get(field) === value;
  for (const [field, value] of Object.entries(whole)) {
    const theirs = CONTACTS.has(field) ? CONTACTS.get(field) : NAMES.get(field);
    const isTheirs = isOfPerson && theirs !== undefined && theirs === value;
    if (!isTheirs && !asked.includes(field)) input[field] = value;
    // A last name is optional, so no caller is asked for it.
    else if (field !== "last_name" || asked.includes(field)) fillIn.push(field);
  }
  return { input, fillIn: [...new Set([...fillIn, ...asked])] };
}
