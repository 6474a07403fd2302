/** The fields that hold the shop's own terms, as zod schemas. */
import { z } from "zod";
import { perCatalog } from "../../catalog/per-catalog.ts";
import { words } from "../../catalog/terms.ts";
import { wordField } from "../../schema/fields.ts";

/** Work that is none of the shop's services, in quote requests. */
export const OTHER_WORK = "other";

/** Built once per catalog: every request and answer with such a word uses these schemas. */
export const wordFields = perCatalog((catalog) => {
  const { vehicleTypes, films, coverages, addons, services, siteTypes, tiers, faqCategories } = words(catalog);
  return {
    vehicleType: wordField(vehicleTypes).meta({ title: "VehicleType" }),
    filmType: wordField(films).meta({ title: "FilmType" }),
    coverage: wordField(coverages).meta({ title: "Coverage" }),
    addon: wordField(addons).meta({ title: "Addon" }),
    service: wordField(services).meta({ title: "PricedService" }),
    siteType: wordField(siteTypes).meta({ title: "SiteType" }),
    quoted: wordField([...new Set([...siteTypes, ...catalog.services.map(({ key }) => key), OTHER_WORK])]).meta({
      title: "QuotedWork",
    }),
    tier: wordField(tiers).meta({ title: "Tier" }),
    faqCategory: z.enum(faqCategories).meta({ title: "FaqCategory" }),
  };
});

/** An object with one property for each word. */
export function eachWord<V extends z.ZodType>(list: readonly string[], value: V) {
  return z.object(Object.fromEntries(list.map((word) => [word, value])));
}
