/** A shop: its catalog, and what the catalog alone decides, worked out once when it is loaded. */
import { type Laws, lawsOf } from "./laws.ts";
import { type Models, modelsOf } from "./models.ts";
import { type PriceList, priceListOf } from "./price-list.ts";
import type { Catalog } from "./schema.ts";
import { type Terms, termsOf } from "./terms.ts";

/** Whoever needs more than the owner's values takes this; it is handed on from the request's context. */
export interface Shop extends Catalog {
  readonly terms: Terms;
  readonly priceList: PriceList;
  readonly models: Models;
  readonly laws: Laws;
}

/** @param catalog as it was checked, frozen */
export function derive(catalog: Catalog): Shop {
  const terms = termsOf(catalog);
  return Object.freeze({
    ...catalog,
    terms,
    priceList: priceListOf(catalog, terms),
    models: modelsOf(catalog),
    laws: lawsOf(catalog),
  });
}
