/** The windows, and the options for them side by side. Prices are the API's. */
import type { z } from "zod";
import type { wholeOf } from "../../../capabilities/estimate/brief.ts";
import type { flatGlassEstimate } from "../../../capabilities/flat-glass-estimate.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { words } from "../../../catalog/terms.ts";
import { CONCERNS } from "../../../constants.ts";
import { flatGlassRate } from "../../../discovery/prices.ts";
import { flatGlassOf } from "../../../domain/flat-glass.ts";
import { capitalised } from "../../../lib/text.ts";
import { type Html, html } from "../../markup/html.ts";
import { pane } from "../drawing/drawing.ts";
import { choice, field, pills } from "../shell/forms.ts";
import { startOf } from "../shell/paths.ts";
import { taxName } from "../shell/summary.ts";
import { amount, amounts, dayIn, serviceName } from "../shell/wording.ts";
import { type Building, windowsOf } from "./windows.ts";

type Answer = z.output<ReturnType<typeof flatGlassEstimate.output>>;
export type GlassEstimate = ReturnType<typeof wholeOf<Answer>>;

export function sites({ site }: Building, catalog: Catalog): Html {
  return pills("Your building", { name: "site_type", chosen: site }, words(catalog).siteTypes, (key) =>
    serviceName(key, catalog),
  );
}

export function concerns({ concern }: Building, catalog: Catalog): Html {
  return pills("What bothers you most?", { name: "primary_concern", chosen: concern }, CONCERNS, (key) =>
    capitalised(flatGlassOf(catalog).concern_names[key]),
  );
}

/** @param issues by the field's name in the API, like `windows[0].width_in` */
export function windowRows(building: Building, issues: ReadonlyMap<string, string>): Html {
  const places = new Map(windowsOf(building).map(({ at }, i) => [at, i]));
  const { rows, floors, sqft, extras } = building;
  return html`<fieldset><legend>Your windows</legend><p class="hint">In inches; roughly is fine. Panes of the same size share a row.</p>${rows.map(
    (row, i) => {
      const issue = (part: string) => issues.get(`windows[${places.get(i)}].${part}`);
      const input = (name: "width" | "height" | "quantity", label: string, part: string, placeholder: string) =>
        html`<span class="cell"><label for="${name}-${i}">${label}<span class="hidden"> of window ${i + 1}</span></label><input id="${name}-${i}" name="${name}" value="${row[name]}" inputmode="decimal" maxlength="12" placeholder="${placeholder}" autocomplete="off"${issue(part) && html` aria-invalid="true" aria-describedby="window-${i}-fault"`}></span>`;
      const said = ["width_in", "height_in", "quantity"].flatMap((part) => issue(part) ?? []);
      return html`<div class="window">${input("width", "Width", "width_in", "36")}<span aria-hidden="true">×</span>${input("height", "Height", "height_in", "60")}${input("quantity", "How many", "quantity", "1")}<span class="ticks">${tick("blocked", i, "Furniture in front", row.isBlocked)}${tick("curtain", i, "Blinds or curtains", row.hasCurtain)}</span>${said.length > 0 && html`<p class="fault" id="window-${i}-fault">${said.join(" ")}</p>`}</div>`;
    },
  )}<p class="more"><button class="quiet" name="rows" value="${rows.length + 1}" formaction="/book/glass#windows">+ window</button></p>
<div class="fields">${sqft && field({ name: "total_sqft", label: "Or all glass together, in square feet", value: sqft, inputmode: "decimal", maxlength: 12, issue: issues.get("total_sqft") })}${field({ name: "floors", label: "Floors in the building", value: floors, inputmode: "numeric", maxlength: 3, issue: issues.get("floors") })}${EXTRA_FIELDS.map(([name, label, isAlways]) => (isAlways || extras[name] !== undefined) && field({ name, label, value: extras[name] ?? "", inputmode: "decimal", maxlength: 12, issue: issues.get(name) }))}</div></fieldset>${ladder(extras)}`;
}

/** Furniture and curtains are ticked for each window; counts of them come with an estimate. */
const EXTRA_FIELDS = [
  ["existing_film_sqft", "Old film to take off, in square feet", true],
  ["blocked_windows", "Windows with furniture in front", false],
  ["curtain_windows", "Windows with blinds or curtains", false],
] as const;

/** By default the floors decide; an estimate can say otherwise. */
function ladder({ needs_ladder: chosen }: Building["extras"]): Html | undefined {
  if (chosen === undefined) return undefined;
  return pills("Is a ladder needed?", { name: "needs_ladder", chosen }, ["true", "false"], (answer) =>
    answer === "true" ? "Yes" : "No",
  );
}

