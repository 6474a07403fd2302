/** `/book/glass`: from the windows of a building to a quote request. */
import type { z } from "zod";
import { wholeOf } from "../../../capabilities/core/price-shapes.ts";
import { flatGlassEstimate } from "../../../capabilities/flat-glass-estimate.ts";
import { offers } from "../../../capabilities/index.ts";
import { quoteRequest } from "../../../capabilities/quote-request.ts";
import { GLASS_PATH as PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { CONCERNS } from "../../../constants.ts";
import { flatGlassSpan } from "../../../discovery/prices.ts";
import { flatGlassOf } from "../../../domain/flat-glass.ts";
import { shopDate } from "../../../domain/schedule.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { isSigned, type LockTerms, readToken } from "../../../job/forms.ts";
import { type Html, html } from "../../../lib/html.ts";
import { toUnits } from "../../../lib/money.ts";
import { capitalized } from "../../../lib/text.ts";
import { serviceName } from "../../../messages/words.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { PANE_VIEW, pane } from "../drawing/drawing.ts";
import {
  asTool,
  choice,
  consentBox,
  consentOf,
  type FormField,
  formAfter,
  given,
  inputField,
  issueText,
  keptFields,
  pills,
  quoteNote,
  type Sent,
  sendLink,
} from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { parseStart, startOfMoment } from "../shell/paths.ts";
import { issuesByField, notice, trouble } from "../shell/problems.ts";
import { DETAILS, GLASS, QUOTE } from "../shell/texts.ts";
import { amount, amounts, dayIn, factList, phoneLink, taxName, ticket } from "../shell/wording.ts";
import { GLASS_TAB, questions, serviceTabs } from "../vehicle/offer.ts";
import {
  type Building,
  buildingQuery,
  glassOf,
  isUsed,
  LONGEST_NUMBER,
  readBuilding,
  UNITS,
  windowsOf,
} from "./building.ts";

export function show(visit: Visit): Promise<PageAnswer> {
  return render(visit, readBuilding(visit.query, visit.ctx.catalog));
}

async function render(visit: Visit, building: Building, sent?: Sent, status = 200): Promise<PageAnswer> {
  const { ctx, use } = visit;
  const { catalog } = ctx;
  if (!offers(catalog, "flat_glass_estimate")) return notSold(visit);
  const { glass_title: title, glass_intro: intro } = catalog.site.texts;
  const { priced, error } = await priceOfMost(building, use);
  const answer = priced?.ok ? priced.outcome.body : undefined;
  const estimate = answer && wholeOf(answer.data);
  const doubts = answer?.warnings?.filter(({ code }) => code === "SIZE_CHECK") ?? [];
  const promised = estimate && (await promisedGlass(building, estimate.estimate_id ?? "", visit));
  const link = promised && buildingQuery({ ...building, estimate: promised.kept, isOwn: false });
  const beside = promised && html`${promised.line}${sendLink(`${PATH}?${link}`)}`;
  const windows = windowInputs(building, issuesByField(error ?? sent?.error), catalog);
  const attributes = html`method="post" novalidate action="${PATH}#details"${asTool(quoteRequest, catalog)}`;
  const form = html`<form class="options" id="choose" ${attributes}>${[showButton(true), promised && keptFields(promised.kept)]}
${questionsOnBuilding(building, catalog)}<div id="windows">${windows}</div><p class="update">${showButton()}</p>
${error && !answer && !sent?.error && notice(error, catalog)}
${doubts.map(({ message }) => html`<p class="notice" role="status">${message}</p>`)}
${estimate && options(estimate, building.tier, catalog)}${quoteForm(sent, catalog)}</form>`;
  const stage = glassStage(estimate, building.tier, catalog, beside);
  const asked = questions(building.site || (catalog.terms.siteTypes[0] ?? ""), catalog);
  const main = html`<div class="intro"><h1>${title}</h1><p>${intro}</p></div>${serviceTabs(GLASS_TAB, catalog)}${PANE_VIEW}
<div class="configurator" id="price">${stage}${form}</div>${asked}${trouble()}`;
  return page({ title, main, status, ...(!sent && { listed: { path: PATH, description: intro } }) }, visit);
}

/** @param isFirst the first button of the form, because Enter presses the first one */
function showButton(isFirst = false): Html {
  const unseen = isFirst && html` tabindex="-1" aria-hidden="true"`;
  const kind = isFirst && html` class="hidden"`;
  return html`<button${kind} name="show" value="1" formaction="${PATH}#price"${unseen}>${GLASS.show}</button>`;
}

/** What the box for texts says; empty where the shop answers no requests by text. */
function quoteTexts({ messages, site }: Shop): string {
  const isOn = messages.quote_reply_sms?.enabled === true || messages.quote_nudge_sms?.enabled === true;
  return isOn ? site.texts.glass_sms_consent : "";
}

async function priceOf(building: Building, use: Visit["use"]) {
  const { site, concern } = building;
  const glass = glassOf(building);
  if (site === "" || (glass.windows === undefined && glass.total_sqft === undefined)) return undefined;
  return use(flatGlassEstimate, { site_type: site, primary_concern: concern, ...glass });
}

/** The price of the rows without a fault, where some have one. */
async function priceOfMost(building: Building, use: Visit["use"]) {
  const priced = await priceOf(building, use);
  if (priced?.ok !== false) return { priced, error: undefined };
  const { error } = priced;
  const faulty = new Set(
    (error.invalid_fields ?? [])
      .concat((error.missing_fields ?? []).map((field) => ({ field, message: "" })))
      .map(({ field }) => windowsOf(building)[Number(/^windows\[(\d+)\]/.exec(field)?.[1])]?.at),
  );
  const rows = building.rows.filter((_, i) => !faulty.has(i));
  const isMended = !faulty.has(undefined) && rows.some(isUsed);
  return { priced: isMended ? await priceOf({ ...building, rows }, use) : priced, error };
}

function notSold(visit: Visit): PageAnswer {
  const title = GLASS.notSold;
  const main = html`<div class="narrow"><div class="intro"><h1>${title}</h1></div>
<p><a class="button" href="/book">${GLASS.forVehicles}</a></p></div>`;
  return page({ title, main, status: 404 }, visit);
}

function quoteForm(sent: Sent | undefined, catalog: Shop): Html {
  const { typed, issue, id, line, phone, email, note } = formAfter(sent, "quote_request_id");
  const texts = quoteTexts(catalog);
  return html`<section class="details" id="details" aria-labelledby="details-title">
<h2 id="details-title" tabindex="-1">${GLASS.ask}</h2>
${sent?.error && notice(sent.error, catalog)}
${id}
<div class="fields">
${line("first_name", GLASS.firstName, { autocomplete: "given-name", required: true, maxlength: LIMITS.name })}
${line("last_name", GLASS.lastName, { autocomplete: "family-name", maxlength: LIMITS.name })}
${phone("phone")}
${email("email")}
${line("address", GLASS.address, { autocomplete: "address-line1", maxlength: LIMITS.address })}
${line("company_name", GLASS.company, { autocomplete: "organization", maxlength: LIMITS.name })}
${note("message", GLASS.message, LIMITS.text)}
</div>
${texts !== "" && consentBox("consent_sms", texts, typed)}
${consentBox("consent", catalog.site.texts.glass_consent, typed, issue("consent.confirmed_by_user") && GLASS.tick)}
<button class="act" name="do" value="ask" data-busy="${GLASS.busy}">${GLASS.act}</button></section>`;
}

/** The form was sent: by the button that asks or, without a script, by one that shows the price or another row. */
export async function send(visit: Visit): Promise<PageAnswer> {
  const { form, ctx } = visit;
  const building = readBuilding(form, ctx.catalog);
  if (form.get("do") === "ask") return ask(visit, { ...building, isComplete: true });
  const isPersonal = PERSON.some((name) => form.get(name));
  return isPersonal ? render(visit, building, { typed: form }) : seeOther(`${PATH}?${buildingQuery(building)}#price`);
}

const PERSON = ["first_name", "last_name", "phone", "email", "address", "company_name", "message"];

async function ask(visit: Visit, building: Building): Promise<PageAnswer> {
  const { form, use } = visit;
  const { catalog } = visit.ctx;
  const { site, concern, tier } = building;
  const { total_sqft, ...glass } = glassOf(building);
  const used = await use(quoteRequest, {
    ...given(form, ...PERSON, "quote_request_id", "estimate_id"),
    ...(site && { service_type: site }),
    film_goals: [concern],
    ...glass,
    ...(total_sqft !== undefined && { square_footage: total_sqft }),
    // The price covers all options; the shop reads here which one the customer wants.
    ...(tier !== undefined && { property_info: { option: tier } }),
    consent: consentOf(form, catalog.site.texts.glass_consent, quoteTexts(catalog), form.get("consent") === "yes"),
  });
  if (!used.ok) return render(visit, building, { error: used.error, typed: form }, used.status);
  const { reference, follow_up } = used.outcome.body.data;
  const by = follow_up.expected_by.slice(0, 16);
  return seeOther(`${PATH}/sent?reference=${reference}&by=${by}&${buildingQuery(building)}`);
}

/** The page after a quote request: the reference, and the windows that were sent. Nothing about the person. */
export async function sent(visit: Visit): Promise<PageAnswer> {
  const { query, use } = visit;
  const { catalog } = visit.ctx;
  const reference = /^Q-[0-9A-Z]{6}$/.exec(query.get("reference") ?? "")?.[0];
  const by = parseStart(query.get("by"));
  const building = readBuilding(query, catalog);
  const priced = reference === undefined ? undefined : await priceOf(building, use);
  const estimate = priced?.ok ? wholeOf(priced.outcome.body.data) : undefined;
  const title = reference ? GLASS.sent : GLASS.notSent;
  const facts =
    by &&
    factList(
      [GLASS.weCall, GLASS.by(dayIn("longDay", by.date, catalog))],
      [DETAILS.phone, phoneLink(catalog.business)],
      [GLASS.kind, serviceName(building.site, catalog)],
      ...(estimate ? glassFacts(estimate, building.tier, catalog) : []),
    );
  const head = { title, sign: reference ? "✓" : "?", isOn: reference !== undefined, text: catalog.site.texts.sent };
  const back = html`<p class="actions"><a class="button quiet" href="${PATH}?${buildingQuery(building)}">${GLASS.back}</a></p>`;
  const code = reference && ([GLASS.reference, reference] as const);
  const main = html`<div class="narrow">${ticket(head, code, html`${facts}${back}`)}</div>`;
  return page({ title, main, status: reference ? 200 : 404 }, visit);
}

/**
 * The ballpark that was promised for windows: the estimate that goes with the request and into the next address, and what is said
 * where it counts no more. @param today the estimate of the same page
 */
async function promisedGlass({ estimate: token, isOwn }: Building, today: string, { ctx }: Visit) {
  const { catalog, signing, now } = ctx;
  const kept = today;
  const [lock, fresh] = [readToken(token ?? ""), readToken(today)];
  const secret = await signing?.recent();
  if (token === undefined || secret === undefined || fresh?.kind !== "flat_glass" || lock?.kind === "digest")
    return { kept };
  const isNow = totalsOf(fresh, catalog);
  if (lock?.kind !== "flat_glass" || !isSigned(token, secret)) return { kept, line: quoteNote(QUOTE.unknown(isNow)) };
  const was = totalsOf(lock, catalog);
  if (!Bun.deepEquals(lock.glass, fresh.glass))
    return { kept, line: isOwn ? undefined : quoteNote(QUOTE.other(was, isNow)) };
  // The promise protects the customer alone: a list that is lower by now wins.
  if (lock.total >= fresh.total) return { kept };
  const day = dayIn("dayOfMonth", lock.validUntil, catalog);
  if (lock.validUntil < shopDate(catalog, now)) return { kept, line: quoteNote(QUOTE.over(was, day, isNow)) };
  return { kept: token, line: quoteNote(QUOTE.holds(was, day)) };
}

function totalsOf({ total, amounts: [least = total, most = total] }: LockTerms, catalog: Shop): string {
  return amounts(toUnits(least), toUnits(most), catalog);
}

type Answer = z.output<ReturnType<typeof flatGlassEstimate.output>>;
type GlassEstimate = ReturnType<typeof wholeOf<Answer>>;
type Option = GlassEstimate["options"][number];

function questionsOnBuilding({ site, concern, rows, sqft, isComplete }: Building, catalog: Shop): Html {
  const isMissing = site === "" && (isComplete || sqft !== "" || rows.some(isUsed));
  const sites = pills(GLASS.building, { name: "site_type", chosen: site }, catalog.terms.siteTypes, (key) =>
    serviceName(key, catalog),
  );
  const concerns = pills(GLASS.concern, { name: "primary_concern", chosen: concern }, CONCERNS, (key) =>
    capitalized(flatGlassOf(catalog).concern_names[key]),
  );
  return html`<div>${sites}${isMissing && html`<p class="fault" role="alert">${GLASS.chooseKind}</p>`}</div>${concerns}`;
}

/** @param issues by the field's name in the API, like `windows[0].width_in` */
function windowInputs(building: Building, issues: ReadonlyMap<string, string>, catalog: Shop): Html {
  const { rows, unit, floors, sqft, extras } = building;
  // By its id the script finds the button that was pressed.
  const act = (id: string, name: string, value: number, label: string) =>
    html`<button class="quiet" id="${id}" name="${name}" value="${value}" formaction="${PATH}#windows">${label}</button>`;
  const presets = flatGlassOf(catalog).usual_panes.map(({ name }, i) => act(`preset-${i}`, "preset", i, name));
  const number = (name: keyof typeof GLASS & string, value = "", more: Partial<FormField> = {}) =>
    inputField({
      ...{ name, label: String(GLASS[name]), value, issue: issues.get(name) },
      ...{ inputmode: "decimal", maxlength: LONGEST_NUMBER, ...more },
    });
  const counted = (["blocked_windows", "curtain_windows"] as const).filter((name) => extras[name] !== undefined);
  return html`<fieldset><legend>${GLASS.windows}</legend><p class="hint">${GLASS.hint}</p>
${pills(GLASS.unit, { name: "unit", chosen: unit }, UNITS, (one) => GLASS.units[one])}
${presets.length > 0 && html`<p class="more" role="group" aria-label="${GLASS.presets}">${presets}</p>`}
${rows.map((_, i) => windowRow(i, building, issues))}${issueText("windows", issues.get("windows"))}
<p class="more">${act("rows", "rows", rows.length + 1, GLASS.more)}</p>
<div class="fields">${sqft && number("total_sqft", sqft)}${number("floors", floors, { inputmode: "numeric" })}
${number("existing_film_sqft", extras.existing_film_sqft)}${counted.map((name) => number(name, extras[name]))}</div></fieldset>
${ladder(extras)}`;
}

function windowRow(i: number, building: Building, issues: ReadonlyMap<string, string>): Html {
  const { unit } = building;
  const row = building.rows[i];
  if (!row) return html``;
  const place = windowsOf(building).findIndex(({ at }) => at === i);
  const issue = (part: string) => issues.get(`windows[${place}].${part}`);
  const input = (name: "width" | "height" | "quantity", label: string, part: string, placeholder: string) => {
    const fault = issue(part) && html` aria-invalid="true" aria-describedby="window-${i}-fault"`;
    const hint = html`<span class="hidden">${GLASS.ofWindow(i + 1)}</span>`;
    return html`<span class="cell"><label for="${name}-${i}">${label}${hint}</label>
<input id="${name}-${i}" name="${name}" value="${row[name]}" inputmode="decimal" maxlength="${LONGEST_NUMBER}"
 placeholder="${placeholder}" autocomplete="off"${fault}></span>`;
  };
  const [width, height] = unit === "ft" ? ["3", "5"] : ["36", "60"];
  const said = ["width_in", "height_in", "quantity"].flatMap((part) => issue(part) ?? []);
  return html`<div class="window">
${input("width", GLASS.width, "width_in", width)}<span aria-hidden="true">×</span>${input("height", GLASS.height, "height_in", height)}
${input("quantity", GLASS.quantity, "quantity", "1")}
<span class="ticks">${tick("blocked", i, GLASS.blocked, row.isBlocked)}${tick("curtain", i, GLASS.curtain, row.hasCurtain)}</span>
${said.length > 0 && html`<p class="fault" id="window-${i}-fault">${said.join(" ")}</p>`}</div>`;
}

/** By default the floors decide; an estimate can say otherwise. */
function ladder({ needs_ladder: chosen }: Building["extras"]): Html | undefined {
  if (chosen === undefined) return undefined;
  return pills(GLASS.ladder, { name: "needs_ladder", chosen }, ["true", "false"], (answer) =>
    answer === "true" ? GLASS.yes : GLASS.no,
  );
}

function tick(name: string, row: number, label: string, isChosen: boolean): Html {
  const box = html`<input type="checkbox" id="${name}-${row}" name="${name}" value="${row}"${isChosen && html` checked`}>`;
  return html`<label class="tick-box" for="${name}-${row}">${box}${label}</label>`;
}

/** The options side by side, from the cheapest to the best. The chosen one goes with the request. @param chosen its tier */
function options({ options: all, notes }: GlassEstimate, chosen: string | undefined, catalog: Shop): Html {
  const cards = all.map((option) => {
    const { tier, recommended } = option;
    const isChosen = chosen === undefined ? recommended : chosen === tier;
    return choice({ name: "tier", value: tier, isChosen }, "film", optionCard(option, catalog));
  });
  const list = notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
  return html`<fieldset class="tiers"><legend>${GLASS.options}</legend><div class="films">${cards}</div>${list}</fieldset>`;
}

function optionCard(option: Option, catalog: Shop): Html {
  const { label, film, line_items: lines, price_per_sqft, recommended, why } = option;
  const parts = lines.map((line) => {
    const price = amounts(line.amount_min ?? line.amount, line.amount_max ?? line.amount, catalog);
    return html`<span class="line"><span>${line.label}</span><span>${price}</span></span>`;
  });
  // What the shop says of a film, like when it gives no privacy.
  const note = Object.values(flatGlassOf(catalog).films).find(({ name }) => name === film.name)?.note;
  return html`${pane(film.vlt ?? undefined, film.frosted)}
<b class="tier">${label}${recommended && html` <span class="badge">${GLASS.advice}</span>`}</b>
<span class="price">${aboutPrice(option, catalog)}</span>${exactly(option, catalog)}
<span class="film-name">${film.name}</span><span class="about">${why}</span>${note && html`<span class="about">${note}.</span>`}
${lines.length > 1 && html`<span class="lines-of-price">${parts}</span>`}
<span class="facts">${GLASS.perSqft(amount(price_per_sqft, catalog))}</span>`;
}

/** `about $1,630`: rounded, because the customer measured the glass. The lines and the range are exact. */
function aboutPrice({ total }: Pick<Option, "total">, catalog: Shop): string {
  const step = total < flatGlassOf(catalog).tens_from ? 1 : 10;
  return GLASS.about(amount(Math.round(total / step) * step, catalog));
}

function exactly(option: Option, catalog: Shop): Html {
  const { total_min: min, total_max: max, total_min_with_tax: least, total_max_with_tax: most } = option;
  const range = min === max ? undefined : html`<span class="soft">${amounts(min, max, catalog)}</span>`;
  if (least === undefined || most === undefined) return html`${range}`;
  return html`${range} <span class="soft">${GLASS.withTax(taxName(catalog), amounts(least, most, catalog))}</span>`;
}

/** The windows, and the price of the option that was chosen, for the page after the request. */
function glassFacts({ windows = [], total_sqft, options }: GlassEstimate, tier = "", catalog: Shop) {
  const rows = windows.map(({ label, quantity }) => GLASS.rowsOf(quantity, label));
  const option = options.find((one) => one.tier === tier);
  return [
    [GLASS.windows, rows.length > 0 ? rows.join(", ") : GLASS.area(total_sqft)] as const,
    option && ([GLASS.option, `${option.label}: ${option.film.name}`] as const),
    option && ([GLASS.estimate, aboutPrice(option, catalog)] as const),
  ];
}

/** Clear glass beside glass with the film that is chosen or advised, and its price. @param beside the price */
function glassStage(estimate: GlassEstimate | undefined, chosen = "", catalog: Shop, beside?: Html): Html {
  const flat = flatGlassOf(catalog);
  const options = estimate?.options ?? [];
  const best = options.find(({ tier }) => tier === chosen) ?? options.find(({ recommended }) => recommended);
  const shown = best?.film ?? Object.values(flat.films).find(({ vlt }) => vlt && vlt < 50);
  const day = estimate && dayIn("day", startOfMoment(estimate.valid_until).date, catalog);
  const area =
    day &&
    html`<p class="soft">${GLASS.areaUntil(estimate.total_sqft, day)} ${estimate.tax.note} ${estimate.price_note}</p>`;
  const tag =
    best && area
      ? html`<p class="what">${best.label}: ${best.film.name}</p><p class="total">${aboutPrice(best, catalog)}</p>
<p class="soft">${exactly(best, catalog)}</p>${area}`
      : html`<p class="what">${GLASS.installed}</p><p class="total">${flatGlassSpan(flat, catalog)}</p>
<p class="soft">${GLASS.enter}</p>`;
  return html`<div class="stage"><div class="picture house">
<div class="frame">${pane(undefined)}${pane(shown?.vlt ?? undefined, shown?.frosted)}</div>
<p class="legend"><span>${GLASS.clear}</span><span>${shown?.name}</span></p></div><div class="tag">${tag}${beside}</div></div>`;
}
