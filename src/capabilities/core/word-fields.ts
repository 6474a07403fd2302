/** The fields that hold the shop's own words, as zod schemas. */
import { z } from "zod";
import { derived } from "../../catalog/derived.ts";
import { words } from "../../catalog/words.ts";
import { oneOfWords } from "../../schema/fields.ts";

/** Built once per catalog: every request and answer with such a word uses these schemas. */
export const wordFields = derived((catalog) => {
  const { vehicleTypes, films, coverages, addons, services, siteTypes, tiers, faqCategories } = words(catalog);
  return {
    vehicleType: oneOfWords(vehicleTypes),
    filmType: oneOfWords(films),
    coverage: oneOfWords(coverages),
    addon: oneOfWords(addons),
    service: oneOfWords(services),
    siteType: oneOfWords(siteTypes),
    tier: oneOfWords(tiers),
    faqCategory: z.enum(faqCategories),
  };
});

/** An object with one property for each word. */
export function eachWord<V extends z.ZodType>(list: readonly string[], value: V) {
  return z.object(Object.fromEntries(list.map((word) => [word, value])));
}
