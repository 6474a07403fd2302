/** What customers are told when something did not work: the words, the box, and the page. */

import type { ErrorBody } from "../../../capabilities/core/envelope.ts";
import { LIMITS } from "../../../catalog/limits.ts";
import { BOOK_PATH, MANAGE_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import type { Start } from "../../../domain/slots.ts";
import { ERRORS, type Subject } from "../../../errors.ts";
import type { PageAnswer } from "../../../http/pages.ts";
import { type Html, type HtmlPart, html } from "../../../lib/html.ts";
import { counted, sentence } from "../../../lib/text.ts";
import { page, type Reader } from "./layout.ts";
import { startOfMoment } from "./paths.ts";
import { SHELL, UNITS } from "./texts.ts";
import { amount, duration, phoneLink } from "./wording.ts";

/** A headline and a sentence. The shop's phone number follows a sentence that ends in a space. */
const PROBLEMS = {
  title: "This did not work",
  startAgain: "Book",
  noPageTitle: "There is no such page",
  missing: "Please fill this in.",
  name: "Please enter the name that we should call you by.",
  /** Before what is wrong with a field, like `must be a date`. */
  field: "This",
  takenNearest: ["This time is no longer free.", "Nothing was booked. These are the nearest:"],
  taken: ["This time is no longer free.", "Nothing was booked. Please pick another one, or call {phone}."],
  estimate: [
    "The price could not be confirmed.",
    "Nothing was sent. Below is the price of today: send it again if you agree.",
  ],
  fields: ["Almost there.", "Please check what is marked below."],
  price: (old: string, now: string): Said => [
    `The price has changed from ${old} to ${now}.`,
    "Nothing was booked yet: look it over and book again if you agree.",
  ],
  notLegal: {
    ask: [
      "This shade is not legal.",
      "Nothing was booked. Use the darkest that is, or book yours with the second button. Questions? Call {phone}.",
    ],
    refuse: ["This shade is not legal, and we do not install it.", "Pick a lighter one above, or call {phone}."],
  },
  sentBefore: ["This form was sent before.", "Send it again only if you want the same a second time."],
  area: (area: string, place: string): Said => [
    "This ZIP code is outside our area.",
    `We work in ${area}, but you are welcome to bring the vehicle to us in ${place}: leave the ZIP code out. Questions? Call {phone}.`,
  ],
  noBooking: ["No booking was found.", "Please check the code, and the phone number or e-mail it was booked with."],
  tooLate: ["This appointment can no longer be changed online.", "Please call {phone}."],
  limit: (wait: string): Said => ["Too many tries.", `Please wait ${wait}, or call {phone}.`],
  /** Of one person, by the scope of the limit. */
  limits: {
    [LIMITS.phone.scope]: (limit) => [
      `One phone number can book online ${counted(limit, "time")} a day.`,
      "Please book again tomorrow, or call {phone}.",
    ],
    [LIMITS.held_by_phone.scope]: (limit) => [
      `Online, one customer can have ${counted(limit, "appointment")} to come.`,
      "Please cancel one that is not needed, or call {phone}.",
    ],
    [LIMITS.hold.scope]: () => ["You hold a time already.", "Book or cancel that one first, or book this one now."],
    [LIMITS.hold_of_day.scope]: () => ["You held a time of this day before.", "It can be booked, not held again."],
    [LIMITS.changes.scope]: (limit) => [
      `An appointment can be changed online ${counted(limit, "time")} a day.`,
      "Please change it tomorrow, or call {phone}.",
    ],
  } as Readonly<Record<string, (limit: number) => Said>>,
  noPage: ["", "Perhaps the address was cut off or mistyped. Questions? Call {phone}."],
  byPhone: ["", "Appointments are made by phone here: call {phone}."],
  again: "Please send it again, or call {phone}.",
  ours: ["Something went wrong on our side.", "Please try again in a minute, or call {phone}."],
} as const;

/** The issue of each field of the form, by its name in the API. */
export function issuesByField(error: ErrorBody | undefined): ReadonlyMap<string, string> {
  const issues = new Map<string, string>();
  // What the API says of a name is meant for an assistant.
  for (const { field, message } of error?.invalid_fields ?? [])
    issues.set(field, field === "customer_name" ? PROBLEMS.name : sentence(`${PROBLEMS.field} ${message}`));
  for (const field of error?.missing_fields ?? []) issues.set(field, PROBLEMS.missing);
  return issues;
}

export function otherStarts({ alternatives = [] }: ErrorBody): Start[] {
  return alternatives.flatMap((slot) => {
    const { start } = Object(slot);
    return typeof start === "string" ? [startOfMoment(start)] : [];
  });
}

/** The error as a box. @param more below the sentence */
export function notice(error: ErrorBody, catalog: Shop, more?: Html): Html {
  const [headline, text] = said(error, catalog);
  const parts = text?.split("{phone}").map((part, i) => html`${i > 0 && phoneLink(catalog.business)}${part}`);
  return problemBox(html`<p>${headline !== "" && html`<strong>${headline}</strong> `}${parts}</p>${more}`);
}

export function problemBox(content: HtmlPart, more?: Html): Html {
  return html`<div class="notice bad" role="alert" id="problem"${more}>${content}</div>`;
}

/** What the script says when an answer does not come. */
export function trouble(): Html {
  const data = Object.entries(SHELL.trouble).map(([name, text]) => html` data-${name}="${text}"`);
  return html`<p id="trouble" class="notice bad trouble" role="alert" hidden${data}><span></span>
<button type="button" class="quiet">${SHELL.again}</button></p>`;
}

/** An empty headline stands for none. */
type Said = readonly [headline: string, text?: string];
function said(error: ErrorBody, catalog: Shop): Said {
  if (otherStarts(error).length > 0) return PROBLEMS.takenNearest;
  const words = SAID[ERRORS[error.error_code].about];
  return typeof words === "function" ? words(error, catalog) : words;
}

const SAID: Readonly<Record<Subject, Said | ((error: ErrorBody, catalog: Shop) => Said)>> = {
  fields: ({ invalid_fields: faults }) =>
    faults?.some(({ field }) => field === "estimate_id") ? PROBLEMS.estimate : PROBLEMS.fields,
  date: PROBLEMS.taken,
  time: PROBLEMS.taken,
  price: ({ estimate }, catalog) =>
    PROBLEMS.price(amount(estimate?.previous_total ?? 0, catalog), amount(estimate?.total ?? 0, catalog)),
  area: (_, { business }) => PROBLEMS.area(business.service_area.label, business.address.locality),
  proof: PROBLEMS.noBooking,
  deadline: PROBLEMS.tooLate,
  "request id": PROBLEMS.sentBefore,
  limit: ({ rate_limit: limit, retry_after_seconds: wait = 60 }) =>
    PROBLEMS.limits[limit?.scope ?? ""]?.(limit?.limit ?? 0) ??
    PROBLEMS.limit(wait <= 90 ? UNITS.seconds(wait) : duration(Math.ceil(wait / 60))),
  rules: ({ message }) => ["", message],
  law: (_, { tint_law }) => PROBLEMS.notLegal[tint_law.not_legal === "ask" ? "ask" : "refuse"],
  key: PROBLEMS.byPhone,
  path: PROBLEMS.noPage,
  store: ({ message }) => [message, PROBLEMS.again],
  JSON: PROBLEMS.ours,
  size: PROBLEMS.ours,
  fault: PROBLEMS.ours,
};

export interface Problem {
  error: ErrorBody;
  status?: number;
}

export function problemPage(title: string, { error, status }: Problem, reader: Reader, more?: Html): PageAnswer {
  const main = html`<div class="narrow"><h1>${title}</h1>${notice(error, reader.ctx.catalog)}${more}</div>`;
  return page({ title, main, status }, reader);
}

/** The page for a request that is refused before it reaches one. */
export function renderRefusal(error: ErrorBody, catalog: Shop): Pick<PageAnswer, "body" | "headers"> {
  const on = html`<p class="actions"><a class="button" href="${BOOK_PATH}">${PROBLEMS.startAgain}</a>
<a class="button quiet" href="${MANAGE_PATH}">${SHELL.change}</a></p>`;
  const isMissing = ERRORS[error.error_code].about === "path";
  return problemPage(
    isMissing ? PROBLEMS.noPageTitle : PROBLEMS.title,
    { error },
    { isFramed: false, ctx: { catalog } },
    on,
  );
}
