/** `/book`: from a vehicle to a booked appointment. */
import { automotiveEstimate } from "../../../capabilities/automotive-estimate.ts";
import { bookAppointment } from "../../../capabilities/book-appointment.ts";
import { checkAvailability } from "../../../capabilities/check-availability.ts";
import { wholeOf } from "../../../capabilities/estimate/brief.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { shopDate } from "../../../domain/schedule.ts";
import { serviceOf } from "../../../domain/work.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { type Html, html } from "../../markup/html.ts";
import { consentOf, given, hidden, numberOrText } from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { BOOK_PATH, bookedAddress, readStart } from "../shell/paths.ts";
import { notice, type Problem } from "../shell/problems.ts";
import { amount } from "../shell/wording.ts";
import { type Choices, readChoices, shadeOf, workOf } from "./choices.ts";
import { details } from "./details.ts";
import { type Estimate, extras, films, glass, tabs, vehicles } from "./offer.ts";
import { shades, stocked } from "./shades.ts";
import { stage } from "./stage.ts";
import { DAYS, firstShown, times } from "./times.ts";

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
  const priced = await use(automotiveEstimate, { ...work, service: choices.service, ...shadeOf(choices, catalog) });
  if (!priced.ok) return notice(priced.error, catalog);
  const estimate = wholeOf(priced.outcome.body.data);
  const clean = await use(automotiveEstimate, { ...work, service: choices.service, remove_old_film: true });
  const withRemoval = clean.ok ? wholeOf(clean.outcome.body.data) : estimate;
  const { id } = serviceOf(catalog, choices.service);
  const today = shopDate(catalog, ctx.now);
  const from = firstShown(choices, today, catalog);
  const open = await use(checkAvailability, {
    ...work,
    service: id,
    days: DAYS,
    view: "compact",
    ...(from && { from }),
  });
  return html`<div class="configurator" id="price">${stage(choices, estimate, catalog)}<div class="options">
<form id="choose" method="get" action="/book#price">${hidden("service_type", choices.service)}${vehicles(choices, catalog)}${glass(choices, catalog)}${films(choices, estimate, catalog)}${shades(choices, estimate, catalog)}${extras(choices, estimate, withRemoval, catalog)}
<p class="update"><button>Update the price</button></p>
${open.ok ? times(choices, open.outcome.body, today, catalog) : notice(open.error, catalog)}
</form>
${details(choices, estimate, problem, catalog)}</div>${bar(choices, estimate, catalog)}</div>`;
}

/** The price in sight on a small screen, with the way to the times. */
function bar({ start }: Choices, { total }: Estimate, catalog: Catalog): Html {
  if (start) return html``;
  return html`<p class="bar"><b>${amount(total, catalog)}</b><a class="button" href="#times">Pick a time</a></p>`;
}

export async function book(visit: Visit): Promise<PageAnswer> {
  const { form, query, ctx, use } = visit;
  const choices = chosen(visit);
  const start = readStart(form.get("start") ?? query.get("start"));
  const used = await use(bookAppointment, {
    ...start,
    ...given(form, "customer_name", "customer_phone", "customer_email", "vehicle_make", "vehicle_model"),
    ...given(form, "special_requests", "postal_code", "booking_request_id", "estimate_id"),
    ...(form.get("vehicle_year") && { vehicle_year: numberOrText(form.get("vehicle_year") ?? "") }),
    // The signed estimate holds the work. Without it the work is named, at the price of today.
    ...(!form.get("estimate_id") && {
      ...workOf(choices),
      service_type: choices.service,
      ...shadeOf(choices, ctx.catalog),
    }),
    consent: consentOf(form, ctx.catalog.site.texts.consent),
  });
  if (!used.ok) {
    return show(visit, { ...choices, start: start ?? choices.start }, { error: used.error, typed: form }, used.status);
  }
  return seeOther(bookedAddress(used.outcome.body.data));
}
