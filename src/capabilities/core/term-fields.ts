/** The fields that hold the shop's own terms, as zod schemas. */
import { z } from "zod";
import { perCatalog } from "../../catalog/per-catalog.ts";
import type { Shop } from "../../catalog/shop.ts";
import { entryOf, vehicleInWords } from "../../catalog/terms.ts";
import { capitalised, sentence, spaced } from "../../lib/text.ts";
import { joinWithAnd } from "../../schema/explain.ts";
import { linesFor, wordField } from "../../schema/fields.ts";

/** Work that is none of the shop's services, in quote requests. */
export const OTHER_WORK = "other";

/** Built once per catalog: every request and answer with such a word uses these schemas. */
export const termFields = perCatalog((catalog) => {
  const { vehicleTypes, films, coverages, addons, services, siteTypes, tiers, faqCategories } = catalog.terms;
  const { automotive } = catalog;
  const serviceName = (key: string) => catalog.services.find((one) => one.key === key)?.name ?? key;
  const field = (title: string, description: string, list: readonly string[], lineOf: (word: string) => string) =>
    wordField(list).meta({
      title,
      description,
      ...linesFor(Object.fromEntries(list.map((word) => [word, sentence(lineOf(word))]))),
    });
  return {
    vehicleType: field(
      "VehicleType",
      "Body type.",
      vehicleTypes,
      (type) => automotive.vehicle_facts[type]?.about ?? capitalised(vehicleInWords(type, catalog)),
    ),
    filmType: field("FilmType", "Film for vehicles.", films, (film) => entryOf(automotive.films, film).name),
    coverage: field("Coverage", "The glass that is covered.", coverages, (word) => {
      const { name, glass } = entryOf(automotive.coverages, word);
      return capitalised(glass ?? name);
    }),
    addon: field("Addon", "An extra.", addons, (word) => entryOf(automotive.addons, word).name),
    service: field("PricedService", "A service with prices for vehicles.", services, serviceName),
    siteType: field("SiteType", "Kind of site.", siteTypes, serviceName),
    quoted: field(
      "QuotedWork",
      "The work.",
      [...new Set([...siteTypes, ...catalog.services.map(({ key }) => key), OTHER_WORK])],
      (key) => (key === OTHER_WORK ? "Work that is none of the shop's services" : serviceName(key)),
    ),
    tier: field("Tier", "Step of price and film.", tiers, (tier) => `The option ${capitalised(spaced(tier))}`),
    faqCategory: z.enum(faqCategories).meta({
      title: "FaqCategory",
      description: "Subject of a question.",
      ...linesFor(Object.fromEntries(faqCategories.map((category) => [category, subjectOf(category, catalog)]))),
    }),
  };
});

const GENERAL = "general";

/** The services that the questions of a category are about. */
function subjectOf(category: string, { services }: Shop): string {
  const names = services.filter(({ faq_category }) => faq_category === category).map(({ name }) => name);
  return `About ${joinWithAnd([...(category === GENERAL || names.length === 0 ? ["the shop"] : []), ...names])}.`;
}

/** An object with one property for each word. */
export function eachWord<V extends z.ZodType>(list: readonly string[], value: V) {
  return z.object(Object.fromEntries(list.map((word) => [word, value])));
}
