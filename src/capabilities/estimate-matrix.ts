import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { entryOf, pickInOrder } from "../catalog/terms.ts";
import { basePrice } from "../domain/automotive.ts";
import { toUnits } from "../lib/money.ts";
import { priceNote, taxShape, toTax } from "./core/price-shapes.ts";
import { currency, currencyUnits, eachWord, termFields, unitsOf } from "./core/shapes.ts";

/** Every base price, for GET without a query. A service with prices of its own has a list of its own, under its key. */
export const estimateMatrix = (catalog: Shop) => {
  const { vehicleType, filmType, coverage, addon, service } = termFields(catalog);
  const { films, columns } = catalog.terms;
  const ownPrices = columns
    .filter(({ isFilm }) => !isFilm)
    .map(({ key, coverages }) => [
      key,
      z
        .array(
          z.object({ vehicle_type: vehicleType, ...(coverages.length > 0 && { coverage }), total: currencyUnits() }),
        )
        .describe(`Every price of ${key}.`),
    ]);
  return z
    .object({
      currency: currency(),
      matrix: z
        .array(
          z
            .object({ vehicle_type: vehicleType, film_type: filmType, coverage, total: currencyUnits() })
            .meta({ title: "MatrixPrice", description: "A price of film." }),
        )
        .describe("Every price of film."),
      ...Object.fromEntries(ownPrices),
      addons: z
        .array(
          z
            .object({
              code: addon,
              label: z.string().describe("Its name for customers."),
              price: eachWord(films, currencyUnits()).describe("By film."),
              applies_to: z.array(service).describe("Services it can be added to."),
            })
            .meta({ title: "MatrixAddon", description: "An extra with its price." }),
        )
        .describe("Every extra."),
      tax: taxShape(),
      price_note: priceNote(),
    })
    .meta({ title: "EstimateMatrix", description: "Every base price." });
};

export function toEstimateMatrix(catalog: Shop) {
  const { vehicleTypes, columns, services, pricedBy } = catalog.terms;
  const byFilm = services.find((key) => pricedBy.get(key) === "film") ?? "";
  const prices = (columnKeys: readonly string[]) =>
    vehicleTypes.flatMap((vehicle_type) =>
      columns
        .filter(({ key }) => columnKeys.includes(key))
        .flatMap(({ key, isFilm, coverages }) =>
          (coverages.length > 0 ? coverages : [null]).map((coverage) => {
            const work = { service: isFilm ? byFilm : key, filmType: isFilm ? key : null, coverage };
            return {
              vehicle_type,
              ...(isFilm && { film_type: key }),
              ...(coverage !== null && { coverage }),
              total: toUnits(basePrice(catalog, vehicle_type, work)),
            };
          }),
        ),
    );
  const films = columns.filter(({ isFilm }) => isFilm).map(({ key }) => key);
  const ownPrices = columns.filter(({ isFilm }) => !isFilm).map(({ key }) => [key, prices([key])]);
  return {
    currency: catalog.currency,
    matrix: prices(films),
    ...Object.fromEntries(ownPrices),
    addons: addonPrices(catalog),
    tax: toTax(null, catalog),
    price_note: catalog.price_note,
  };
}

export function addonPrices(catalog: Shop) {
  return catalog.terms.addons.map((code) => {
    const { name, price, applies_to } = entryOf(catalog.automotive.addons, code);
    return { code, label: name, price: unitsOf(pickInOrder(price, catalog.terms.films)), applies_to };
  });
}
