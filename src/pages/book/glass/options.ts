/** The fields for the windows of a building, and the options for them side by side. Prices are the API's. */
import type { z } from "zod";
import type { wholeOf } from "../../../capabilities/core/price-shapes.ts";
import type { flatGlassEstimate } from "../../../capabilities/flat-glass-estimate.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { CONCERNS } from "../../../constants.ts";
import { flatGlassSpan } from "../../../discovery/prices.ts";
import { flatGlassOf } from "../../../domain/flat-glass.ts";
import { type Html, html } from "../../../lib/html.ts";
import { capitalised } from "../../../lib/text.ts";
import { serviceName } from "../../../messages/words.ts";
import { pane } from "../drawing/drawing.ts";
import { choice, type FormField, inputField, pills } from "../shell/forms.ts";
import { startOfMoment } from "../shell/paths.ts";
import { GLASS } from "../shell/texts.ts";
import { amount, amounts, dayIn, taxName } from "../shell/wording.ts";
import { type Building, isUsed, LONGEST_NUMBER, UNITS, windowsOf } from "./building.ts";

type Answer = z.output<ReturnType<typeof flatGlassEstimate.output>>;
export type GlassEstimate = ReturnType<typeof wholeOf<Answer>>;
type Option = GlassEstimate["options"][number];

export function questionsOnBuilding({ site, concern, rows, sqft, isComplete }: Building, catalog: Shop): Html {
  const isMissing = site === "" && (isComplete || sqft !== "" || rows.some(isUsed));
  const sites = pills(GLASS.building, { name: "site_type", chosen: site }, catalog.terms.siteTypes, (key) =>
    serviceName(key, catalog),
  );
  const concerns = pills(GLASS.concern, { name: "primary_concern", chosen: concern }, CONCERNS, (key) =>
    capitalised(flatGlassOf(catalog).concern_names[key]),
  );
  return html`<div>${sites}${isMissing && html`<p class="fault" role="alert">${GLASS.chooseKind}</p>`}</div>${concerns}`;
}

/** @param issues by the field's name in the API, like `windows[0].width_in` */
export function windowInputs(building: Building, issues: ReadonlyMap<string, string>, catalog: Shop): Html {
  const { rows, unit, floors, sqft, extras } = building;
  const act = (name: string, value: number, label: string) =>
    html`<button class="quiet" name="${name}" value="${value}" formaction="/book/glass#windows">${label}</button>`;
  const presets = flatGlassOf(catalog).usual_panes.map(({ name }, i) => act("preset", i, name));
  const number = (name: keyof typeof GLASS & string, value = "", more: Partial<FormField> = {}) =>
    inputField({
      ...{ name, label: String(GLASS[name]), value, issue: issues.get(name) },
      ...{ inputmode: "decimal", maxlength: LONGEST_NUMBER, ...more },
    });
  const counted = (["blocked_windows", "curtain_windows"] as const).filter((name) => extras[name] !== undefined);
  return html`<fieldset><legend>${GLASS.windows}</legend><p class="hint">${GLASS.hint}</p>
${pills(GLASS.unit, { name: "unit", chosen: unit }, UNITS, (one) => GLASS.units[one])}
${presets.length > 0 && html`<p class="more" role="group" aria-label="${GLASS.presets}">${presets}</p>`}
${rows.map((_, i) => windowRow(i, building, issues))}<p class="more">${act("rows", rows.length + 1, GLASS.more)}</p>
<div class="fields">${sqft && number("total_sqft", sqft)}${number("floors", floors, { inputmode: "numeric", maxlength: 3 })}
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
export function options({ options: all, notes }: GlassEstimate, chosen: string | undefined, catalog: Shop): Html {
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
export function glassFacts({ windows = [], total_sqft, options }: GlassEstimate, tier = "", catalog: Shop) {
  const rows = windows.map(({ label, quantity }) => GLASS.rowsOf(quantity, label));
  const option = options.find((one) => one.tier === tier);
  return [
    [GLASS.windows, rows.length > 0 ? rows.join(", ") : GLASS.area(total_sqft)] as const,
    option && ([GLASS.option, `${option.label}: ${option.film.name}`] as const),
    option && ([GLASS.estimate, aboutPrice(option, catalog)] as const),
  ];
}

/** Clear glass beside glass with the film that is chosen or advised, and its price. @param beside the price */
export function glassStage(estimate: GlassEstimate | undefined, chosen = "", catalog: Shop, beside?: Html): Html {
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
