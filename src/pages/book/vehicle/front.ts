/** The first screen: a vehicle whose glass follows a slider, what it costs, when and where, and what others say. */
import { PHOTO_FILE } from "../../../catalog/sections/site.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf } from "../../../catalog/terms.ts";
import { type Html, html } from "../../markup/html.ts";
import { PHOTOS_PATH } from "../shell/paths.ts";
import { placeLine } from "../shell/place.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { amount, serviceName } from "../shell/wording.ts";
import { type Choices, positionsOf } from "./choices.ts";
import { servicePrices } from "./offer.ts";
import { pictureOf, terms } from "./stage.ts";

const SAID = PAGE_TEXTS.front;

/** @param next the next free time */
export function front(choices: Choices, catalog: Shop, now: Temporal.Instant, next: Html | undefined): Html {
  return html`<div class="stage front"><div class="strip">${pictureOf(choices, catalog, slider(choices, catalog))}
${teaser(choices, catalog)}</div>
${terms(choices, undefined, null, catalog, html`${next}${promise(catalog)}${placeLine(catalog, now)}${reviews(catalog)}`)}${photos(catalog)}</div>`;
}

/** From the darkest film to the lightest, for the script; it belongs to no form, because the darkness is asked for later. */
function slider({ service_type, coverage, film_type }: Choices, catalog: Shop): Html | undefined {
  if (positionsOf(service_type, coverage, catalog).length === 0) return undefined;
  const { films, defaults } = catalog.automotive;
  const shades = entryOf(films, film_type ?? defaults.film_type).shades.map(({ vlt }) => vlt);
  const [dark, light] = SAID.lookEnds;
  return html`<p class="look"><label for="look" class="hidden">${SAID.look}</label><span aria-hidden="true">${dark}</span><input type="range" id="look" form="picture" min="${Math.min(...shades)}" max="${Math.max(...shades)}" value="${shades[Math.floor(shades.length / 2)]}"><span aria-hidden="true">${light}</span></p>`;
}

/** What the service costs before a vehicle is named. */
function teaser({ service_type: service }: Choices, catalog: Shop): Html {
  const price = amount(Math.min(...servicePrices(service, catalog)), catalog);
  return html`<div class="tag"><p class="what">${serviceName(service, catalog)}</p><p class="total">${SAID.from(price)}</p><p class="soft">${PAGE_TEXTS.vehicle.exact}</p></div>`;
}

/** `Pay at the shop · Free to cancel · Lifetime warranty`, where there is no room for whole sentences. */
function promise({ site, bookings }: Shop): Html {
  const parts = [site.texts.pay, bookings.self_service.enabled && SAID.free, site.facts[0]];
  return html`<p class="promise">${parts.filter(Boolean).join(" · ")}</p>`;
}

function reviews({ site: { reviews } }: Shop): Html | undefined {
  if (reviews === null) return undefined;
  const { rating, count, source, url } = reviews;
  return html`<p class="reviews"><span aria-hidden="true">★</span> <a href="${url}" target="_blank">${SAID.rating(rating, count, source)}</a></p>`;
}

function photos({ site: { photos } }: Shop): Html | undefined {
  if (photos.length === 0) return undefined;
  return html`<section class="photos" aria-label="${SAID.photos}">${photos.map(({ url, text }) => html`<img src="${PHOTO_FILE.test(url) ? `${PHOTOS_PATH}/${url}` : url}" alt="${text}" width="320" height="240" loading="lazy" decoding="async">`)}</section>`;
}
