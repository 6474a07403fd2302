/** The questions and answers of the catalog, as customers read them: the capability, and the search in them. */
import { z } from "zod";
import { REFERENCE } from "../catalog/path.ts";
import { allWords, FILLERS, type ShownQuestion, tellingWords } from "../catalog/questions.ts";
import type { Shop } from "../catalog/shop.ts";
import { specialDaysInWords, weekInWords } from "../domain/dates-in-words.ts";
import { valueAt } from "../lib/fields.ts";
import { formatMoney } from "../lib/money.ts";
import { joinWithAnd } from "../schema/explain.ts";
import { exampleOf, LIMITS, line, optional } from "../schema/fields.ts";
import { defineCapability } from "./core/capability.ts";
import { pricing } from "./core/samples.ts";
import { termFields } from "./core/shapes.ts";

/** Questions in the answer to a search: enough to find the right one, few enough to read. */
const MOST_FOUND = 5;

const request = (catalog: Shop) =>
  z.object({
    category: optional(termFields(catalog).faqCategory).meta({
      description: "Only questions of this category.",
      ...exampleOf(catalog.terms.faqCategories[0]),
    }),
    q: optional(line(LIMITS.search)).meta({
      description: `Words to search for; the answer holds at most ${MOST_FOUND} questions, the best first.`,
      example: "medical exemption",
    }),
  });

/** Questions and answers. Source: contract 10, contract 15. */
export const listFaq = defineCapability({
  id: "list_faq",
  title: "Questions and answers",
  description: "Questions and answers: all, of one category, or by words.",
  inTools: ["How things work: tint law, curing, warranty, cancelling. Search by words with q."],
  returnsPrice: false,
  useWhen: ["The user asks how something works: tint law, curing, warranty, cancelling."],
  avoidWhen: ["You need a price or an open time: use the estimates and {tool:check_availability}."],
  input: request,
  output: (catalog) =>
    z.array(
      z
        .object({
          question: z.string().describe("As customers ask it."),
          answer: z.string().describe("With today's prices and rules."),
          category: termFields(catalog).faqCategory,
        })
        .meta({ title: "Question", description: "A question with its answer." }),
    ),
  status: 200,
  errors: [],
  catalogOnly: true,
  sample: (catalog) => ({
    category: catalog.terms.faqCategories.find((category) =>
      catalog.questions.some((entry) => entry.category === category),
    ),
  }),
  run({ category, q }, { catalog }) {
    return {
      data: q === undefined ? faqOf(catalog, category) : searchFaq(q, catalog, category).slice(0, MOST_FOUND),
      suggestions: pricing(catalog),
    };
  },
});

/**
 * The questions that customers are shown, with the references in the answers filled in.
 * @param category all without one
 */
export function faqOf(catalog: Shop, category?: string) {
  return ofCategory(catalog, category).map((entry) => ({
    question: entry.question,
    answer: fillReferences(entry.answer, catalog),
    category: entry.category,
  }));
}

function ofCategory({ questions }: Shop, category: string | undefined): readonly ShownQuestion[] {
  return category === undefined ? questions : questions.filter((entry) => entry.category === category);
}

/** The most questions on the booking page. */
const MOST_ON_PAGE = 3;

