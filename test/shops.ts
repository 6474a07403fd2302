/** Catalogs with other words than the stock catalog. */
import { readFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import { parseCatalog } from "../src/catalog/load/parse.ts";
import type { Catalog, CatalogSource } from "../src/catalog/schema.ts";
import { CATALOG_TEXT } from "./helpers.ts";

const CALIFORNIA_TEXT = readFileSync(new URL("catalogs/california.yaml", import.meta.url), "utf8");

/** Four films, nine vehicle types, six add-ons, three coverages, no work on buildings. */
export const CALIFORNIA = parseCatalog(Buffer.from(CALIFORNIA_TEXT), "california.yaml");

/** The values of a catalog's file, to be changed. */
export const stockSource = (): CatalogSource => parse(CATALOG_TEXT);
export const californiaSource = (): CatalogSource => parse(CALIFORNIA_TEXT);

export function catalogOf(source: CatalogSource): Catalog {
  return parseCatalog(Buffer.from(stringify(source, { aliasDuplicateObjects: false })), "catalog.yaml");
}

/** The stock catalog without a service, its prices and its minutes. */
export function withoutService(...keys: string[]): Catalog {
  const source = stockSource();
  const ids = source.services.filter(({ key }) => keys.includes(key)).map(({ id }) => String(id));
  source.services = source.services.filter(({ key }) => !keys.includes(key));
  const minutes = source.scheduling.default_minutes;
  for (const id of ids) delete minutes[id];
  for (const row of Object.values(source.automotive.vehicle_types)) for (const key of keys) delete row[key];
  const rates = source.flat_glass?.rates_per_sqft ?? {};
  for (const key of keys) delete rates[key];
  if (Object.keys(rates).length === 0) delete source.flat_glass;
  return catalogOf(source);
}
