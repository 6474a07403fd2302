/** The choices about the work: service, vehicle, film, glass, extras. Prices are the API's. */
import { pageQuestions } from "../../../capabilities/faq.ts";
import { offers } from "../../../capabilities/index.ts";
import { modelIn, modelsNear } from "../../../catalog/models.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf } from "../../../catalog/terms.ts";
import { wordMeant } from "../../../catalog/words.ts";
import { pricesOf } from "../../../discovery/prices.ts";
import { removalWork } from "../../../domain/work.ts";
import { isOtherVehicle } from "../../../job/job.ts";
import { type Html, html, raw } from "../../../lib/html.ts";
import { toUnits } from "../../../lib/money.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { vehicleIcon } from "../drawing/drawing.ts";
import { choice, type FormField, hidden, inputField, pill, pills } from "../shell/forms.ts";
import { EXTRAS, FILM, SHELL, VEHICLE } from "../shell/texts.ts";
import { amount, amounts, capital, drawingOf, phoneName, vehicleName } from "../shell/wording.ts";
import type { Choices, Estimate } from "./choices.ts";

/** What the parts of the page show. */
export interface Offer {
  choices: Choices;
  catalog: Shop;
  estimate: Estimate;
  /** The last moment for a change of the chosen time; null before one is chosen, and where bookings are changed by phone. */
  until: string | null;
  /** What the button says that makes the shades legal. */
  legal: string | undefined;
}

/** Before a vehicle is named, there is no price. */
export type Beginning = Pick<Offer, "choices" | "catalog"> & Partial<Offer>;

/** The kinds of work, each a page. Work on buildings is last. */
export function serviceTabs(current: string, catalog: Shop): Html {
  const priced = catalog.bookable.filter(({ key }) => catalog.terms.services.includes(key));
  const all = priced.map(({ key, name }, i) => ({ key, name, href: i === 0 ? "/book" : `/book?service_type=${key}` }));
  if (offers(catalog, "flat_glass_estimate"))
    all.push({ key: GLASS_TAB, name: catalog.site.texts.glass_title, href: "/book/glass" });
  const chosen = all.find(({ key }) => key === current);
  if (all.length < 2 || !chosen) return html``;
  const tabs = all.map(({ key, name, href }) => {
    const mark = key === current && html` aria-current="page"`;
    return html`<a class="tab" href="${href}"${mark}>${name}</a>`;
  });
  return html`<details class="kinds"><summary>${chosen.name}</summary>
<nav class="tabs" aria-label="${SHELL.kindOfWork}">${tabs}</nav></details>`;
}
export const GLASS_TAB = "glass";

export function questions(service: string, catalog: Shop): Html | undefined {
  const all = pageQuestions(service, catalog);
  if (all.length === 0) return undefined;
  const list = all.map(({ question: asked, answer }) => {
    return html`<details><summary class="questions-line">${asked}</summary><p>${answer}</p></details>`;
  });
  return html`<section class="questions" aria-labelledby="questions-title">
<h2 id="questions-title">${SHELL.questions}</h2>${list}</section>`;
}

/** The car in the visitor's words, and its class, which follows from them where the catalog knows the model. */
export function vehicles({ choices: { car, vehicle_type: vehicle }, catalog }: Beginning): PagePart {
  const { vehicleTypes } = catalog.terms;
  const nameOf = (type: string) => vehicleName(type, catalog);
  const isFirst = vehicle === undefined;
  // The first question has pictures. Afterwards the picture above shows what was chosen.
  const types = vehicleTypes.map((type) => {
    const one = { name: "vehicle_type", value: type, isChosen: type === vehicle };
    const tile = html`${vehicleIcon(drawingOf(type, catalog))}<span>${nameOf(type)}</span>`;
    return isFirst ? choice(one, "tile", tile) : pill(one, nameOf(type));
  });
  const group = html`<div role="radiogroup" aria-label="${VEHICLE.kind}" class="${isFirst ? "tiles" : "pills"}">${types}</div>`;
  return {
    id: "vehicle",
    title: VEHICLE.title,
    line: vehicle && (car ? `${car} (${nameOf(vehicle)})` : nameOf(vehicle)),
    isFolded: !isFirst,
    content: html`${carField(car, vehicle, catalog)}${hidden("car_before", car ?? "")}${group}`,
  };
}

