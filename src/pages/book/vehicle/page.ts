/** `/book`: from a vehicle to a booked appointment. */
import { automotiveEstimate } from "../../../capabilities/automotive-estimate.ts";
import { bookAppointment } from "../../../capabilities/book-appointment.ts";
import { checkAvailability } from "../../../capabilities/check-availability.ts";
import { wholeOf } from "../../../capabilities/estimate/brief.ts";
import { quotedTerms } from "../../../capabilities/lock/verified.ts";
import { startText } from "../../../capabilities/shared/page-links.ts";
import { taxed } from "../../../capabilities/shared/tax.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { shopDate } from "../../../domain/schedule.ts";
import { serviceOf } from "../../../domain/work.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { type Html, html } from "../../markup/html.ts";
import { consentOf, given, hidden } from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { bookedAddress, readStart } from "../shell/paths.ts";
import { notice, type Problem } from "../shell/problems.ts";
import { amount, dayIn, longMoment } from "../shell/wording.ts";
import { type Choices, carOf, readChoices, shadeOf, workOf } from "./choices.ts";
import { details } from "./details.ts";
import { type Estimate, extras, films, glass, tabs, vehicles } from "./offer.ts";
import { shades, stocked } from "./shades.ts";
import { stage } from "./stage.ts";
import { DAYS, firstShown, nearestOpen, times } from "./times.ts";

export function choose(visit: Visit): Promise<PageAnswer> {
  return show(visit, chosen(visit));
}

function chosen({ query, ctx: { catalog } }: Visit): Choices {
  return stocked(readChoices(query, catalog), catalog);
}

async function show(visit: Visit, choices: Choices, problem?: Problem, status = 200): Promise<PageAnswer> {
  const { catalog } = visit.ctx;
  const { texts } = catalog.site;
  const body =
    choices.vehicle === undefined
      ? withoutVehicle(choices, visit, problem)
      : await withVehicle(choices, visit, problem);
  const main = html`<div class="intro"><h1>${texts.title}</h1><p>${texts.intro}</p></div>${tabs(choices.service, catalog)}${body}`;
  return page(
    { title: texts.title, main, status, ...(!problem && { listed: { path: BOOK_PATH, description: texts.intro } }) },
    catalog,
    visit.isFramed,
  );
}

function withoutVehicle(choices: Choices, { ctx: { catalog } }: Visit, problem: Problem | undefined): Html {
  return html`<div class="configurator">${stage(choices, undefined, catalog)}<div class="options">${problem && notice(problem.error, catalog)}
<form id="choose" method="get" action="/book#price">${hidden("service_type", choices.service)}${vehicles(choices, catalog)}${films(choices, undefined, catalog)}<p class="update"><button>Show price and times</button></p></form></div></div>`;
}

async function withVehicle(choices: Choices, visit: Visit, problem: Problem | undefined): Promise<Html> {
  const { ctx, use } = visit;
  const { catalog } = ctx;
  const work = workOf(choices);
  const priced = await use(automotiveEstimate, {
    ...work,
    ...carOf(choices),
    service: choices.service,
    ...shadeOf(choices, catalog),
  });
  if (!priced.ok) return notice(priced.error, catalog);
  const today = wholeOf(priced.outcome.body.data);
  const quoted = await quotedPrice(choices, today, visit);
  const estimate = { ...today, ...quoted };
  const clean = await use(automotiveEstimate, { ...work, service: choices.service, remove_old_film: true });
  const withRemoval = clean.ok ? wholeOf(clean.outcome.body.data) : estimate;
  const { id } = serviceOf(catalog, choices.service);
  const date = shopDate(catalog, ctx.now);
  const from = firstShown(choices, date, catalog);
  const open = await use(checkAvailability, {
    ...work,
    service: id,
    days: DAYS,
    view: "compact",
    ...(from && { from }),
  });
  const near = open.ok ? nearestOpen(choices, open.outcome.body) : choices.start;
  const isMoved = near !== undefined && choices.start !== undefined && startText(near) !== startText(choices.start);
  const shown = { ...choices, start: near };
  return html`<div class="configurator" id="price">${stage(choices, estimate, catalog)}<div class="options">
<form id="choose" method="get" action="/book#price">${hidden("service_type", choices.service)}${choices.estimateId && hidden("estimate_id", choices.estimateId)}${vehicles(choices, catalog)}${glass(choices, catalog)}${films(choices, estimate, catalog)}${shades(choices, estimate, catalog)}${extras(choices, estimate, withRemoval, catalog)}
<p class="update"><button>Update the price</button></p>
${open.ok ? times(shown, open.outcome.body, date, catalog) : notice(open.error, catalog)}
</form>
${isMoved && !problem && html`<p class="notice" role="status">That time is not free. The nearest that is: ${longMoment(near, catalog)}.</p>`}${quoted && html`<p class="soft">The price you were quoted holds until ${dayIn("longDay", quoted.valid_until.slice(0, 10), catalog)}.</p>`}
${details(problem ? choices : shown, estimate, problem, catalog)}</div>${bar(shown, estimate, catalog)}</div>`;
}

/** The price of the estimate in the address, where it is of this job and still holds; undefined where today's counts. */
async function quotedPrice(choices: Choices, today: Estimate, { ctx }: Visit) {
  const { estimateId: token } = choices;
  if (token === undefined) return undefined;
  const job = { ...workOf(choices), service_type: choices.service, ...shadeOf(choices, ctx.catalog) };
  const terms = await quotedTerms(token, job, ctx);
  const price = terms && taxed(terms.total, ctx.catalog);
  return terms && price && price.total <= today.total
    ? { ...price, estimate_id: token, valid_until: terms.validUntil }
    : undefined;
}

/** The price in sight on a small screen, with the way to the times. */
function bar({ start }: Choices, { total, total_with_tax: all = total }: Estimate, catalog: Catalog): Html {
  if (start) return html``;
  return html`<p class="bar"><b>${amount(all, catalog)}</b><a class="button" href="#times">Pick a time</a></p>`;
}

export async function book(visit: Visit): Promise<PageAnswer> {
  const { form, query, ctx, use } = visit;
  const choices = chosen(visit);
  const start = readStart(form.get("start") ?? query.get("start"));
  const used = await use(bookAppointment, {
    ...start,
    ...given(form, "customer_name", "customer_phone", "customer_email"),
    ...carOf(choices),
    ...given(form, "special_requests", "postal_code", "booking_request_id", "estimate_id"),
    // The signed estimate holds the work. Without it the work is named, at the price of today.
    ...(!form.get("estimate_id") && {
      ...workOf(choices),
      service_type: choices.service,
      ...shadeOf(choices, ctx.catalog),
    }),
    consent: consentOf(form, ctx.catalog.site.texts.consent, ctx.catalog.site.texts.sms_consent),
  });
  if (!used.ok) {
    return show(visit, { ...choices, start: start ?? choices.start }, { error: used.error, typed: form }, used.status);
  }
  return seeOther(bookedAddress(used.outcome.body.data));
}
