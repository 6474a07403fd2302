/** The catalog whose words the help and the arguments of a command list; and the project's own, from which new ones are made. */
import text from "../../catalog.yaml" with { type: "text" };
import { CatalogError } from "../../src/catalog/load/document.ts";
import { lastGoodOf, loadCatalog } from "../../src/catalog/load/load.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { termsOf } from "../../src/catalog/terms.ts";
import { FAQ_CATEGORIES } from "../../src/constants.ts";
import { serviceOf } from "../../src/domain/work.ts";
import { spaced } from "../../src/lib/text.ts";
import { catalogSource } from "../shop/catalog.ts";
import { locationsIn } from "../terminal/arguments.ts";
import { clean } from "../terminal/output.ts";

const FOR_ALL_SHOPS = "general";

/** The shop's catalog; without a good one the earlier one that was good, else that of the example shop. @param args the words typed */
export async function catalogForHelp(args: readonly string[]): Promise<Shop> {
  for (const read of [loadCatalog, lastGoodOf])
    try {
      const found = read(catalogSource(locationsIn(args)));
      if (found) return found.catalog;
    } catch {
      // The command itself says why.
    }
  return readTemplate();
}

/** Undefined for a catalog with issues, which an edit of it reports. */
export function catalogWithoutIssues(source: CatalogSource): Shop | undefined {
  try {
    return loadCatalog(source).catalog;
  } catch (error) {
    if (error instanceof CatalogError) return undefined;
    throw error;
  }
}

/** The categories a question can have: of the services on offer, of the questions in the file, and the one for all shops. */
export function questionCategories({ services, faq }: Pick<Shop, "services" | "faq">) {
  const used = [
    FOR_ALL_SHOPS,
    ...services.map((service) => service.faq_category),
    ...faq.map(({ category }) => category),
  ];
  return FAQ_CATEGORIES.filter((category) => used.includes(category));
}

/** The name of a column of the price list: a service with one price by its name in the catalog, the others by their word. */
export function columnName({ key, coverages }: { key: string; coverages: readonly string[] }, catalog: Shop): string {
  return coverages.length > 0 ? spaced(key) : clean(serviceOf(catalog, key).name);
}

export async function wordsForHelp(args: readonly string[]) {
  return termsOf(await catalogForHelp(args));
}

export const TEMPLATE: string = text;

let parsed: Shop | undefined;
/** Parsed once, which takes a tenth of a second: many questions need it. */
export function readTemplate(): Shop {
  parsed ??= parseCatalog(Buffer.from(TEMPLATE), "catalog.yaml");
  return parsed;
}

export function knownStates(): Map<string, string> {
  const states = Object.entries(readTemplate().tint_law.jurisdictions).filter(([key]) => key.startsWith("US-"));
  return new Map(states.map(([key, { name }]) => [key.replace("US-", ""), name]));
}
