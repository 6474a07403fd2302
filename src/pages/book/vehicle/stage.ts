/** The vehicle as it will look, with the price; before one is chosen, the first screen, whose glass follows a slider. */

import { directionsUrl } from "../../../catalog/page-addresses.ts";
import { PHOTO_FILE } from "../../../catalog/sections/site.ts";
import { type Shop, textsOf } from "../../../catalog/shop.ts";
import { entryOf } from "../../../catalog/terms.ts";
import { addonPositions } from "../../../domain/automotive.ts";
import { nextOpenMoment, planOf, rfc3339, shopDate } from "../../../domain/schedule.ts";
import { SIDES } from "../../../job/job.ts";
import { type Html, html } from "../../../lib/html.ts";
import { serviceName } from "../../../messages/words.ts";
import { type Film, vehicleDrawing } from "../drawing/drawing.ts";
import { PHOTOS_PATH, startOfMoment } from "../shell/paths.ts";
import { EXTRAS, FACTS, STAGE, VEHICLE } from "../shell/texts.ts";
import {
  amount,
  dayIn,
  drawingOf,
  duration,
  endOf,
  nearDay,
  readyAbout,
  shadeLabel,
  shortClock,
  taxName,
  vehicleName,
  workName,
} from "../shell/wording.ts";
import { type Choices, type Estimate, positionsOf, shadesBySide } from "./choices.ts";
import { type Beginning, type Offer, servicePrices } from "./offer.ts";

export function stage(offer: Offer, beside: Html): Html {
  const { choices, estimate, catalog } = offer;
  const tag = priceTag(workName(estimate, catalog), amount(estimate.total, catalog));
  return html`<div class="stage"><div class="strip">${pictureOf(choices, catalog)}
${tag}</div>${beside}
${terms(offer)}</div>`;
}

function priceTag(what: string, price: string, more?: Html): Html {
  return html`<div class="tag"><p class="what">${what}</p><p class="total">${price}</p>${more}</div>`;
}

function pictureOf(choices: Choices, catalog: Shop, more?: Html): Html {
  const film = filmOn(choices, catalog);
  const extras = addonPositions(catalog, choices.addons);
  const label = pictureLabel(choices, film, catalog);
  const vehicle = vehicleDrawing(drawingOf(choices.vehicle_type, catalog), film, extras, label);
  return html`<div class="picture">${vehicle}${more}${paints()}</div>`;
}

/** The film on each glass. Where no darkness is chosen yet, the picture shows a middling one. */
function filmOn(choices: Choices, catalog: Shop): Film {
  const { service_type, coverage, film_type, addons } = choices;
  const { automotive } = catalog;
  const covered = positionsOf(service_type, coverage, catalog);
  const { shades } = entryOf(automotive.films, film_type ?? automotive.defaults.film_type);
  const middling = shades[Math.floor(shades.length / 2)]?.vlt;
  const wished = shadesBySide(choices);
  const film: Film = {};
  for (const side of SIDES) if (covered.includes(side)) film[side] = wished[side] ?? middling;
  if (addonPositions(catalog, addons).includes("windshield"))
    film.windshield = choices.windshield ?? automotive.windshield_default_vlt;
  return film;
}

/** The color of the body in the picture. It belongs to no form, because the shop does not ask for it. */
function paints(): Html {
  const buttons = Object.entries(STAGE.paints).map(([paint, name]) => {
    const checked = paint === "grey" && html` checked`;
    return html`<label class="paint"><input type="radio" id="paint-${paint}" name="paint" form="picture"${checked}>
<span class="hidden">${name}</span></label>`;
  });
  return html`<fieldset class="paints"><legend class="hidden">${STAGE.paint}</legend>${buttons}</fieldset>`;
}

function pictureLabel(choices: Choices, { front_side, rear_side }: Film, catalog: Shop): string {
  const { vehicle_type: vehicle, film_type: film } = choices;
  const name = film ?? catalog.automotive.defaults.film_type;
  const shade = (vlt: number | undefined) =>
    vlt === undefined ? STAGE.bare : STAGE.at(shadeLabel(vlt, name, catalog));
  const type = vehicle === undefined ? STAGE.vehicle : vehicleName(vehicle, catalog);
  return STAGE.picture(type, shade(front_side), shade(rear_side));
}

/** What everybody asks before the first appointment: what the price holds, how long, when to come, how to pay, and why here. */
function terms({ choices: { start, service_type: service }, estimate, until, catalog }: Beginning, first?: Html): Html {
  const { site, bookings } = catalog;
  const answers = [
    estimate &&
      (start
        ? STAGE.dropOff(shortClock(start.time, catalog), readyAbout(start, endOf(start, estimate, catalog), catalog))
        : STAGE.takes(duration(estimate.duration_minutes))),
    textsOf(service, catalog).payment,
    until
      ? STAGE.freeUntil(until)
      : bookings.self_service.enabled && STAGE.freeHours(bookings.self_service.cutoff_hours),
    ...site.facts,
  ];
  const list = html`<ul class="answers">${answers.map((answer) => answer && html`<li>${answer}</li>`)}</ul>`;
  if (!estimate) return html`<div class="terms">${first}${list}</div>`;
  const holds = STAGE.holds(dayIn("day", startOfMoment(estimate.valid_until).date, catalog));
  return html`<div class="terms">${first}${priceLines(estimate, catalog)}${list}
<p class="soft">${estimate.tax.note} ${estimate.price_note} ${holds}</p></div>`;
}

