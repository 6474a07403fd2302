/** The fields that hold the shop's own words, as zod schemas. */
import { z } from "zod";
import { derived } from "../../catalog/derived.ts";
import { words } from "../../catalog/words.ts";
import { oneOfWords } from "../../schema/fields.ts";

/** Work that is none of the shop's services, in quote requests. */
export const OTHER_WORK = "other";

/** Built once per catalog: every request and answer with such a word uses these schemas. */
export const wordFields = derived((catalog) => {
  const { vehicleTypes, films, coverages, addons, services, siteTypes, tiers, faqCategories } = words(catalog);
  return {
    vehicleType: oneOfWords(vehicleTypes).meta({ title: "VehicleType" }),
    filmType: oneOfWords(films).meta({ title: "FilmType" }),
    coverage: oneOfWords(coverages).meta({ title: "Coverage" }),
    addon: oneOfWords(addons).meta({ title: "Addon" }),
    service: oneOfWords(services).meta({ title: "PricedService" }),
    siteType: oneOfWords(siteTypes).meta({ title: "SiteType" }),
    quoted: oneOfWords([...new Set([...siteTypes, ...catalog.services.map(({ key }) => key), OTHER_WORK])]).meta({
      title: "QuotedWork",
    }),
    tier: oneOfWords(tiers).meta({ title: "Tier" }),
    faqCategory: z.enum(faqCategories).meta({ title: "FaqCategory" }),
  };
});

/** An object with one property for each word. */
export function eachWord<V extends z.ZodType>(list: readonly string[], value: V) {
  return z.object(Object.fromEntries(list.map((word) => [word, value])));
}
