/** The project's own catalog.yaml, from which the catalog of a new shop is made, and which stands in where a shop has none. */
import text from "../../catalog.yaml" with { type: "text" };
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import type { Shop } from "../../src/catalog/shop.ts";

export const TEMPLATE: string = text;

let parsed: Shop | undefined;
/** Parsed once, which takes a tenth of a second: many questions need it. */
export function readTemplate(): Shop {
  parsed ??= parseCatalog(Buffer.from(TEMPLATE), "catalog.yaml");
  return parsed;
}

/** Names of the states with a tint law in the template, by their two letters. */
export function knownStates(): Map<string, string> {
  const states = Object.entries(readTemplate().tint_law.jurisdictions).filter(([key]) => key.startsWith("US-"));
  return new Map(states.map(([key, { name }]) => [key.replace("US-", ""), name]));
}
