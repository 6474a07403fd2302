/** Catalogs with other words than the stock catalog. */
import { readFileSync } from "node:fs";
import type { WrittenCatalog } from "../src/catalog/schema.ts";
import type { Shop } from "../src/catalog/shop.ts";
import { CATALOG_TEXT, catalogOf } from "./helpers.ts";

export const CALIFORNIA_FILE = new URL("catalogs/california.yaml", import.meta.url).pathname;
const CALIFORNIA_TEXT = readFileSync(CALIFORNIA_FILE, "utf8");

/** The values of a catalog's file, to be changed. */
const stockSource = () => Bun.YAML.parse(CATALOG_TEXT) as WrittenCatalog;
export const californiaSource = () => Bun.YAML.parse(CALIFORNIA_TEXT) as WrittenCatalog;

/** Four films, nine vehicle types, six add-ons, three coverages, no work on buildings. */
export const CALIFORNIA = catalogOf(californiaSource());

/** The stock catalog without a service, its prices and its minutes. */
export function withoutService(...keys: string[]): Shop {
  const source = stockSource();
  const ids = source.services.filter(({ key }) => keys.includes(key)).map(({ id }) => String(id));
  source.services = source.services.filter(({ key }) => !keys.includes(key));
  const minutes = source.scheduling.default_minutes;
  for (const id of ids) delete minutes[id];
  for (const row of Object.values(source.automotive.vehicle_types)) for (const key of keys) delete row[key];
  const rates = source.flat_glass?.rates_per_sqft ?? {};
  for (const key of keys) delete rates[key];
  if (Object.keys(rates).length === 0) delete source.flat_glass;
  const sites = source.synonyms?.site_types ?? {};
  for (const [said, site] of Object.entries(sites)) if (keys.includes(site)) delete sites[said];
  const words = source.synonyms?.services ?? {};
  for (const [said, service] of Object.entries(words)) if (keys.includes(service)) delete words[said];
  source.faq = source.faq.filter(({ answer }) => !keys.some((key) => answer.includes(`.${key}`)));
  return catalogOf(source);
}
