/** Errors of the API in the words of the page: what went wrong, and which field is concerned. */
import type { ErrorBody } from "../../../capabilities/core/envelope.ts";
import type { Shop } from "../../../catalog/shop.ts";
import type { Start } from "../../../domain/slots.ts";
import type { PageAnswer } from "../../../http/pages.ts";
import { newId } from "../../../lib/ids.ts";
import { capitalised } from "../../../lib/text.ts";
import { type Html, html } from "../../markup/html.ts";
import { type FormField, hidden, inputField } from "./forms.ts";
import { page } from "./layout.ts";
import { startOfMoment } from "./paths.ts";
import { PAGE_TEXTS } from "./texts.ts";
import { amount, phoneLink } from "./wording.ts";

/** A form that was sent and comes back, with everything that was typed. */
export interface Sent {
  typed: URLSearchParams;
  error?: ErrorBody;
  /** Shown above the form, for example that the time is not free. */
  about?: Html;
}

/** A form that was refused. */
export interface Problem extends Sent {
  error: ErrorBody;
}

/** The issue of each field of the form, by its name in the API. */
export function issuesByField(error: ErrorBody | undefined): ReadonlyMap<string, string> {
  return new Map([
    ...(error?.invalid_fields ?? []).map(({ field, message }): [string, string] => [field, sentence(message)]),
    ...(error?.missing_fields ?? []).map((field): [string, string] => [field, PAGE_TEXTS.problems.missing]),
  ]);
}

/**
 * A form, empty or as it was sent.
 * @param idName the field that tells a repeated request from a new one
 */
export function formAfter(sent: Sent | undefined, idName: string) {
  const typed = sent?.typed ?? new URLSearchParams();
  const issues = issuesByField(sent?.error);
  const isSentBefore = sent?.error?.error_code === "IDEMPOTENCY_CONFLICT";
  return {
    typed,
    issue: (name: string) => issues.get(name),
    id: hidden(idName, (!isSentBefore && typed.get(idName)) || newId("try")),
    /** A field with what was typed and what is wrong with it. */
    line: (name: string, label: string, more: Partial<FormField>) =>
      inputField({ name, label, value: typed.get(name), issue: issues.get(name), ...more }),
  };
}

/** The nearest open times, instead of one that is not free. */
export function otherStarts({ alternatives = [] }: ErrorBody): Start[] {
  return alternatives.flatMap((slot) => {
    const { start } = Object(slot);
    return typeof start === "string" ? [startOfMoment(start)] : [];
  });
}

/** `must be …` begins with the field's name in the API, which the page does not show. */
function sentence(message: string): string {
  const text = message
    .replace(/^must be /, PAGE_TEXTS.problems.mustBe)
    .replace(/^must /, PAGE_TEXTS.problems.must)
    .replace(/^is /, PAGE_TEXTS.problems.is);
  const begun = capitalised(text);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The error as a box, announced by screen readers. @param more below the sentence */
export function notice(error: ErrorBody, catalog: Shop, more?: Html): Html {
  return html`<div class="notice bad" role="alert" id="problem"><p>${inWords(error, catalog)}</p>${more}</div>`;
}

function inWords(error: ErrorBody, catalog: Shop): Html {
  const { business } = catalog;
  const [headline, text] = said(error, catalog);
  // A sentence that ends in a space is followed by the shop's phone number.
  const call = text?.endsWith(" ") && html`${phoneLink(business)}.`;
  return html`${headline !== "" && html`<strong>${headline}</strong> `}${text}${call}`;
}

/** What is said in bold, and what after it. */
function said(error: ErrorBody, catalog: Shop): readonly [headline: string, text?: string] {
  const { problems } = PAGE_TEXTS;
  const { business } = catalog;
  if (otherStarts(error).length > 0) return problems.takenNearest;
  switch (error.error_code) {
    case "BAD_REQUEST":
    case "MISSING_FIELD":
      return error.invalid_fields?.some(({ field }) => field === "estimate_id") ? problems.estimate : problems.fields;
    case "SLOT_TAKEN":
    case "DATE_BLOCKED":
      return problems.taken;
    case "PRICE_CHANGED": {
      const { previous_total: old = 0, total = 0 } = error.estimate ?? {};
      return problems.price(amount(old, catalog), amount(total, catalog));
    }
    case "IDEMPOTENCY_CONFLICT":
      return problems.sentBefore;
    case "OUT_OF_SERVICE_AREA":
      return problems.area(business.service_area.label, business.address.locality);
    case "BOOKING_NOT_FOUND":
      return problems.noBooking;
    case "TOO_LATE_TO_CHANGE":
      return problems.tooLate;
    case "RATE_LIMITED":
      return (
        problems.limits[error.rate_limit?.scope ?? ""]?.(error.rate_limit?.limit ?? 0) ??
        problems.limit(waitOf(error.retry_after_seconds ?? 60))
      );
    case "NOT_FOUND":
      return problems.noPage;
    case "FORBIDDEN":
    case "PRICE_AGREED":
      return ["", error.message];
    case "API_KEY_REQUIRED":
      return problems.byPhone;
    case "BOOKING_FAILED":
      return [error.message, problems.again];
    default:
      return problems.ours;
  }
}

function waitOf(seconds: number): string {
  const { units } = PAGE_TEXTS;
  if (seconds <= 90) return units.seconds(seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? units.minutes(minutes) : units.hours(String(Math.ceil(minutes / 60)));
}

/** A page that shows an error alone. @param more below it */
export function problemPage(
  title: string,
  { error, status }: { error: ErrorBody; status?: number },
  catalog: Shop,
  isFramed: boolean,
  more?: Html,
): PageAnswer {
  const main = html`<div class="narrow"><h1>${title}</h1>${notice(error, catalog)}${more}</div>`;
  return page({ title, main, status }, catalog, isFramed);
}

/** The page for a request that is refused before it reaches one. */
export function renderRefusal(error: ErrorBody, catalog: Shop): Pick<PageAnswer, "body" | "headers"> {
  const again = html`<p><a class="button" href="/book">${PAGE_TEXTS.problems.startAgain}</a></p>`;
  return problemPage(PAGE_TEXTS.problems.title, { error }, catalog, false, again);
}