/** The questions that stand on the booking page of a service; those about it alone come first. */
export function pageQuestions(service: string, catalog: Shop) {
  const category = catalog.services.find(({ key }) => key === service)?.faq_category;
  const marked = catalog.questions.filter((entry) => entry.on_page);
  const ofService = marked.filter(({ services }) => services?.includes(service));
  const others = marked.filter(
    (entry) => !entry.services && (entry.category === category || entry.category === "general"),
  );
  return [...ofService, ...others]
    .slice(0, MOST_ON_PAGE)
    .map(({ question, answer }) => ({ question, answer: fillReferences(answer, catalog) }));
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

/** Loaded for the first answer with a number, because a server that starts does not need the schema of the catalog. */
let settings: typeof import("../catalog/settings.ts") | undefined;

function isMoney(path: string[]): boolean {
  settings ??= require("../catalog/settings.ts") as typeof import("../catalog/settings.ts");
  return settings.settingAt(path)?.money ?? false;
}

/** A word in the question says more about it than one in the answer. */
const TITLE_WEIGHT = 3;
/** A phrase is what the owner says people ask for, so it outweighs single words. */
const PHRASE_WEIGHT = 20;
/** A word in a larger part of the questions, such as `film`, counts only in a query that has no other words. */
const MOST_COMMON = 0.25;
/** A question must have more than this part of what the query asks for. With less it has to do with something else. */
const TOO_LITTLE = 0.5;

/**
 * The questions that have to do with the words, the best first; none where no question does. For some dozens of questions,
 * where a search engine would not pay.
 * @param query its beginning counts: every word is compared with those of all questions
 * @param category all without one
 */
export function searchFaq(query: string, catalog: Shop, category?: string) {
  const text = query.slice(0, LIMITS.search);
  const asked = allWords(text);
  const found = ofCategory(catalog, category).map(({ question, answer, category, title, phrases }) => {
    const shown = { question, answer: fillReferences(answer, catalog), category };
    return { shown, title, body: shown.answer.toLowerCase(), phrases, score: 0, met: 0 };
  });
  const counted = countedWords(tellingWords(text), found);
  let most = 0;
  for (const { hits, rarity } of counted) {
    most += rarity;
    for (const [i, one] of found.entries()) {
      const hit = hits[i] ?? 0;
      one.met += Math.min(1, hit) * rarity;
      one.score += hit * rarity;
    }
  }
  for (const one of found) {
    if (one.met <= most * TOO_LITTLE && counted.length !== 1) one.score = 0;
    // A phrase counts when all its words are asked for.
    for (const phrase of one.phrases) if (hasAll(asked, phrase)) one.score += PHRASE_WEIGHT;
  }
  return found
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ shown }) => shown);
}

interface Searched {
  title: ReadonlySet<string>;
  /** In lower case. */
  body: string;
}

/** The words of a query that count, with what each question has of them; a rare word counts more than a common one. */
function countedWords(wanted: ReadonlySet<string>, questions: readonly Searched[]) {
  const words = [...wanted].map((word) => {
    const hits = questions.map(({ title, body }) => TITLE_WEIGHT * likeness(word, title) + likenessIn(word, body));
    const found = hits.filter((hit) => hit > 0).length;
    const rarity = Math.log(1 + questions.length / Math.max(1, found));
    return { hits, rarity, isCommon: found > questions.length * MOST_COMMON };
  });
  const telling = words.filter(({ isCommon }) => !isCommon);
  return telling.length > 0 ? telling : words;
}

function hasAll(words: ReadonlySet<string>, phrase: ReadonlySet<string>): boolean {
  for (const word of phrase) if (likeness(word, words) === 0) return false;
  return true;
}

/** A word that is only like the one searched for, as removal is like remove. */
const LIKENESS = 0.5;
/** Letters that both words begin with: at least so many, and this part of the shorter word. */
const SHORTEST_STEM = 4;
const STEM = 0.7;

/** 1 for the word itself, less for one with the same beginning, 0 for none. */
function likeness(word: string, words: ReadonlySet<string>): number {
  if (words.has(word)) return 1;
  for (const other of words) if (isLike(word, other)) return LIKENESS;
  return 0;
}

function isLike(word: string, other: string): boolean {
  const stem = Math.max(SHORTEST_STEM, Math.floor(Math.min(word.length, other.length) * STEM));
  return word.length >= stem && word.slice(0, stem) === other.slice(0, stem);
}

const LETTER = /[\p{L}\p{N}]/u;
const REST_OF_WORD = /[\p{L}\p{N}]*/uy;

/** The same for the words of a text, of which only those that begin alike are looked at. */
function likenessIn(word: string, text: string): number {
  const beginning = word.slice(0, SHORTEST_STEM);
  let found = 0;
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 1)) {
    if (at > 0 && LETTER.test(text[at - 1] ?? "")) continue;
    REST_OF_WORD.lastIndex = at;
    const other = REST_OF_WORD.exec(text)?.[0] ?? "";
    if (other === word) return 1;
    if (!FILLERS.has(other) && isLike(word, other)) found = LIKENESS;
  }
  return found;
}