/** @param vehicle the class, once it is known: then the whole list is not needed any more */
function carField(car: string | undefined, vehicle: string | undefined, catalog: Shop): Html {
  const { models, ...said } = carHint(car, catalog);
  const isFirst = vehicle === undefined;
  const field = inputField({
    ...{ name: "car", label: VEHICLE.car, value: car ?? null, maxlength: LIMITS.other, inputmode: "text" },
    ...{ placeholder: VEHICLE.example, autocapitalize: "words", ...(isFirst && { list: "cars" }), ...said },
  });
  const buttons = models.map(
    (name) => html`<button class="quiet" name="car" value="${name}" formaction="${BOOK_PATH}#price">${name}</button>`,
  );
  return html`${field}${buttons.length > 0 && html`<p class="more">${buttons}</p>`}${isFirst && suggestions(catalog)}`;
}

function carHint(car: string | undefined, catalog: Shop): Pick<FormField, "hint" | "issue"> & { models: string[] } {
  const { unnamed, unknown, meant, which, ...said } = VEHICLE;
  if (car === undefined) return { hint: unnamed, models: [] };
  if (isOtherVehicle(car, catalog)) return { issue: said.other(phoneName(catalog.business)), models: [] };
  const known = modelIn(car, catalog);
  if (known) return { hint: said.known(known.name, vehicleName(known.vehicleType, catalog)), models: [] };
  const type = wordMeant(car, "vehicle_types", catalog);
  if (type !== undefined) return { hint: said.kindOf(vehicleName(type, catalog)), models: [] };
  const models = modelsNear(car, catalog).map(({ name }) => name);
  return { hint: [unknown, meant][models.length] ?? which, models };
}

function suggestions({ models }: Shop): Html {
  const names = models.all.map(({ name }) => html`<option>${name}`.markup).sort();
  return raw(`<datalist id="cars">${names.join("")}</datalist>`);
}

/** The glass that gets film, and the films side by side. @param isFolded where later parts were reached */
export function films({ choices, catalog, estimate }: Beginning, isFolded = false): PagePart | undefined {
  const { pricedBy, coverages } = catalog.terms;
  const by = pricedBy.get(choices.service_type);
  const hasWindows = estimate !== undefined && by !== "vehicle" && coverages.length > 1;
  if (by !== "film" && !hasWindows) return undefined;
  const { automotive } = catalog;
  const glass = choices.coverage ?? automotive.defaults.coverage;
  const film = estimate?.film_type;
  const windows =
    hasWindows &&
    pills(FILM.windows, { name: "coverage", chosen: glass }, coverages, (word) =>
      capital(entryOf(automotive.coverages, word).name),
    );
  return {
    id: "film",
    title: by === "film" ? FILM.title : FILM.windows,
    line: [film && entryOf(automotive.films, film).name, hasWindows && entryOf(automotive.coverages, glass).name]
      .filter(Boolean)
      .join(", "),
    isFolded,
    content: html`${windows}${by === "film" && filmCards({ choices, catalog, estimate })}`,
  };
}

function filmCards({ choices, catalog, estimate }: Beginning): Html {
  const chosen = estimate ? estimate.film_type : choices.film_type;
  const cards = catalog.terms.films.map((word) => {
    const { name, description, warranty, ...blocks } = entryOf(catalog.automotive.films, word);
    const { ir_rejection_pct: infrared, solar_heat_rejection_pct: heat, uv_rejection_pct: uv } = blocks;
    const total = estimate?.options.find(({ film_type }) => film_type === word)?.total;
    const price = total === undefined ? span(pricesOf(catalog, word).map(toUnits), catalog) : amount(total, catalog);
    const content = html`<span class="film-name">${name}</span><span class="price">${price}</span>
${description && html`<span class="about">${description}</span>`}<span class="facts">${levelBar(FILM.infrared, infrared)}
${heat !== undefined && levelBar(FILM.heat, heat)}${levelBar(FILM.uv, uv)}
<span class="fact"><span>${FILM.warranty}</span><b>${warranty}</b></span></span>`;
    return choice({ name: "film_type", value: word, isChosen: word === chosen }, "film", content);
  });
  return html`<div class="films" role="radiogroup" aria-label="${FILM.title}">${cards}</div>`;
}

