/** The vehicle as it will look, with the price. */
import type { Catalog } from "../../../catalog/schema.ts";
import { entryOf, words } from "../../../catalog/terms.ts";
import { addonPositions } from "../../../domain/automotive.ts";
import { type Html, html } from "../../markup/html.ts";
import { type Film, PAINTS, vehicleDrawing } from "../drawing/drawing.ts";
import { startOf } from "../shell/paths.ts";
import { taxName, workName } from "../shell/summary.ts";
import { amount, capital, dayIn, drawingOf, duration, serviceName, vehicleName } from "../shell/wording.ts";
import { type Choices, positionsOf } from "./choices.ts";
import { type Estimate, span } from "./offer.ts";

export function stage(choices: Choices, estimate: Estimate | undefined, catalog: Catalog): Html {
  const film = filmOn(choices, catalog);
  return html`<div class="stage"><div class="strip"><div class="picture">${vehicleDrawing(drawingOf(choices.vehicle, catalog), film, addonPositions(catalog, choices.addons), pictureLabel(choices, film, catalog))}${paints()}</div>
${estimate ? priceTag(estimate, catalog) : html`<div class="tag"><p class="what">${serviceName(choices.service, catalog)}</p><p class="total">${teaser(choices, catalog)}</p><p class="soft">Choose your vehicle for the exact price.</p></div></div>`}</div>`;
}

/** The film on each glass. Where no darkness is chosen yet, the picture shows a middling one. */
function filmOn({ service, coverage, front, rear, film, addons }: Choices, catalog: Catalog): Film {
  const { automotive } = catalog;
  const covered = positionsOf(service, coverage, catalog);
  const { shades } = entryOf(automotive.films, film ?? automotive.defaults.film_type);
  const middling = shades[Math.floor(shades.length / 2)]?.vlt;
  const wished = { front_side: front, rear_side: rear, rear_window: rear };
  return {
    ...Object.fromEntries(
      Object.entries(wished)
        .filter(([position]) => covered.includes(position))
        .map(([position, vlt]) => [position, vlt ?? middling]),
    ),
    ...(addonPositions(catalog, addons).includes("windshield") && { windshield: automotive.windshield_default_vlt }),
  };
}

/** The color of the body in the picture. It belongs to no form, because the shop does not ask for it. */
function paints(): Html {
  return html`<fieldset class="paints"><legend class="hidden">Color of the picture</legend>${PAINTS.map((paint) => html`<label class="paint" for="paint-${paint}"><input type="radio" id="paint-${paint}" name="paint" form="picture"${paint === "grey" && html` checked`}><span class="hidden">${capital(paint)}</span></label>`)}</fieldset>`;
}

function pictureLabel({ vehicle }: Choices, { front_side, rear_side }: Film, catalog: Catalog): string {
  const shade = (vlt: number | undefined) => (vlt === undefined ? "without film" : `at ${vlt}%`);
  const name = vehicle === undefined ? "A vehicle" : vehicleName(vehicle, catalog);
  return `${name} from the side: front windows ${shade(front_side)}, rear windows ${shade(rear_side)}`;
}

function teaser({ service }: Choices, catalog: Catalog): string {
  const { pricedBy, films } = words(catalog);
  return span(pricedBy.get(service) === "film" ? (films[0] ?? service) : service, catalog);
}

function priceTag(estimate: Estimate, catalog: Catalog): Html {
  const { line_items: lines, total, duration_minutes: minutes, valid_until: until } = estimate;
  return html`<div class="tag"><p class="what">${workName(estimate, catalog)}</p><p class="total">${amount(total, catalog)}</p></div></div>
<div class="terms">${lines.length > 1 && html`<ul class="lines-of-price">${lines.map((line) => html`<li><span>${lineName(line)}</span><span>${amount(line.amount, catalog)}</span></li>`)}</ul>`}
${tax(estimate, catalog)}
<p class="soft">Takes about ${duration(minutes)}. This price holds until ${dayIn("day", startOf(until).date, catalog)}.</p></div>`;
}

/** The tax that is added, and how binding the price is. */
function tax({ tax, total_with_tax: all, price_note }: Estimate, catalog: Catalog): Html {
  return html`${all !== undefined && html`<ul class="lines-of-price"><li><span>${taxName(catalog)}</span><span>${amount(tax.amount ?? 0, catalog)}</span></li><li><span>In all</span><span>${amount(all, catalog)}</span></li></ul>`}<p class="soft">${tax.note} ${price_note}</p>`;
}

/** The beginning of a line's label, without vehicle and glass. */
function lineName({ label }: { label: string }): string {
  return label.split(",")[0] ?? label;
}
