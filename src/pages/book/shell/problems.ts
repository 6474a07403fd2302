/** Errors of the API in the words of the page: what went wrong, and which field is concerned. */
import type { ErrorBody } from "../../../capabilities/core/envelope.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import type { Start } from "../../../domain/slots.ts";
import type { PageAnswer } from "../../../http/pages.ts";
import { newId } from "../../../lib/ids.ts";
import { capitalised } from "../../../lib/text.ts";
import { type Html, html } from "../../markup/html.ts";
import { type Field, field, hidden } from "./forms.ts";
import { page } from "./layout.ts";
import { startOf } from "./paths.ts";
import { amount, phoneLink } from "./wording.ts";

/** A form that was sent and comes back, with everything that was typed. */
export interface Sent {
  typed: URLSearchParams;
  error?: ErrorBody;
  /** What is to be said about it. */
  about?: Html;
}

/** A form that was refused. */
export interface Problem extends Sent {
  error: ErrorBody;
}

/** The issue of each field of the form, by its name in the API. */
export function issuesOf(error: ErrorBody | undefined): ReadonlyMap<string, string> {
  return new Map([
    ...(error?.invalid_fields ?? []).map(({ field, message }): [string, string] => [field, sentence(message)]),
    ...(error?.missing_fields ?? []).map((field): [string, string] => [field, "Please fill this in."]),
  ]);
}

/**
 * A form, empty or as it was sent.
 * @param idName the field that tells a repeated request from a new one
 */
export function formAfter(sent: Sent | undefined, idName: string) {
  const typed = sent?.typed ?? new URLSearchParams();
  const issues = issuesOf(sent?.error);
  const isSentBefore = sent?.error?.error_code === "IDEMPOTENCY_CONFLICT";
  return {
    typed,
    issue: (name: string) => issues.get(name),
    id: hidden(idName, (!isSentBefore && typed.get(idName)) || newId("try")),
    /** A field with what was typed and what is wrong with it. */
    line: (name: string, label: string, more: Partial<Field>) =>
      field({ name, label, value: typed.get(name), issue: issues.get(name), ...more }),
  };
}

/** The nearest open times, instead of one that is not free. */
export function otherStarts({ alternatives = [] }: ErrorBody): Start[] {
  return alternatives.flatMap((slot) => {
    const { start } = Object(slot);
    return typeof start === "string" ? [startOf(start)] : [];
  });
}

/** `must be …` begins with the field's name in the API, which the page does not show. */
function sentence(message: string): string {
  const text = message
    .replace(/^must be /, "Please enter ")
    .replace(/^must /, "This must ")
    .replace(/^is /, "This is ");
  const begun = capitalised(text);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The error as a box, announced by screen readers. @param more below the sentence */
export function notice(error: ErrorBody, catalog: Catalog, more?: Html): Html {
  return html`<div class="notice bad" role="alert" id="problem"><p>${inWords(error, catalog)}</p>${more}</div>`;
}

function inWords(error: ErrorBody, catalog: Catalog): Html {
  const { business } = catalog;
  const call = phoneLink(business);
  if (otherStarts(error).length > 0)
    return html`<strong>This time is no longer free.</strong> Nothing was booked. These are the nearest:`;
  switch (error.error_code) {
    case "BAD_REQUEST":
    case "MISSING_FIELD":
      if (error.invalid_fields?.some(({ field }) => field === "estimate_id"))
        return html`<strong>The price could not be confirmed.</strong> Nothing was sent. Below is the price of today: send it again if you agree.`;
      return html`<strong>Almost there.</strong> Please check what is marked below.`;
    case "SLOT_TAKEN":
    case "DATE_BLOCKED":
      return html`<strong>This time is no longer free.</strong> Nothing was booked. Please pick another one, or call ${call}.`;
    case "PRICE_CHANGED": {
      const { previous_total: old = 0, total = 0 } = error.estimate ?? {};
      return html`<strong>The price has changed from ${amount(old, catalog)} to ${amount(total, catalog)}.</strong> Nothing was booked yet: look it over and book again if you agree.`;
    }
    case "IDEMPOTENCY_CONFLICT":
      return html`<strong>This form was sent before.</strong> You have that appointment already. Send it again only if you want a second one.`;
    case "OUT_OF_SERVICE_AREA":
      return html`<strong>This ZIP code is outside our area.</strong> We work in ${business.service_area.label}, but you are welcome to bring the vehicle to us in ${business.address.locality}: leave the ZIP code out. Questions? Call ${call}.`;
    case "BOOKING_NOT_FOUND":
      return html`<strong>No booking was found.</strong> Please check the code, and the phone number or e-mail it was booked with.`;
    case "TOO_LATE_TO_CHANGE":
      return html`<strong>This appointment can no longer be changed online.</strong> Please call ${call}.`;
    case "RATE_LIMITED":
      return html`<strong>Too many tries.</strong> Please wait ${waitOf(error.retry_after_seconds ?? 60)}, or call ${call}.`;
    case "NOT_FOUND":
      return html`<strong>There is no such page.</strong> Perhaps the address was cut off or mistyped.`;
    case "FORBIDDEN":
      return html`${error.message}`;
    case "API_KEY_REQUIRED":
      return html`Appointments are made by phone here: call ${call}.`;
    case "BOOKING_FAILED":
      return html`<strong>${error.message}</strong> Please send it again, or call ${call}.`;
    default:
      return html`<strong>Something went wrong on our side.</strong> Please try again in a minute, or call ${call}.`;
  }
}

function waitOf(seconds: number): string {
  if (seconds <= 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** A page that shows an error alone. @param more below it */
export function problemPage(
  title: string,
  { error, status }: { error: ErrorBody; status?: number },
  catalog: Catalog,
  isFramed: boolean,
  more?: Html,
): PageAnswer {
  const main = html`<div class="narrow"><h1>${title}</h1>${notice(error, catalog)}${more}</div>`;
  return page({ title, main, status }, catalog, isFramed);
}

/** The page for a request that is refused before it reaches one. */
export function refusalPage(error: ErrorBody, catalog: Catalog): Pick<PageAnswer, "body" | "headers"> {
  const again = html`<p><a class="button" href="/book">Start again</a></p>`;
  return problemPage("This did not work", { error }, catalog, false, again);
}
