/** The first screen: a vehicle whose glass follows a slider, what it costs, when and where, and what others say. */
import { PHOTO_FILE } from "../../../catalog/sections/site.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf } from "../../../catalog/terms.ts";
import { type Html, html } from "../../../lib/html.ts";
import { PHOTOS_PATH } from "../shell/paths.ts";
import { placeLine } from "../shell/place.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { amount, serviceName } from "../shell/wording.ts";
import { type Choices, positionsOf } from "./choices.ts";
import { servicePrices } from "./offer.ts";
import { pictureOf, priceTag, terms } from "./stage.ts";

const SAID = PAGE_TEXTS.front;

/** @param next the next free time */
export function front(choices: Choices, catalog: Shop, now: Temporal.Instant, next: Html | undefined): Html {
  const { service_type: service } = choices;
  const price = SAID.from(amount(Math.min(...servicePrices(service, catalog)), catalog));
  const exact = html`<p class="soft">${PAGE_TEXTS.vehicle.exact}</p>`;
  const first = html`${next}${promise(catalog)}${placeLine(catalog, now)}${reviews(catalog)}`;
  return html`<div class="stage front"><div class="strip">${pictureOf(choices, catalog, slider(choices, catalog))}
${priceTag(serviceName(service, catalog), price, exact)}</div>
${terms(choices, undefined, null, catalog, first)}${photos(catalog)}</div>`;
}

/** From the darkest film to the lightest, for the script; it belongs to no form, because the darkness is asked for later. */
function slider({ service_type, coverage, film_type }: Choices, catalog: Shop): Html | undefined {
  if (positionsOf(service_type, coverage, catalog).length === 0) return undefined;
  const { films, defaults } = catalog.automotive;
  const shades = entryOf(films, film_type ?? defaults.film_type).shades.map(({ vlt }) => vlt);
  const [dark, light] = SAID.lookEnds;
  const range = html`min="${Math.min(...shades)}" max="${Math.max(...shades)}" value="${shades[Math.floor(shades.length / 2)]}"`;
  return html`<p class="look"><label for="look" class="hidden">${SAID.look}</label><span aria-hidden="true">${dark}</span>
<input type="range" id="look" form="picture" ${range}><span aria-hidden="true">${light}</span></p>`;
}

/** `Pay at the shop · Free to cancel · Lifetime warranty`, where there is no room for whole sentences. */
function promise({ site, bookings }: Shop): Html {
  const parts = [site.texts.pay, bookings.self_service.enabled && SAID.free, site.facts[0]];
  return html`<p class="promise">${parts.filter(Boolean).join(" · ")}</p>`;
}

function reviews({ site: { reviews } }: Shop): Html | undefined {
  if (reviews === null) return undefined;
  const { rating, count, source, url } = reviews;
  const link = html`<a href="${url}" target="_blank">${SAID.rating(rating, count, source)}</a>`;
  return html`<p class="reviews"><span aria-hidden="true">★</span> ${link}</p>`;
}

function photos({ site: { photos } }: Shop): Html | undefined {
  if (photos.length === 0) return undefined;
  const pictures = photos.map(({ url, text }) => {
    const source = PHOTO_FILE.test(url) ? `${PHOTOS_PATH}/${url}` : url;
    return html`<img src="${source}" alt="${text}" width="320" height="240" loading="lazy" decoding="async">`;
  });
  return html`<section class="photos" aria-label="${SAID.photos}">${pictures}</section>`;
}
