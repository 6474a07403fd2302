/** The price that a customer was told with a quote request. */
import type { Catalog } from "../../src/catalog/schema.ts";
import { words } from "../../src/catalog/words.ts";
import { ballparkOf } from "../../src/domain/flat-glass.ts";
import { toUnits } from "../../src/domain/money.ts";
import type { LeadInFull } from "../../src/store/store.ts";
import { moneyIn, rangeInWords } from "../terminal/amounts.ts";

/** The estimate that the request named, or the ballpark of its glass area; empty when no price was told. */
export function toldInWords({ details, serviceType }: LeadInFull, catalog: Catalog): string {
  const { estimate, square_footage: sqft, needs_ladder: ladder } = Object(details);
  const money = moneyIn(catalog.currency);
  if (typeof Object(estimate).total === "number") return money(Object(estimate).total);
  if (typeof sqft !== "number" || !catalog.flat_glass || !words(catalog).siteTypes.includes(serviceType)) return "";
  const { total } = ballparkOf(catalog, sqft, ladder === true);
  return rangeInWords(toUnits(total.min), toUnits(total.max), money);
}
