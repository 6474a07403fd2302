/** The questions and answers of the catalog, as customers read them. */

import { REFERENCE } from "../../catalog/path.ts";
import { perCatalog } from "../../catalog/per-catalog.ts";
import type { Shop } from "../../catalog/shop.ts";
import { isShown } from "../../catalog/terms.ts";
import { specialDaysInWords, weekInWords } from "../../domain/dates-in-words.ts";
import { formatMoney } from "../../domain/money.ts";
import { valueAt } from "../../lib/fields.ts";
import { joinWithAnd } from "../../schema/explain.ts";
import { LIMITS } from "../../schema/fields.ts";
import { rank } from "./ranking.ts";

/** The questions that customers are shown, with the references in the answers filled in. */
export const faqOf = perCatalog((catalog) =>
  catalog.faq
    .filter((entry) => isShown(entry, catalog.services))
    .map(({ question, answer, category }) => ({ question, answer: fillReferences(answer, catalog), category })),
);

/** The same questions with what a search looks at: the words of `also` find a question and are shown to nobody. */
const searchableFaq = perCatalog((catalog) => {
  const shown = catalog.faq.filter((entry) => isShown(entry, catalog.services));
  return faqOf(catalog).map((entry, i) => ({
    title: entry.question,
    body: entry.answer,
    phrases: [entry.question, ...(shown[i]?.also ?? [])],
    entry,
  }));
});

/**
 * The questions that have to do with the words, the best first; none where no question does.
 * @param query its beginning counts: every word is compared with those of all questions
 * @param category all without one
 */
export function searchFaq(query: string, catalog: Shop, category?: string) {
  const texts = searchableFaq(catalog).filter(({ entry }) => category === undefined || entry.category === category);
  return rank(texts, query.slice(0, LIMITS.search)).map(({ entry }) => entry);
}

/** The most questions on the booking page. */
const MOST_ON_PAGE = 3;

/** The questions that stand on the booking page of a service; those about it alone come first. */
export function pageQuestions(service: string, catalog: Shop) {
  const category = catalog.services.find(({ key }) => key === service)?.faq_category;
  const marked = catalog.faq.filter((entry) => entry.on_page && isShown(entry, catalog.services));
  const ofService = marked.filter(({ services }) => services?.includes(service));
  const ofCategory = marked.filter(
    (entry) => !entry.services && (entry.category === category || entry.category === "general"),
  );
  return [...ofService, ...ofCategory]
    .slice(0, MOST_ON_PAGE)
    .map(({ question, answer }) => ({ question, answer: fillReferences(answer, catalog) }));
}

/**
 * A query for the questions about a service: for all where its category has none. Does not use `faqOf`, which may load
 * a file: bookings must be answered even when the process is out of file handles.
 */
export function questionsAbout(service: string, catalog: Shop) {
  const category = catalog.services.find(({ key }) => key === service)?.faq_category;
  return catalog.faq.some((entry) => entry.category === category && isShown(entry, catalog.services))
    ? { category }
    : {};
}

/** How answers write the `SPOKEN_GROUPS`, the groups that customers read in words. */
const SPOKEN: Readonly<Record<string, (business: Shop["business"]) => string>> = {
  "business.hours": weekInWords,
  "business.special_hours": specialDaysInWords,
  "business.service_area": ({ service_area: { label, counties } }) =>
    counties.length > 0 ? `${label} (${joinWithAnd(counties)} counties)` : label,
};

/**
 * Replaces each path in braces by the value at that place of the catalog: money in the catalog's currency, hours and area in
 * words, other numbers and texts as they are.
 */
export function fillReferences(text: string, catalog: Shop): string {
  return text.replace(REFERENCE, (braces, dotted: string) => {
    const spoken = SPOKEN[dotted]?.(catalog.business);
    if (spoken !== undefined) return spoken;
    const path = dotted.split(".");
    const value = valueAt(catalog, path);
    if (typeof value === "number" && isMoney(path)) return formatMoney(value, catalog.currency);
    return typeof value === "number" || typeof value === "string" ? String(value) : braces;
  });
}

/** The schema of the catalog is loaded for the first answer with a number, because a server that starts does not need it. */
function isMoney(path: string[]): boolean {
  const { settingAt }: typeof import("../../catalog/settings.ts") = require("../../catalog/settings.ts");
  return settingAt(path)?.money ?? false;
}
