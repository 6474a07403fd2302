/**
 * The shop of the tests of commands and screens, under the names that `helpers.ts` has for the example shop: its catalog is
 * read in a fraction of the time, and the example shop can change without them.
 */
import { testCatalog } from "./test-catalog.ts";

export const {
  text: CATALOG_TEXT,
  textWith: catalogText,
  shopWith: catalogWith,
} = testCatalog(new URL("catalogs/small.yaml", import.meta.url).pathname);
export const CATALOG = catalogWith();
