/** The windows, and the options for them side by side. Prices are the API's. */
import type { z } from "zod";
import type { wholeOf } from "../../../capabilities/core/price-shapes.ts";
import type { flatGlassEstimate } from "../../../capabilities/flat-glass-estimate.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { CONCERNS } from "../../../constants.ts";
import { flatGlassRate } from "../../../discovery/prices.ts";
import { flatGlassOf } from "../../../domain/flat-glass.ts";
import { capitalised } from "../../../lib/text.ts";
import { type Html, html } from "../../markup/html.ts";
import { pane } from "../drawing/drawing.ts";
import { choice, inputField, pills } from "../shell/forms.ts";
import { startOfMoment } from "../shell/paths.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { amount, amounts, dayIn, serviceName, taxName } from "../shell/wording.ts";
import { type Building, windowsOf } from "./windows.ts";

const SAID = PAGE_TEXTS.glass;

type Answer = z.output<ReturnType<typeof flatGlassEstimate.output>>;
export type GlassEstimate = ReturnType<typeof wholeOf<Answer>>;

export function sites({ site }: Building, catalog: Shop): Html {
  return pills(SAID.building, { name: "site_type", chosen: site }, catalog.terms.siteTypes, (key) =>
    serviceName(key, catalog),
  );
}

export function concerns({ concern }: Building, catalog: Shop): Html {
  return pills(SAID.concern, { name: "primary_concern", chosen: concern }, CONCERNS, (key) =>
    capitalised(flatGlassOf(catalog).concern_names[key]),
  );
}

/** @param issues by the field's name in the API, like `windows[0].width_in` */
export function windowInputs(building: Building, issues: ReadonlyMap<string, string>): Html {
  const places = new Map(windowsOf(building).map(({ at }, i) => [at, i]));
  const { rows, floors, sqft, extras } = building;
  return html`<fieldset><legend>${SAID.windows}</legend><p class="hint">${SAID.hint}</p>${rows.map((row, i) => {
    const issue = (part: string) => issues.get(`windows[${places.get(i)}].${part}`);
    const input = (name: "width" | "height" | "quantity", label: string, part: string, placeholder: string) =>
      html`<span class="cell"><label for="${name}-${i}">${label}<span class="hidden">${SAID.ofWindow(i + 1)}</span></label><input id="${name}-${i}" name="${name}" value="${row[name]}" inputmode="decimal" maxlength="12" placeholder="${placeholder}" autocomplete="off"${issue(part) && html` aria-invalid="true" aria-describedby="window-${i}-fault"`}></span>`;
    const said = ["width_in", "height_in", "quantity"].flatMap((part) => issue(part) ?? []);
    return html`<div class="window">${input("width", SAID.width, "width_in", "36")}<span aria-hidden="true">×</span>${input("height", SAID.height, "height_in", "60")}${input("quantity", SAID.quantity, "quantity", "1")}<span class="ticks">${tick("blocked", i, SAID.blocked, row.isBlocked)}${tick("curtain", i, SAID.curtain, row.hasCurtain)}</span>${said.length > 0 && html`<p class="fault" id="window-${i}-fault">${said.join(" ")}</p>`}</div>`;
  })}<p class="more"><button class="quiet" name="rows" value="${rows.length + 1}" formaction="/book/glass#windows">${SAID.more}</button></p>
<div class="fields">${sqft && inputField({ name: "total_sqft", label: SAID.sqft, value: sqft, inputmode: "decimal", maxlength: 12, issue: issues.get("total_sqft") })}${inputField({ name: "floors", label: SAID.floors, value: floors, inputmode: "numeric", maxlength: 3, issue: issues.get("floors") })}${EXTRA_FIELDS.map(([name, isAlways]) => (isAlways || extras[name] !== undefined) && inputField({ name, label: SAID[name], value: extras[name] ?? "", inputmode: "decimal", maxlength: 12, issue: issues.get(name) }))}</div></fieldset>${ladder(extras)}`;
}

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
    const content = html`${pane(film.vlt ?? undefined, film.frosted)}<b class="tier">${label}${recommended && html` <span class="badge">${SAID.advice}</span>`}</b><span class="price">${about(option, catalog)}</span>${exact(option, catalog)}${withTax(option, catalog)}<span class="film-name">${film.name}</span><span class="about">${why}</span>${lines.length > 1 && parts}<span class="facts">${SAID.perSqft(amount(price_per_sqft, catalog))}</span>`;
    return choice(
      { name: "tier", value: tier, isChosen: chosen === undefined ? recommended : chosen === tier },
      "film",
      content,
    );
  })}</div>${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}</fieldset>`;
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

/** The exact price, where `about` rounds it. */
function exact(option: Option, catalog: Shop): Html | undefined {
  const text = amounts(option.total_min, option.total_max, catalog);
  return about(option, catalog) === SAID.about(text) ? undefined : html`<span class="soft">${text}</span>`;
}

/** The range with the tax that is added to it. */
function withTax({ total_min_with_tax: min, total_max_with_tax: max }: Option, catalog: Shop): Html | undefined {
  if (min === undefined || max === undefined) return undefined;
  return html`<span class="soft">${SAID.withTax(taxName(catalog), amounts(min, max, catalog))}</span>`;
}

export function glassStage(estimate: GlassEstimate | undefined, catalog: Shop): Html {
  const best = estimate?.options.find(({ recommended }) => recommended);
  const sample =
    catalog.flat_glass && Object.values(catalog.flat_glass.films).find(({ vlt }) => vlt !== null && vlt < 50);
  const { vlt = null, frosted } = best?.film ?? sample ?? {};
  return html`<div class="stage"><div class="picture house"><div class="frame">${pane(undefined)}${pane(vlt ?? undefined, frosted)}</div><p class="legend"><span>${SAID.clear}</span><span>${best?.film.name ?? sample?.name ?? ""}</span></p></div><div class="tag">${
    estimate && best
      ? html`<p class="what">${best.label}: ${best.film.name}</p><p class="total">${about(best, catalog)}</p><p class="soft">${exact(best, catalog)} ${withTax(best, catalog)}</p><p class="soft">${SAID.areaUntil(estimate.total_sqft, dayIn("day", startOfMoment(estimate.valid_until).date, catalog))} ${estimate.tax.note} ${estimate.price_note}</p>`
      : html`<p class="what">${SAID.installed}</p><p class="total">${catalog.flat_glass && flatGlassRate(catalog.flat_glass, catalog).replace(" per square foot", "")}</p><p class="soft">${SAID.enter}</p>`
  }</div></div>`;
}
