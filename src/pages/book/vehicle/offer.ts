/** The choices about the work: service, vehicle, film, glass, darkness, extras. Prices and verdicts are the API's. */
import type { z } from "zod";
import type { automotiveEstimate } from "../../../capabilities/automotive-estimate.ts";
import type { wholeOf } from "../../../capabilities/estimate/brief.ts";
import { offers } from "../../../capabilities/offer.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { entryOf, words } from "../../../catalog/terms.ts";
import { pricesOf } from "../../../discovery/prices.ts";
import { toUnits } from "../../../domain/money.ts";
import { bookableServices } from "../../../domain/schedule.ts";
import { modelIn } from "../../../domain/vehicle-class.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { type Html, html } from "../../markup/html.ts";
import { vehicleIcon } from "../drawing/drawing.ts";
import { choice, field, hidden, pills } from "../shell/forms.ts";
import { amount, amounts, capital, drawingOf, vehicleName } from "../shell/wording.ts";
import type { Choices } from "./choices.ts";

type Answer = z.output<ReturnType<typeof automotiveEstimate.output>>;
export type Estimate = ReturnType<typeof wholeOf<Answer>>;

/** The kinds of work, each a page. Work on buildings stands last. */
export function tabs(current: string, catalog: Catalog): Html {
  const priced = words(catalog).services;
  const services = bookableServices(catalog).filter(({ key }) => priced.includes(key));
  const all = [
    ...services.map(({ key, name }, i) => ({ key, name, href: i === 0 ? "/book" : `/book?service_type=${key}` })),
    ...(offers(catalog, "flat_glass_estimate")
      ? [{ key: GLASS, name: catalog.site.texts.glass_title, href: "/book/glass" }]
      : []),
  ];
  if (all.length < 2) return html``;
  return html`<nav class="tabs" aria-label="Kind of work">${all.map(({ key, name, href }) => html`<a class="tab" href="${href}"${key === current && html` aria-current="page"`}>${name}</a>`)}</nav>`;
}
export const GLASS = "glass";

/** The car in the visitor's words, and its class, which follows from them where the catalog knows the model. */
export function vehicles({ car, vehicle }: Choices, catalog: Catalog): Html {
  const { vehicleTypes } = words(catalog);
  const nameOf = (type: string) => vehicleName(type, catalog);
  // The first question has pictures. Afterwards the picture above shows what was chosen.
  const types =
    vehicle === undefined
      ? html`<fieldset><legend>Your vehicle</legend><div class="tiles">${vehicleTypes.map((type) =>
          choice(
            { name: "vehicle_type", value: type, isChosen: false },
            "tile",
            html`${vehicleIcon(drawingOf(type, catalog))}<span>${nameOf(type)}</span>`,
          ),
        )}</div></fieldset>`
      : pills("Your vehicle", { name: "vehicle_type", chosen: vehicle }, vehicleTypes, nameOf);
  const known = modelIn(car ?? "", catalog);
  const hint =
    car === undefined
      ? "Year, make and model, like 2022 Honda CR-V. Or choose what it is:"
      : known === undefined
        ? "We do not know this model. Please choose what it is:"
        : `For the price, a ${known.name} is: ${vehicleName(known.vehicleType, catalog)}. Not right? Choose what it is:`;
  return html`${field({ name: "car", label: "Your car", value: car ?? null, maxlength: LIMITS.other, inputmode: "text", hint })}${hidden("car_before", car ?? "")}${types}`;
}

/** The films side by side, each with its price; with a span of prices until a vehicle is named. */
export function films({ service, film }: Choices, estimate: Estimate | undefined, catalog: Catalog): Html | undefined {
  const { films: all, pricedBy } = words(catalog);
  if (pricedBy.get(service) !== "film") return undefined;
  const chosen = estimate ? estimate.film_type : film;
  return html`<fieldset><legend>Film</legend><div class="films">${all.map((word) => {
    const {
      name,
      description,
      ir_rejection_pct: heat,
      uv_rejection_pct: uv,
      warranty,
    } = entryOf(catalog.automotive.films, word);
    const total = estimate?.options.find(({ film_type }) => film_type === word)?.total;
    return choice(
      { name: "film_type", value: word, isChosen: word === chosen },
      "film",
      html`<span class="film-name">${name}</span><span class="price">${total === undefined ? span(word, catalog) : amount(total, catalog)}</span>${description && html`<span class="about">${description}</span>`}<span class="facts">${bar("Heat kept out", heat)}${bar("UV kept out", uv)}<span class="fact"><span>Warranty</span><b>${warranty}</b></span></span>`,
    );
  })}</div></fieldset>`;
}

/** Lowest and highest price over all vehicles. */
export function span(column: string, catalog: Catalog): string {
  const prices = pricesOf(catalog, column).map(toUnits);
  return amounts(Math.min(...prices), Math.max(...prices), catalog);
}

function bar(label: string, percent: number): Html {
  return html`<span class="fact"><span>${label}</span><b>${percent}%</b><svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><path class="rail" d="M0 0h100v4H0z"/><path class="level" d="M0 0h${percent}v4H0z"/></svg></span>`;
}

export function glass({ service, coverage }: Choices, catalog: Catalog): Html | undefined {
  const { coverages, pricedBy } = words(catalog);
  if (pricedBy.get(service) === "vehicle" || coverages.length < 2) return undefined;
  const chosen = coverage ?? catalog.automotive.defaults.coverage;
  return pills("Windows", { name: "coverage", chosen }, coverages, (word) =>
    capital(entryOf(catalog.automotive.coverages, word).name),
  );
}

/**
 * Extras that go with the work, with their price; and the removal of old film.
 * @param withRemoval the same work with the removal
 */
export function extras(
  choices: Choices,
  estimate: Estimate,
  withRemoval: Estimate,
  catalog: Catalog,
): Html | undefined {
  const { addons, removal } = words(catalog);
  const taken = estimate.line_items
    .filter(({ code }) => addons.includes(code))
    .map(({ code, label, amount: price }) => ({ code, label, price, reason: "" }));
  const shown = [...taken, ...estimate.addon_suggestions].toSorted(
    (a, b) => addons.indexOf(a.code) - addons.indexOf(b.code),
  );
  const removes = removal !== undefined && estimate.film_type !== null;
  if (shown.length === 0 && !removes) return undefined;
  return html`<fieldset><legend>Extras</legend><div class="extras">${shown.map(({ code, label, price }) => {
    const { terms } = entryOf(catalog.automotive.addons, code);
    return choice(
      { name: "addons", value: code, isChosen: choices.addons.includes(code), type: "checkbox" },
      "extra",
      html`<span>${label}${terms && html`<small>${terms}</small>`}</span><b>+ ${amount(price, catalog)}</b>`,
    );
  })}${removes && removalBox(choices, withRemoval, removal, catalog)}</div></fieldset>`;
}

function removalBox(
  { removeOldFilm }: Choices,
  { line_items: lines }: Estimate,
  removal: string,
  catalog: Catalog,
): Html {
  const price = lines.find(({ code }) => code === removal)?.amount;
  return choice(
    { name: "remove_old_film", value: "true", isChosen: removeOldFilm, type: "checkbox" },
    "extra",
    html`<span>Take old film off first</span>${price !== undefined && html`<b>+ ${amount(price, catalog)}</b>`}`,
  );
}
