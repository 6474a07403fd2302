/** `/book/glass`: from the windows of a building to a quote request. */

import { wholeOf } from "../../../capabilities/core/price-shapes.ts";
import { flatGlassEstimate } from "../../../capabilities/flat-glass-estimate.ts";
import { offers } from "../../../capabilities/index.ts";
import { quoteRequest } from "../../../capabilities/quote-request.ts";
import { GLASS_PATH as PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { type Html, html } from "../../markup/html.ts";
import { PANE_VIEW } from "../drawing/drawing.ts";
import {
  asTool,
  consentBox,
  consentOf,
  formAfter,
  given,
  hidden,
  issuesByField,
  notice,
  type Sent,
  textArea,
  textsBox,
} from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { parseStart } from "../shell/paths.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { dayIn, factList, phoneLink, serviceName } from "../shell/wording.ts";
import { GLASS, serviceTabs } from "../vehicle/offer.ts";
import { concerns, type GlassEstimate, glassFacts, glassStage, options, sites, windowInputs } from "./offer.ts";
import { type Building, buildingQuery, glassOf, readBuilding } from "./windows.ts";

const SAID = PAGE_TEXTS.glass;

export function show(visit: Visit): Promise<PageAnswer> {
  return render(visit, readBuilding(visit.query, visit.ctx.catalog));
}

async function render(visit: Visit, building: Building, sent?: Sent, status = 200): Promise<PageAnswer> {
  const { ctx, use, isFramed } = visit;
  const { catalog } = ctx;
  if (!offers(catalog, "flat_glass_estimate")) return notSold(catalog, isFramed);
  const { glass_title: title, glass_intro: intro } = catalog.site.texts;
  const priced = await priceOf(building, use);
  const estimate = priced?.ok ? wholeOf(priced.outcome.body.data) : undefined;
  const checks = priced?.ok ? (priced.outcome.body.warnings ?? []).filter(({ code }) => code === "SIZE_CHECK") : [];
  const issues = issuesByField(priced?.ok === false ? priced.error : sent?.error);
  const main = html`<div class="intro"><h1>${title}</h1><p>${intro}</p></div>${serviceTabs(GLASS, catalog)}${PANE_VIEW}<div class="configurator" id="price">${glassStage(estimate, catalog)}<form class="options" id="choose" method="post" novalidate action="${PATH}#details"${asTool(quoteRequest, catalog)}>${SHOW}${sites(building, catalog)}${concerns(building, catalog)}<div id="windows">${windowInputs(building, issues)}</div><p class="update"><button name="show" value="1" formaction="${PATH}#price">${SAID.show}</button></p>
${priced?.ok === false && notice(priced.error, catalog)}${checks.map(({ message }) => html`<p class="notice" role="status">${message}</p>`)}${estimate && options(estimate, building.tier, catalog)}${request(estimate, sent, catalog)}</form></div>`;
  return page({ title, main, status, ...(!sent && { listed: { path: PATH, description: intro } }) }, catalog, isFramed);
}

/** The first button of the form, because Enter presses the first one. */
const SHOW = html`<button class="hidden" name="show" value="1" formaction="${PATH}#price" tabindex="-1" aria-hidden="true">${SAID.show}</button>`;

/** Whether the shop answers requests by text. */
function asksForTexts({ messages }: Shop): boolean {
  return messages.quote_reply_sms?.enabled === true || messages.quote_nudge_sms?.enabled === true;
}

/** @returns undefined while nothing is known of the glass */
async function priceOf(building: Building, use: Visit["use"]) {
  const { site, concern } = building;
  const glass = glassOf(building);
  if (glass.windows === undefined && glass.total_sqft === undefined) return undefined;
  return use(flatGlassEstimate, { site_type: site, primary_concern: concern, ...glass });
}

function notSold(catalog: Shop, isFramed: boolean): PageAnswer {
  const title = SAID.notSold;
  const main = html`<div class="narrow"><div class="intro"><h1>${title}</h1></div><p><a class="button" href="/book">${SAID.forVehicles}</a></p></div>`;
  return page({ title, main, status: 404 }, catalog, isFramed);
}

function request(estimate: GlassEstimate | undefined, sent: Sent | undefined, catalog: Shop): Html {
  const { typed, issue, id, line } = formAfter(sent, "quote_request_id");
  return html`<section class="details" id="details" aria-labelledby="details-title"><h2 id="details-title" tabindex="-1">${SAID.ask}</h2>
${sent?.error && notice(sent.error, catalog)}
${id}${hidden("estimate_id", estimate?.estimate_id ?? "")}
<div class="fields">
${line("first_name", SAID.firstName, { autocomplete: "given-name", required: true, maxlength: LIMITS.name })}
${line("last_name", SAID.lastName, { autocomplete: "family-name", maxlength: LIMITS.name })}
${line("phone", PAGE_TEXTS.details.phone, { type: "tel", autocomplete: "tel", required: true, maxlength: LIMITS.phone })}
${line("email", PAGE_TEXTS.details.email, { type: "email", autocomplete: "email", required: true, maxlength: LIMITS.email })}
${line("address", SAID.address, { autocomplete: "address-line1", maxlength: LIMITS.address })}
${line("company_name", SAID.company, { autocomplete: "organization", maxlength: LIMITS.name })}
${textArea({ name: "message", label: SAID.message, value: typed.get("message"), issue: issue("message"), maxlength: LIMITS.text })}
</div>
${asksForTexts(catalog) && textsBox(catalog.site.texts.glass_sms_consent, typed.has("consent_sms"))}
${consentBox(catalog.site.texts.glass_consent, typed.has("consent"), issue("consent.confirmed_by_user") && SAID.tick)}
<button class="act" name="do" value="ask" data-busy="${SAID.busy}">${SAID.act}</button></section>`;
}

/** The form was sent: by the button that asks or, without a script, by one that shows the price or another row. */
export async function send(visit: Visit): Promise<PageAnswer> {
  const { form, ctx } = visit;
  const building = readBuilding(form, ctx.catalog);
  if (form.get("do") === "ask") return ask(visit, { ...building, isComplete: true });
  const isPersonal = PERSON.some((name) => form.get(name));
  return isPersonal ? render(visit, building, { typed: form }) : seeOther(`${PATH}?${buildingQuery(building)}#price`);
}

/** The fields about the person. */
const PERSON = ["first_name", "last_name", "phone", "email", "address", "company_name", "message"];

async function ask(visit: Visit, building: Building): Promise<PageAnswer> {
  const { form, ctx, use } = visit;
  const { tier } = building;
  const { site, concern } = building;
  const { total_sqft, ...glass } = glassOf(building);
  const { texts } = ctx.catalog.site;
  const used = await use(quoteRequest, {
    ...given(form, ...PERSON, "quote_request_id", "estimate_id"),
    service_type: site,
    film_goals: [concern],
    ...glass,
    ...(total_sqft !== undefined && { square_footage: total_sqft }),
    // The price covers all options; the shop reads here which one the customer wants.
    ...(tier !== undefined && { property_info: { option: tier } }),
    consent: consentOf(form, texts.glass_consent, asksForTexts(ctx.catalog) ? texts.glass_sms_consent : ""),
  });
  if (!used.ok) return render(visit, building, { error: used.error, typed: form }, used.status);
  const { reference, follow_up } = used.outcome.body.data;
  return seeOther(
    `${PATH}/sent?reference=${reference}&by=${follow_up.expected_by.slice(0, 16)}&${buildingQuery(building)}`,
  );
}

/** The page after a quote request: the reference, and the windows that were sent. Nothing about the person. */
export async function sent({ query, ctx: { catalog }, isFramed, use }: Visit): Promise<PageAnswer> {
  const reference = /^Q-[0-9A-Z]{6}$/.exec(query.get("reference") ?? "")?.[0];
  const by = parseStart(query.get("by"));
  const building = readBuilding(query, catalog);
  const priced = reference === undefined ? undefined : await priceOf(building, use);
  const estimate = priced?.ok ? wholeOf(priced.outcome.body.data) : undefined;
  const title = reference ? SAID.sent : SAID.notSent;
  const main = html`<div class="narrow"><article class="ticket${!reference && " over"}"><header><p class="tick" aria-hidden="true">${reference ? "✓" : "?"}</p><h1>${title}</h1>${reference && html`<p>${catalog.site.texts.sent}</p>`}</header>
${reference && html`<p class="code"><span class="code-label">${SAID.reference}</span><b>${reference}</b></p>`}
${by && factList([SAID.weCall, SAID.by(dayIn("longDay", by.date, catalog))], [PAGE_TEXTS.details.phone, phoneLink(catalog.business)], [SAID.kind, serviceName(building.site, catalog)], ...(estimate ? glassFacts(estimate, building.tier, catalog) : []))}
<p class="actions"><a class="button quiet" href="${PATH}?${buildingQuery(building)}">${SAID.back}</a></p></article></div>`;
  return page({ title, main, status: reference ? 200 : 404 }, catalog, isFramed);
}
