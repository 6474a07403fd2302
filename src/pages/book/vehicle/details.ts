/** The last step: a summary of the appointment, who comes, and the customer's consent. */

import { startText } from "../../../capabilities/shared/page-links.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { CUSTOMER_TEXTS } from "../../../constants.ts";
import type { Start } from "../../../domain/slots.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { type Html, html } from "../../markup/html.ts";
import { consentBox, hidden, textArea, textsBox } from "../shell/forms.ts";
import { formAfter, notice, otherStarts, type Problem } from "../shell/problems.ts";
import { jobFacts, lawFacts, priceFacts, summary, workName } from "../shell/summary.ts";
import { amount, longMoment, moment, phoneLink } from "../shell/wording.ts";
import { type Choices, toQuery } from "./choices.ts";
import type { Estimate } from "./offer.ts";

export function details(choices: Choices, estimate: Estimate, problem: Problem | undefined, catalog: Catalog): Html {
  const { business, bookings, messages, site } = catalog;
  if (bookings.require_api_key) {
    return html`<section class="details" id="details"><h2>Book by phone</h2><p>Appointments are made by phone here: ${phoneLink(business)}.</p></section>`;
  }
  const { start } = choices;
  if (!start) {
    return html`<section class="details" id="details">${problem && html`<p class="notice bad" role="alert">Please pick a time first.</p>`}</section>`;
  }
  const { typed, issue, id, line } = formAfter(problem, "booking_request_id");
  const hasMore = ["postal_code", "special_requests"].some((name) => typed.get(name) || issue(name));
  return html`<section class="details" id="details" aria-labelledby="details-title"><h2 id="details-title" tabindex="-1">Your details</h2>
<form method="post" action="/book?${toQuery(choices)}#details">
${problem && notice(problem.error, catalog, alternatives(problem, catalog))}
${appointment(hasAlternatives(problem) ? undefined : start, choices, estimate, catalog)}
${id}${hidden("estimate_id", estimate.estimate_id ?? "")}${!hasAlternatives(problem) && hidden("start", startText(start))}
<div class="fields">
${line("customer_name", "Name", { autocomplete: "name", required: true, maxlength: LIMITS.name })}
${line("customer_phone", "Phone", { type: "tel", autocomplete: "tel", required: true, maxlength: LIMITS.phone })}
${line("customer_email", "E-mail", { type: "email", autocomplete: "email", required: true, maxlength: LIMITS.email })}
</div>
<details class="more-fields"${hasMore && html` open`}><summary>ZIP code or a note <span class="aside">(not needed)</span></summary><div class="fields">
${line("postal_code", "ZIP code", { autocomplete: "postal-code", maxlength: 12 })}
${textArea({ name: "special_requests", label: "Note for us", value: typed.get("special_requests"), issue: issue("special_requests"), maxlength: LIMITS.text })}
</div></details>
${consentBox(site.texts.consent, typed.has("consent"), issue("consent.confirmed_by_user") && "Please tick this, so that we may book.")}
${CUSTOMER_TEXTS.some((kind) => messages[kind]?.enabled) && textsBox(site.texts.sms_consent, typed.has("consent_sms"))}
<button class="act" data-busy="Booking…">Book${!hasAlternatives(problem) && ` ${moment(start, catalog)}`} for ${amount(estimate.total_with_tax ?? estimate.total, catalog)}</button>
${bookings.self_service.enabled && html`<p class="soft">You can move or cancel online up to ${bookings.self_service.cutoff_hours} hours before.</p>`}
</form></section>`;
}

/** @param start undefined where another time has to be chosen first */
function appointment(start: Start | undefined, choices: Choices, estimate: Estimate, catalog: Catalog): Html {
  const { address, name } = catalog.business;
  const { front = null, rear = null, removeOldFilm } = choices;
  const shade = estimate.film_type === null ? null : { front_side: front, rear_side: rear, rear_window: rear };
  const addons = choices.addons.filter((word) => estimate.line_items.some(({ code }) => code === word));
  return summary(
    ["When", start ? longMoment(start, catalog) : "Please choose above"],
    ["What", workName(estimate, catalog)],
    choices.car !== undefined && ["Car", choices.car],
    ...jobFacts({ addons, shade, remove_old_film: removeOldFilm && estimate.film_type !== null }, catalog),
    ...lawFacts(estimate.tint_law),
    ...priceFacts(estimate, catalog),
    ["Where", `${name}, ${address.street}, ${address.locality}`],
  );
}

function hasAlternatives(problem: Problem | undefined): boolean {
  return (problem?.error.alternatives?.length ?? 0) > 0;
}

/** The nearest open times, to choose one of. */
function alternatives({ error }: Problem, catalog: Catalog): Html | undefined {
  const starts = otherStarts(error);
  if (starts.length === 0) return undefined;
  return html`<div class="pills" role="radiogroup" aria-label="Other times">${starts.map((start) => {
    const value = startText(start);
    return html`<label class="pill" for="start-${value}"><input type="radio" id="start-${value}" name="start" value="${value}" required><span class="pill-text">${moment(start, catalog)}</span></label>`;
  })}</div>`;
}
