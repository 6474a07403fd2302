/**
 * The search in the questions and answers. MiniSearch finds the ways to ask; the nearest subject answers, or nobody does:
 * where nothing is near, or the nearest is one of those that the shop says nothing about (`synonyms.unanswered`).
 */
import MiniSearch, { type SearchResult } from "minisearch";
import { stemmer } from "stemmer";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { LIMITS } from "../schema/fields.ts";
import { faqOf, openNow } from "./faq.ts";

/** Nearer than this is near. */
const NEAR = 0.5;
/** What nearness is made of: the words asked for that the subject has, the likest way to ask, and the longest found whole. */
const PARTS = { covered: 0.4, alike: 0.3, whole: 0.3 };
/** A subject that says nothing of prices is so much less near to a question for one. */
const BESIDE_PRICE = 0.85;
/** A way to ask of this weight that was found whole says half of what the longest says. */
const HALF_WEIGHT = 3;
/** What a word weighs that says nothing, and one that no subject has; what it counts if only the answer has it. */
const WEIGHT = { filler: 0.3, unknown: 3.3 };
const IN_ANSWER = 0.35;

const stem = (word: string) => stemmer(word.toLowerCase().replace(/['’].*/, ""));
const termsSaid = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];

/** A way to ask, or the answer, of the subject at a place of the list. */
interface Way {
  at: number;
  isAnswer: boolean;
  own: readonly string[];
  weight: number;
  /** Of `own`, what says something. */
  telling: readonly string[];
}

const indexOf = perCatalog((catalog) => {
  const { questions, unanswered, fillers } = catalog.synonyms;
  const { price } = catalog.words.requests;
  const sameAs = new Map(Object.entries(questions).map(([said, word]) => [stem(said), stem(word)]));
  const saysNothing = new Set(fillers.questions.map(stem));
  const termOf = (word: string) => sameAs.get(stem(word)) ?? stem(word);
  const termsOf = (text: string) => [...new Set(termsSaid(text).map(termOf))];
  const published = faqOf(catalog).map((entry, at) => ({
    entry,
    ways: [entry.question, ...(catalog.questions[at]?.also ?? [])],
  }));
  const tellingOf = (text: string) => termsOf(text).filter((term) => !saysNothing.has(term));
  const asked = published.map(({ entry }) => tellingOf(entry.question));
  // What is published since is answered: by a question that has the words, and not many more.
  const isAnswered = (way: string) => {
    const own = tellingOf(way);
    return asked.some((terms) => own.length * 2 >= terms.length && own.every((term) => terms.includes(term)));
  };
  const silent = Object.values(unanswered).map((ways) => ({
    entry: undefined,
    ways: ways.map((way) => way.replaceAll("_", " ")).filter((way) => !isAnswered(way)),
  }));
  const subjects = [...published, ...silent].map((one) => ({
    ...one,
    hasPrice: !one.entry || one.ways.some((way) => price.test(way)),
  }));
  const having = new Map<string, number>();
  for (const { entry, ways } of subjects) {
    const asked = new Set(ways.flatMap(termsOf));
    const terms = new Set([...asked, ...termsOf(entry?.answer ?? "")]);
    for (const term of terms) having.set(term, (having.get(term) ?? 0) + (asked.has(term) ? 1 : IN_ANSWER));
  }
  const cars = new Set(catalog.models.all.flatMap(({ name }) => termsSaid(name).map(stem)));
  const isTelling = (term: string) =>
    term.length > 1 && !saysNothing.has(term) && (having.has(term) || !cars.has(term));
  /** The fewer subjects have a word, the more it says. */
  function weightOf(term: string): number {
    if (!isTelling(term)) return WEIGHT.filler;
    const count = having.get(term);
    return count === undefined ? WEIGHT.unknown : Math.log(1 + subjects.length / Math.max(1, count));
  }
  /** Only a word that nothing has is taken for a slip. */
  const isSlip = (term: string) => term.length >= 5 && !having.has(term);
  const index = new MiniSearch<Way & { id: number; text: string }>({
    fields: ["text"],
    storeFields: ["at", "isAnswer", "own", "weight", "telling"],
    tokenize: termsSaid,
    processTerm: termOf,
    searchOptions: { prefix: isSlip, fuzzy: (term) => isSlip(term) && 1 },
  });
  const texts = subjects.flatMap(({ entry, ways }, at) =>
    [...ways, entry?.answer ?? ""].map((text, i) => ({ at, text, isAnswer: i === ways.length })),
  );
  const weigh = (terms: readonly string[]) => terms.reduce((sum, term) => sum + weightOf(term), 0);
  index.addAll(
    texts.map((one, id) => {
      const own = termsOf(one.text);
      return { ...one, id, own, weight: weigh(own), telling: own.filter(isTelling) };
    }),
  );

  return { index, subjects, weightOf, weigh, termsOf, isTelling };
});

/**
 * The questions that the beginning of a text asks, the nearest first; none where the shop has no answer to it.
 * `isUnanswered`: it asks first of all for what the shop says nothing about.
 */
export function searchFaq(query: string, catalog: Shop, now: Temporal.Instant, category?: string) {
  const near = subjectsNear(query, catalog);
  const silent = near.indexOf(undefined);
  const found = near
    .slice(0, silent === -1 ? undefined : silent)
    .flatMap((entry) => (entry && (category === undefined || entry.category === category) ? entry : []))
    .map((entry) => ({ ...entry, answer: openNow(entry.question, catalog, now) + entry.answer }));
  return { found, isUnanswered: silent === 0 };
}

/** The questions near to a text, the nearest first; undefined for a subject without an answer. */
function subjectsNear(query: string, catalog: Shop) {
  const { index, subjects, weightOf, weigh, termsOf, isTelling } = indexOf(catalog);
  const text = query.slice(0, LIMITS.search);
  const asked = termsOf(text);
  const telling = asked.filter(isTelling);
  const most = weigh(asked);
  const asksPrice = catalog.words.requests.price.test(text);
  const found = Map.groupBy(index.search(text) as (SearchResult & Way)[], ({ at }) => at);

  function nearness(at: number): number {
    const hits = found.get(at) ?? [];
    const ways = hits.filter(({ isAnswer }) => !isAnswer);
    const asks = new Set(ways.flatMap(({ queryTerms }) => queryTerms));
    const says = new Set(hits.flatMap(({ queryTerms }) => queryTerms));
    const covered = telling.map((term) => weightOf(term) * (asks.has(term) ? 1 : says.has(term) ? IN_ANSWER : 0));
    let alike = 0;
    let whole = 0;
    for (const { own, weight, telling, terms } of ways) {
      alike = Math.max(alike, (2 * weigh(own.filter((term) => terms.includes(term)))) / (weight + most));
      // One word is said by chance: its way to ask must be there with its small words.
      const isWhole = (telling.length > 1 ? telling : own).every((term) => terms.includes(term));
      if (isWhole) whole = Math.max(whole, weigh(telling));
    }
    const part = telling.length > 0 ? covered.reduce((sum, one) => sum + one, 0) / weigh(telling) : alike;
    const near = PARTS.covered * part + PARTS.alike * alike + (PARTS.whole * whole) / (whole + HALF_WEIGHT);
    return asksPrice && !subjects[at]?.hasPrice ? near * BESIDE_PRICE : near;
  }

  return [...found.keys()]
    .map((at) => ({ entry: subjects[at]?.entry, near: nearness(at) }))
    .filter((one) => one.near >= NEAR)
    .toSorted((a, b) => b.near - a.near)
    .map(({ entry }) => entry);
}