function priceLines({ line_items: lines, tax, total_with_tax: all, ...job }: Estimate, catalog: Shop): Html {
  const work = { ...job, coverage: null, vehicle: { type: null } };
  const nameOf = (code: string) =>
    code === job.service
      ? workName(work, catalog)
      : (catalog.automotive.addons[code]?.name ?? serviceName(code, catalog));
  const rows: [name: string, price: number][] =
    lines.length > 1 ? lines.map(({ code, amount: price }) => [nameOf(code), price]) : [];
  if (all !== undefined) rows.push([taxName(catalog), tax.amount ?? 0], [FACTS.inAll, all]);
  if (rows.length === 0) return html``;
  const items = rows.map(([name, price]) => html`<li><span>${name}</span><span>${amount(price, catalog)}</span></li>`);
  return html`<ul class="lines-of-price">${items}</ul>`;
}

export function front(choices: Choices, catalog: Shop, now: Temporal.Instant, next: Html | undefined): Html {
  const { service_type: service } = choices;
  const price = EXTRAS.from(amount(Math.min(...servicePrices(service, catalog)), catalog));
  const exact = html`<p class="soft">${VEHICLE.exact}</p>`;
  const first = html`${next}${promise(service, catalog)}${placeLine(catalog, now)}${reviews(catalog)}`;
  return html`<div class="stage front"><div class="strip">${pictureOf(choices, catalog, slider(choices, catalog))}
${priceTag(serviceName(service, catalog), price, exact)}</div>
${terms({ choices, catalog }, first)}${photos(catalog)}</div>`;
}

/** From the darkest film to the lightest, for the script; it belongs to no form, because the darkness is asked for later. */
function slider({ service_type, coverage, film_type }: Choices, catalog: Shop): Html | undefined {
  if (positionsOf(service_type, coverage, catalog).length === 0) return undefined;
  const { films, defaults } = catalog.automotive;
  const shades = entryOf(films, film_type ?? defaults.film_type).shades.map(({ vlt }) => vlt);
  const [dark, light] = STAGE.lookEnds;
  const range = html`min="${Math.min(...shades)}" max="${Math.max(...shades)}" value="${shades[Math.floor(shades.length / 2)]}"`;
  return html`<p class="look"><label for="look" class="hidden">${STAGE.look}</label><span aria-hidden="true">${dark}</span>
<input type="range" id="look" form="picture" ${range}><span aria-hidden="true">${light}</span></p>`;
}

/** `Pay at the shop · Free to cancel · Lifetime warranty`, where there is no room for whole sentences. */
function promise(service: string, catalog: Shop): Html {
  const { site, bookings } = catalog;
  const parts = [textsOf(service, catalog).pay, bookings.self_service.enabled && STAGE.free, site.facts[0]];
  return html`<p class="promise">${parts.filter(Boolean).join(" · ")}</p>`;
}

function reviews({ site: { reviews } }: Shop): Html | undefined {
  if (reviews === null) return undefined;
  const { rating, count, source, url } = reviews;
  const link = html`<a href="${url}" target="_blank">${STAGE.rating(rating, count, source)}</a>`;
  return html`<p class="reviews"><span aria-hidden="true">★</span> ${link}</p>`;
}

function photos({ site: { photos } }: Shop): Html | undefined {
  if (photos.length === 0) return undefined;
  const pictures = photos.map(({ url, text }) => {
    const source = PHOTO_FILE.test(url) ? `${PHOTOS_PATH}/${url}` : url;
    return html`<img src="${source}" alt="${text}" width="320" height="240" loading="lazy" decoding="async">`;
  });
  return html`<section class="photos" aria-label="${STAGE.photos}">${pictures}</section>`;
}

/** `Open today until 6 PM · Marietta · Directions`. */
function placeLine(catalog: Shop, now: Temporal.Instant): Html {
  const { business } = catalog;
  const way = html`<a href="${directionsUrl(business)}" target="_blank">${STAGE.directions}</a>`;
  return html`<p class="soft here">${openLine(catalog, now)} · ${business.address.locality} · ${way}</p>`;
}

function openLine(catalog: Shop, now: Temporal.Instant): string {
  const today = shopDate(catalog, now);
  const moment = now.epochMilliseconds;
  const atShop = (one: number) => startOfMoment(rfc3339(catalog, one));
  const next = nextOpenMoment(catalog, moment);
  const open = planOf(catalog, today).openings.find(({ opensAt, closesAt }) => opensAt <= next && next < closesAt);
  if (open && next === moment) return STAGE.openUntil(shortClock(atShop(open.closesAt).time, catalog));
  const { date, time } = atShop(next);
  return STAGE.opens(nearDay(date, today) ?? dayIn("day", date, catalog), shortClock(time, catalog));
}