function tick(name: string, row: number, label: string, isChosen: boolean): Html {
  return html`<label class="tick-box" for="${name}-${row}"><input type="checkbox" id="${name}-${row}" name="${name}" value="${row}"${isChosen && html` checked`}>${label}</label>`;
}

/** The options side by side, from the cheapest to the best. The chosen one goes with the request. @param chosen its tier */
export function options({ options: all, notes }: GlassEstimate, chosen: string | undefined, catalog: Catalog): Html {
  return html`<fieldset class="tiers"><legend>Your options</legend><div class="films">${all.map((option) => {
    const { tier, label, film, line_items: lines, price_per_sqft, recommended, why } = option;
    const parts = html`<span class="lines-of-price">${lines.map((line) => html`<span class="line"><span>${line.label}</span><span>${amounts(line.amount_min ?? line.amount, line.amount_max ?? line.amount, catalog)}</span></span>`)}</span>`;
    const content = html`${pane(film.vlt ?? undefined, film.frosted)}<b class="tier">${label}${recommended && html` <span class="badge">Our advice</span>`}</b><span class="price">${about(option, catalog)}</span>${exact(option, catalog)}${withTax(option, catalog)}<span class="film-name">${film.name}</span><span class="about">${why}</span>${lines.length > 1 && parts}<span class="facts">${amount(price_per_sqft, catalog)} per square foot</span>`;
    return choice(
      { name: "tier", value: tier, isChosen: chosen === undefined ? recommended : chosen === tier },
      "film",
      content,
    );
  })}</div>${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}</fieldset>`;
}

type Option = GlassEstimate["options"][number];

/** `about $1,630`: glass that was measured by the customer bears no cents. The lines and the range are exact. */
function about({ total }: Pick<Option, "total">, catalog: Catalog): string {
  const step = total < 1000 ? 1 : 10;
  return `about ${amount(Math.round(total / step) * step, catalog)}`;
}

/** The windows, and the price of the option that was chosen, for the page after the request. */
export function glassFacts(
  { windows = [], total_sqft, options }: GlassEstimate,
  tier: string | undefined,
  catalog: Catalog,
) {
  const rows = windows.map(({ label, quantity }) => `${quantity} of ${label}`);
  const option = options.find((one) => one.tier === tier);
  return [
    ["Windows", rows.length > 0 ? rows.join(", ") : `${total_sqft} square feet`] as const,
    option && (["Option", `${option.label}: ${option.film.name}`] as const),
    option && (["Estimate", about(option, catalog)] as const),
  ];
}

/** The exact price, where `about` rounds it. */
function exact(option: Option, catalog: Catalog): Html | undefined {
  const text = amounts(option.total_min, option.total_max, catalog);
  return about(option, catalog) === `about ${text}` ? undefined : html`<span class="soft">${text}</span>`;
}

/** The range with the tax that is added to it. */
function withTax({ total_min_with_tax: min, total_max_with_tax: max }: Option, catalog: Catalog): Html | undefined {
  if (min === undefined || max === undefined) return undefined;
  return html`<span class="soft">With ${taxName(catalog)}: ${amounts(min, max, catalog)}</span>`;
}

export function glassStage(estimate: GlassEstimate | undefined, catalog: Catalog): Html {
  const best = estimate?.options.find(({ recommended }) => recommended);
  const sample =
    catalog.flat_glass && Object.values(catalog.flat_glass.films).find(({ vlt }) => vlt !== null && vlt < 50);
  const { vlt = null, frosted } = best?.film ?? sample ?? {};
  return html`<div class="stage"><div class="picture house"><div class="frame">${pane(undefined)}${pane(vlt ?? undefined, frosted)}</div><p class="legend"><span>Clear glass</span><span>${best?.film.name ?? sample?.name ?? ""}</span></p></div><div class="tag">${
    estimate && best
      ? html`<p class="what">${best.label}: ${best.film.name}</p><p class="total">${about(best, catalog)}</p><p class="soft">${exact(best, catalog)} ${withTax(best, catalog)}</p><p class="soft">${estimate.total_sqft} square feet of glass. This estimate holds until ${dayIn("day", startOf(estimate.valid_until).date, catalog)}. ${estimate.tax.note} ${estimate.price_note}</p>`
      : html`<p class="what">Film, installed</p><p class="total">${catalog.flat_glass && flatGlassRate(catalog.flat_glass, catalog).replace(" per square foot", "")}</p><p class="soft">Per square foot of glass. Enter your windows for a price.</p>`
  }</div></div>`;
}
