/** The field for the car in the visitor's words, and what the catalog makes of them. */
import { modelIn, modelsNear } from "../../../catalog/models.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { wordMeant } from "../../../catalog/words.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { type Html, html, raw } from "../../markup/html.ts";
import { inputField } from "../shell/forms.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { vehicleName } from "../shell/wording.ts";

const SAID = PAGE_TEXTS.vehicle;

/** @param vehicle the class, once it is known: then the whole list is not needed any more */
export function carField(car: string | undefined, vehicle: string | undefined, catalog: Shop): Html {
  const { hint, models } = understood(car, catalog);
  const isFirst = vehicle === undefined;
  const field = inputField({
    ...{ name: "car", label: SAID.car, value: car ?? null, maxlength: LIMITS.other, inputmode: "text" },
    ...{ placeholder: SAID.example, hint, autocapitalize: "words", ...(isFirst && { list: "cars" }) },
  });
  const buttons = models.map(
    (name) => html`<button class="quiet" name="car" value="${name}" formaction="${BOOK_PATH}#price">${name}</button>`,
  );
  return html`${field}${buttons.length > 0 && html`<p class="more">${buttons}</p>`}${isFirst && suggestions(catalog)}`;
}

function understood(car: string | undefined, catalog: Shop): { hint: string; models: string[] } {
  if (car === undefined) return { hint: SAID.unnamed, models: [] };
  const known = modelIn(car, catalog);
  if (known) return { hint: SAID.known(known.name, vehicleName(known.vehicleType, catalog)), models: [] };
  const type = wordMeant(car, "vehicle_types", catalog);
  if (type !== undefined) return { hint: SAID.kindOf(vehicleName(type, catalog)), models: [] };
  const models = modelsNear(car, catalog).map(({ name }) => name);
  return { hint: models.length === 0 ? SAID.unknown : models.length === 1 ? SAID.meant : SAID.which, models };
}

/** What browsers offer while somebody types. */
function suggestions({ models }: Shop): Html {
  const names = models.all.map(({ name }) => html`<option>${name}`.markup).sort();
  return raw(`<datalist id="cars">${names.join("")}</datalist>`);
}
