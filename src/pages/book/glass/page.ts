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
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { MOST_ROWS } from "../../../job/forms.ts";
import { capitalised } from "../../../lib/text.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { type Html, html } from "../../markup/html.ts";
import { PANE_VIEW, pane } from "../drawing/drawing.ts";
import {
  asTool,
  choice,
  consentBox,
  consentOf,
  formAfter,
  given,
  inputField,
  issuesByField,
  notice,
  numberOrText,
  pills,
  type Sent,
  textArea,
  textsBox,
} from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { parseStart, startOfMoment } from "../shell/paths.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { amount, amounts, dayIn, factList, phoneLink, serviceName, taxName } from "../shell/wording.ts";
import { GLASS, questions, serviceTabs } from "../vehicle/offer.ts";
import { keptFields, sendLink } from "../vehicle/quote.ts";
import { promisedGlass } from "./quote.ts";

const SAID = PAGE_TEXTS.glass;

export function show(visit: Visit): Promise<PageAnswer> {
  return render(visit, readBuilding(visit.query, visit.ctx.catalog));
}

async function render(visit: Visit, building: Building, sent?: Sent, status = 200): Promise<PageAnswer> {
  const { ctx, use, isFramed } = visit;
  const { catalog } = ctx;
  if (!offers(catalog, "flat_glass_estimate")) return notSold(catalog, isFramed);
  const { glass_title: title, glass_intro: intro } = catalog.site.texts;
  const { priced, error } = await priceOfMost(building, use);
  const estimate = priced?.ok ? wholeOf(priced.outcome.body.data) : undefined;
  const checks = priced?.ok ? (priced.outcome.body.warnings ?? []).filter(({ code }) => code === "SIZE_CHECK") : [];
  const promised =
    estimate && (await promisedGlass(building.estimate, estimate.estimate_id ?? "", building.isOwn, visit));
  const beside =
    promised &&
    html`${promised.line}${sendLink(`${PATH}?${buildingQuery({ ...building, estimate: promised.kept, isOwn: false })}`)}`;
  const issues = issuesByField(error ?? sent?.error);
  const inputs = html`<div id="windows">${windowInputs(building, issues, catalog)}</div>`;
  const update = html`<p class="update"><button name="show" value="1" formaction="${PATH}#price">${SAID.show}</button></p>`;
  const doubts = checks.map(({ message }) => html`<p class="notice" role="status">${message}</p>`);
  const answer = [doubts, estimate && options(estimate, building.tier, catalog), request(sent, catalog)];
  const attributes = html`method="post" novalidate action="${PATH}#details"${asTool(quoteRequest, catalog)}`;
  const form = html`<form class="options" id="choose" ${attributes}>${[SHOW, promised && keptFields(promised.kept), sites(building, catalog), concerns(building, catalog)]}${[inputs, update]}
${error && !priced?.ok && notice(error, catalog)}${answer}</form>`;
  const main = html`<div class="intro"><h1>${title}</h1><p>${intro}</p></div>${serviceTabs(GLASS, catalog)}${PANE_VIEW}<div class="configurator" id="price">${glassStage(estimate, building.tier, catalog, beside)}${form}</div>${questions(building.site || (catalog.terms.siteTypes[0] ?? ""), catalog)}`;
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

function notSold(catalog: Shop, isFramed: boolean): PageAnswer {
  const title = SAID.notSold;
  const main = html`<div class="narrow"><div class="intro"><h1>${title}</h1></div><p><a class="button" href="/book">${SAID.forVehicles}</a></p></div>`;
  return page({ title, main, status: 404 }, catalog, isFramed);
}

function request(sent: Sent | undefined, catalog: Shop): Html {
  const { typed, issue, id, line } = formAfter(sent, "quote_request_id");
  return html`<section class="details" id="details" aria-labelledby="details-title"><h2 id="details-title" tabindex="-1">${SAID.ask}</h2>
${sent?.error && notice(sent.error, catalog)}
${id}
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

const PERSON = ["first_name", "last_name", "phone", "email", "address", "company_name", "message"];

async function ask(visit: Visit, building: Building): Promise<PageAnswer> {
  const { form, ctx, use } = visit;
  const { tier } = building;
  const { site, concern } = building;
  const { total_sqft, ...glass } = glassOf(building);
  const { texts } = ctx.catalog.site;
  const used = await use(quoteRequest, {
    ...given(form, ...PERSON, "quote_request_id", "estimate_id"),
    ...(site && { service_type: site }),
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

// The windows, and the options for them side by side. Prices are the API's.

type Answer = z.output<ReturnType<typeof flatGlassEstimate.output>>;
export type GlassEstimate = ReturnType<typeof wholeOf<Answer>>;

export function sites({ site, rows, sqft, isComplete }: Building, catalog: Shop): Html {
  const isMissing = site === "" && (isComplete || sqft !== "" || rows.some(isUsed));
  return html`<div>${pills(SAID.building, { name: "site_type", chosen: site }, catalog.terms.siteTypes, (key) =>
    serviceName(key, catalog),
  )}${isMissing && html`<p class="fault" role="alert">${SAID.chooseKind}</p>`}</div>`;
}

export function concerns({ concern }: Building, catalog: Shop): Html {
  return pills(SAID.concern, { name: "primary_concern", chosen: concern }, CONCERNS, (key) =>
    capitalised(flatGlassOf(catalog).concern_names[key]),
  );
}

/** @param issues by the field's name in the API, like `windows[0].width_in` */
export function windowInputs(building: Building, issues: ReadonlyMap<string, string>, catalog: Shop): Html {
  const places = new Map(windowsOf(building).map(({ at }, i) => [at, i]));
  const { rows, unit, floors, sqft, extras } = building;
  const [width, height] = unit === "ft" ? ["3", "5"] : ["36", "60"];
  const presets = flatGlassOf(catalog).usual_panes.map(
    ({ name }, i) =>
      html`<button class="quiet" name="preset" value="${i}" formaction="${PATH}#windows">${name}</button>`,
  );
  return html`<fieldset><legend>${SAID.windows}</legend><p class="hint">${SAID.hint}</p>${pills(SAID.unit, { name: "unit", chosen: unit }, UNITS, (one) => SAID.units[one])}${presets.length > 0 && html`<p class="more" role="group" aria-label="${SAID.presets}">${presets}</p>`}${rows.map(
    (row, i) => {
      const issue = (part: string) => issues.get(`windows[${places.get(i)}].${part}`);
      const input = (name: "width" | "height" | "quantity", label: string, part: string, placeholder?: string) =>
        html`<span class="cell"><label for="${name}-${i}">${label}<span class="hidden">${SAID.ofWindow(i + 1)}</span></label><input id="${name}-${i}" name="${name}" value="${row[name]}" inputmode="decimal" maxlength="12" placeholder="${placeholder}" autocomplete="off"${issue(part) && html` aria-invalid="true" aria-describedby="window-${i}-fault"`}></span>`;
      const said = ["width_in", "height_in", "quantity"].flatMap((part) => issue(part) ?? []);
      return html`<div class="window">${input("width", SAID.width, "width_in", width)}<span aria-hidden="true">×</span>${input("height", SAID.height, "height_in", height)}${input("quantity", SAID.quantity, "quantity", "1")}<span class="ticks">${tick("blocked", i, SAID.blocked, row.isBlocked)}${tick("curtain", i, SAID.curtain, row.hasCurtain)}</span>${said.length > 0 && html`<p class="fault" id="window-${i}-fault">${said.join(" ")}</p>`}</div>`;
    },
  )}<p class="more"><button class="quiet" name="rows" value="${rows.length + 1}" formaction="/book/glass#windows">${SAID.more}</button></p>
<div class="fields">${sqft && inputField({ name: "total_sqft", label: SAID.sqft, value: sqft, inputmode: "decimal", maxlength: 12, issue: issues.get("total_sqft") })}${inputField({ name: "floors", label: SAID.floors, value: floors, inputmode: "numeric", maxlength: 3, issue: issues.get("floors") })}${EXTRA_FIELDS.map(([name, isAlways]) => (isAlways || extras[name] !== undefined) && inputField({ name, label: SAID[name], value: extras[name] ?? "", inputmode: "decimal", maxlength: 12, issue: issues.get(name) }))}</div></fieldset>${ladder(extras)}`;
}

const UNITS = ["in", "ft"] as const;

/** Furniture and curtains are ticked for each window; counts of them come with an estimate. */
const EXTRA_FIELDS = [
  ["existing_film_sqft", true],
  ["blocked_windows", false],
  ["curtain_windows", false],
] as const;

/** By default the floors decide; an estimate can say otherwise. */
function ladder({ needs_ladder: chosen }: Building["extras"]): Html | undefined {
  if (chosen === undefined) return undefined;
  return pills(SAID.ladder, { name: "needs_ladder", chosen }, ["true", "false"], (answer) =>
    answer === "true" ? SAID.yes : SAID.no,
  );
}

function tick(name: string, row: number, label: string, isChosen: boolean): Html {
  return html`<label class="tick-box" for="${name}-${row}"><input type="checkbox" id="${name}-${row}" name="${name}" value="${row}"${isChosen && html` checked`}>${label}</label>`;
}

/** The options side by side, from the cheapest to the best. The chosen one goes with the request. @param chosen its tier */
export function options({ options: all, notes }: GlassEstimate, chosen: string | undefined, catalog: Shop): Html {
  return html`<fieldset class="tiers"><legend>${SAID.options}</legend><div class="films">${all.map((option) => {
    const { tier, label, film, line_items: lines, price_per_sqft, recommended, why } = option;
    const parts = html`<span class="lines-of-price">${lines.map((line) => html`<span class="line"><span>${line.label}</span><span>${amounts(line.amount_min ?? line.amount, line.amount_max ?? line.amount, catalog)}</span></span>`)}</span>`;
    const content = html`${pane(film.vlt ?? undefined, film.frosted)}<b class="tier">${label}${recommended && html` <span class="badge">${SAID.advice}</span>`}</b><span class="price">${about(option, catalog)}</span>${range(option, catalog)}${withTax(option, catalog)}<span class="film-name">${film.name}</span><span class="about">${why}</span>${noteOf(film.name, catalog)}${lines.length > 1 && parts}<span class="facts">${SAID.perSqft(amount(price_per_sqft, catalog))}</span>`;
    return choice(
      { name: "tier", value: tier, isChosen: chosen === undefined ? recommended : chosen === tier },
      "film",
      content,
    );
  })}</div>${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}</fieldset>`;
}

/** What the shop says of a film, like when it gives no privacy. */
function noteOf(name: string, catalog: Shop): Html | undefined {
  const note = Object.values(flatGlassOf(catalog).films).find((film) => film.name === name)?.note;
  return note ? html`<span class="about">${note}.</span>` : undefined;
}

type Option = GlassEstimate["options"][number];

/** `about $1,630`: without cents, because the customer measured the glass. The lines and the range are exact. */
function about({ total }: Pick<Option, "total">, catalog: Shop): string {
  const step = total < 1000 ? 1 : 10;
  return SAID.about(amount(Math.round(total / step) * step, catalog));
}

/** The windows, and the price of the option that was chosen, for the page after the request. */
export function glassFacts(
  { windows = [], total_sqft, options }: GlassEstimate,
  tier: string | undefined,
  catalog: Shop,
) {
  const rows = windows.map(({ label, quantity }) => SAID.rowsOf(quantity, label));
  const option = options.find((one) => one.tier === tier);
  return [
    [SAID.windows, rows.length > 0 ? rows.join(", ") : SAID.area(total_sqft)] as const,
    option && ([SAID.option, `${option.label}: ${option.film.name}`] as const),
    option && ([SAID.estimate, about(option, catalog)] as const),
  ];
}

/** The price as a range, where it is one. */
function range({ total_min: min, total_max: max }: Option, catalog: Shop): Html | undefined {
  return min === max ? undefined : html`<span class="soft">${amounts(min, max, catalog)}</span>`;
}

function withTax({ total_min_with_tax: min, total_max_with_tax: max }: Option, catalog: Shop): Html | undefined {
  if (min === undefined || max === undefined) return undefined;
  return html`<span class="soft">${SAID.withTax(taxName(catalog), amounts(min, max, catalog))}</span>`;
}

export function glassStage(
  estimate: GlassEstimate | undefined,
  chosen: string | undefined,
  catalog: Shop,
  beside?: Html,
): Html {
  const options = estimate?.options ?? [];
  const best = options.find(({ tier }) => tier === chosen) ?? options.find(({ recommended }) => recommended);
  const sample =
    catalog.flat_glass && Object.values(catalog.flat_glass.films).find(({ vlt }) => vlt !== null && vlt < 50);
  const { vlt = null, frosted } = best?.film ?? sample ?? {};
  return html`<div class="stage"><div class="picture house"><div class="frame">${pane(undefined)}${pane(vlt ?? undefined, frosted)}</div><p class="legend"><span>${SAID.clear}</span><span>${best?.film.name ?? sample?.name ?? ""}</span></p></div><div class="tag">${
    estimate && best
      ? html`<p class="what">${best.label}: ${best.film.name}</p><p class="total">${about(best, catalog)}</p><p class="soft">${range(best, catalog)} ${withTax(best, catalog)}</p><p class="soft">${SAID.areaUntil(estimate.total_sqft, dayIn("day", startOfMoment(estimate.valid_until).date, catalog))} ${estimate.tax.note} ${estimate.price_note}</p>`
      : html`<p class="what">${SAID.installed}</p><p class="total">${catalog.flat_glass && flatGlassSpan(catalog.flat_glass, catalog)}</p><p class="soft">${SAID.enter}</p>`
  }${beside}</div></div>`;
}

// The windows of a building as a visitor enters them. They are in the query of the page.

/** As typed. */
interface Row {
  width: string;
  height: string;
  quantity: string;
  isBlocked: boolean;
  hasCurtain: boolean;
}

interface Building {
  site: string;
  concern: string;
  floors: string;
  /** Of plain numbers in the rows. */
  unit: (typeof UNITS)[number];
  /** Square feet, from an address that names no windows. */
  sqft: string;
  /** The option that the visitor chose; undefined before. */
  tier: string | undefined;
  /** Whether a row that lacks a size is an issue: the button was pressed, or the request is sent. */
  isComplete: boolean;
  /** What an estimate counted for all windows together, and whether it needs a ladder, by the API's names. */
  extras: Partial<Record<(typeof EXTRAS)[number], string>>;
  rows: Row[];
  /** The estimate that was given for this glass, and whether this page put it into the address. */
  estimate: string | undefined;
  isOwn: boolean;
}

const EXTRAS = ["needs_ladder", "blocked_windows", "curtain_windows", "existing_film_sqft"] as const;

const FIRST_ROWS = 1;
/** The rest of a longer text is not read. */
const LONGEST_NUMBER = 12;

export function readBuilding(query: URLSearchParams, catalog: Shop): Building {
  const { siteTypes, tiers } = catalog.terms;
  const known = (name: string, list: readonly string[]) => list.find((word) => word === query.get(name));
  const all = (name: string) => query.getAll(name).map((text) => text.slice(0, LONGEST_NUMBER));
  const [widths, heights, quantities] = [all("width"), all("height"), all("quantity")];
  const asked = Number(/^\d{1,2}$/.exec(query.get("rows") ?? "")?.[0] ?? 0);
  const count = Math.min(MOST_ROWS, Math.max(FIRST_ROWS, asked, widths.length, heights.length));
  return {
    site: known("site_type", siteTypes) ?? (siteTypes.length === 1 ? siteTypes[0] : undefined) ?? "",
    unit: UNITS.find((one) => one === query.get("unit")) ?? "in",
    concern: known("primary_concern", CONCERNS) ?? catalog.flat_glass?.default_concern ?? "",
    tier: known("tier", tiers),
    isComplete: query.has("show"),
    estimate: query.get("estimate_id") || undefined,
    isOwn: query.has("own"),
    floors: (query.get("floors") ?? "").slice(0, 4),
    sqft: (query.get("total_sqft") ?? "").slice(0, LONGEST_NUMBER),
    extras: Object.fromEntries(
      EXTRAS.flatMap((name) => {
        const text = (query.get(name) ?? "").slice(0, LONGEST_NUMBER);
        return text === "" ? [] : [[name, text]];
      }),
    ),
    rows: withPreset(
      Array.from({ length: count }, (_, i) => ({
        width: widths[i] ?? "",
        height: heights[i] ?? "",
        quantity: quantities[i] ?? "",
        isBlocked: query.getAll("blocked").includes(String(i)),
        hasCurtain: query.getAll("curtain").includes(String(i)),
      })),
      catalog.flat_glass?.usual_panes[Number(query.get("preset") ?? -1)],
    ),
  };
}

/** The first empty row, or one more, gets the size. */
function withPreset(rows: Row[], pane: { width_in: number; height_in: number } | undefined): Row[] {
  if (!pane) return rows;
  const empty = rows.findIndex((row) => !isUsed(row));
  const size = { width: `${pane.width_in}"`, height: `${pane.height_in}"` };
  if (empty >= 0) return rows.with(empty, { ...(rows[empty] as Row), ...size });
  return [...rows, { ...size, quantity: "", isBlocked: false, hasCurtain: false }].slice(0, MOST_ROWS);
}

function buildingQuery({ site, concern, tier, unit, floors, sqft, extras, rows, ...building }: Building): string {
  const { isComplete, estimate, isOwn } = building;
  const used = rows.slice(0, rows.findLastIndex(isUsed) + 1);
  const pairs = [
    ...(site ? [["site_type", site]] : []),
    ...(unit === "in" ? [] : [["unit", unit]]),
    ["primary_concern", concern],
    ...(tier ? [["tier", tier]] : []),
    ...(floors ? [["floors", floors]] : []),
    ...Object.entries(extras),
    ...(rows.length > Math.max(FIRST_ROWS, used.length) ? [["rows", String(rows.length)]] : []),
    ...(isComplete ? [["show", "1"]] : []),
    ...(estimate ? [["estimate_id", estimate]] : []),
    ...(isOwn ? [["own", "1"]] : []),
    ...(sqft && used.length === 0 ? [["total_sqft", sqft]] : []),
    ...used.flatMap(({ width, height, quantity, isBlocked, hasCurtain }, i) => [
      ["width", width],
      ["height", height],
      ["quantity", quantity],
      ...(isBlocked ? [["blocked", String(i)]] : []),
      ...(hasCurtain ? [["curtain", String(i)]] : []),
    ]),
  ];
  return pairs.map(([name = "", value = ""]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

function isUsed({ width, height }: Row): boolean {
  return width !== "" || height !== "";
}

/** The windows, or the area where none is named, the floors and the extras, as the API's fields. */
export function glassOf(building: Building) {
  const { needs_ladder: ladder, ...counts } = building.extras;
  const windows = windowsOf(building).map(({ window }) => window);
  return {
    ...(windows.length > 0 && { windows }),
    ...(windows.length === 0 && building.sqft && { total_sqft: numberOrText(building.sqft) }),
    ...(building.floors && { floors: numberOrText(building.floors) }),
    ...(ladder !== undefined && { needs_ladder: ladder === "true" }),
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, numberOrText(count)])),
  };
}

/** The rows with something in them, as the API's field, each with its place on the page. */
function windowsOf({ rows, unit, isComplete }: Building): { at: number; window: object }[] {
  return rows.flatMap((row, at) => {
    const { width, height, quantity, isBlocked, hasCurtain } = row;
    // Somebody who typed the width is about to type the height.
    if (!isUsed(row) || (!isComplete && (width === "" || height === ""))) return [];
    const window = {
      ...(width && { width_in: inches(width, unit) }),
      ...(height && { height_in: inches(height, unit) }),
      quantity: quantity === "" ? 1 : numberOrText(quantity),
      ...(isBlocked && { blocked: true }),
      ...(hasCurtain && { curtain: true }),
    };
    return [{ at, window }];
  });
}

const LENGTH =
  /^(?:(\d+)\s*(?:'|′|’|ft\.?|feet|foot))?\s*(?:(\d+(?:\.\d+)?)?(?:\s*(\d+)\/(\d+))?\s*(?:"|″|”|''|in\.?|inch(?:es)?)?)$/i;

/** A length as people type it, like `48"`, `36,5`, `36 1/2` or `4' 6"`, in inches; other text stays, and is refused. */
function inches(text: string, unit: Building["unit"]): number | string {
  const plain = numberOrText(text);
  if (typeof plain === "number") return unit === "ft" ? Number((plain * 12).toFixed(2)) : plain;
  const [, feet, inch, over, under] =
    LENGTH.exec(
      text
        .slice(0, LONGEST_NUMBER)
        .trim()
        .replace(/(\d),(\d)/g, "$1.$2"),
    ) ?? [];
  if (feet === undefined && inch === undefined && under === undefined) return text;
  const length = Number(feet ?? 0) * 12 + Number(inch ?? 0) + (under ? Number(over) / Number(under) : 0);
  return Number.isFinite(length) ? Math.round(length * 10_000) / 10_000 : text;
}