/** What a service costs over all vehicles; of films the first. */
export function servicePrices(key: string, catalog: Shop): number[] {
  const { pricedBy, films } = catalog.terms;
  return pricesOf(catalog, pricedBy.get(key) === "film" ? (films[0] ?? key) : key).map(toUnits);
}

export function span(prices: readonly number[], catalog: Shop): string {
  return amounts(Math.min(...prices), Math.max(...prices), catalog);
}

function levelBar(label: string, percent: number): Html {
  return html`<span class="fact"><span>${label}</span><b>${percent}%</b>
<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
<path class="rail" d="M0 0h100v4H0z"/><path class="level" d="M0 0h${percent}v4H0z"/></svg></span>`;
}

/** Extras that go with the work, with their price; and the removal of old film. */
export function extras({ choices, estimate, catalog }: Offer): PagePart | undefined {
  const { addons, removal } = catalog.terms;
  const taken = estimate.line_items.map(({ code, label, amount: price }) => ({ code, label, price }));
  const shown: Extra[] = [...taken, ...estimate.addon_suggestions]
    .filter(({ code }) => addons.includes(code))
    .toSorted((a, b) => addons.indexOf(a.code) - addons.indexOf(b.code))
    .map((extra) => ({ ...extra, isChosen: choices.addons.includes(extra.code) }));
  if (removal !== undefined && estimate.film_type !== null) {
    const line = removalWork(catalog, removal, estimate.coverage).vehicles.get(choices.vehicle_type ?? "")?.line;
    const price = line && toUnits(line.amount);
    shown.push({ label: EXTRAS.removal, price, isChosen: choices.remove_old_film });
  }
  if (shown.length === 0) return undefined;
  const chosen = shown.filter(({ isChosen }) => isChosen).map(({ label }) => label);
  const prices = shown.flatMap(({ price }) => price ?? []);
  const boxes = shown.map(({ code, label, price, isChosen }) => {
    const terms = code === undefined ? undefined : entryOf(catalog.automotive.addons, code).terms;
    const more = price !== undefined && html`<b>+ ${amount(price, catalog)}</b>`;
    const content = html`<span>${label}${terms && html`<small>${terms}</small>`}</span>${more}`;
    const box = code === undefined ? { name: "remove_old_film", value: "true" } : { name: "addons", value: code };
    return choice({ ...box, isChosen, type: "checkbox" }, "extra", content);
  });
  return {
    id: "extras",
    title: EXTRAS.title,
    line: chosen.length > 0 ? chosen.join(", ") : EXTRAS.from(amount(Math.min(...prices), catalog)),
    isFolded: true,
    content: html`<div class="extras">${boxes}</div>`,
  };
}

interface Extra {
  /** The removal of old film has none. */
  code?: string;
  label: string;
  price: number | undefined;
  isChosen: boolean;
}

// The numbered parts of the page. One that is finished folds to a line, and opens again with a click.

export interface PagePart {
  /** The id of the part in the page; addresses and the script lead to it. */
  id: string;
  title: string;
  /** What was chosen, or what can be; a part without it is never folded. */
  line?: string | undefined;
  isFolded: boolean;
  content: Html;
}

export function heading(id: string, title: string, number: number): Html {
  const sign = html`<span class="number" aria-hidden="true">${number}</span>`;
  return html`<h2 class="part-title" id="${id}-title" tabindex="-1">${sign}${title}</h2>`;
}
