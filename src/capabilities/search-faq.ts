/** The search in the questions and answers: MiniSearch ranks, and what it finds must have most of what was asked for. */
import MiniSearch, { type SearchResult } from "minisearch";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { LIMITS } from "../schema/fields.ts";
import { faqOf, openNow } from "./faq.ts";

const SUFFIX = /(?:ations?|ings?|ers?|est|ed|al|ie|ly|e|y)$/;
const SHORTEST_STEM = 4;

/** Words that do not say what a question is about: they only decide between two ways to ask the same. */
const FILLERS = new Set(
  `a able about actually after all allowed also always am an and any anybody anyone anything are around as ask at away be because been
  before being best both but by can come could couldn did didn do does doesn doing don done each either else ever every everything far few fine
  for from get gets getting give go goes going gonna good got great guys had happen happens has have haven having he hello help her here hey hi
  him his how however i if im in instead into is isn it its ive just kind know let lets like little ll long look looking looks lot make makes
  many may maybe me might mine more most much must my myself need needs never new next nice no normally not now of off offer offers often ok okay
  on once one ones only or other our out over own people per please possible pretty probably put puts quick quickly quite re really require
  required requires right said say says see seem seems shall she should since so some somebody someone something soon sort
  start started starting starts still stuff such supposed sure take takes taken taking tell than thank thanks that the their them then there
  these they thing things think this those though through time to today too totally tried try trying turn under until up us use used using usual
  usually ve very via want wanted wants was way we well went were what whatever whats when where whether which while who whole whom why will
  with within without won january february march april june july august september october november december
  am pm noon morning afternoon week month minute safe wonder wondering work working works would wouldn ya yes yet you your yours yourself`
    .split(/\s+/)
    .map(stem),
);

/** A word without its endings: `cancelled`, `cancellation` and `canceling` are `cancel`. */
function stem(word: string): string {
  const plain = word.toLowerCase().replaceAll(/['’].*/g, "");
  const singular = /[^su]s$/.test(plain) && plain.length > 3 ? plain.slice(0, -1) : plain;
  const cut = singular.replace(SUFFIX, "");
  return (cut.length >= SHORTEST_STEM ? cut : singular).replace(/([^aeiou])\1$/, "$1");
}

const questionWords = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];

/** The shortest words of which a beginning is looked for, and a slip of the keys. */
const SHORTEST = { beginning: 5, mistyped: 6 };

interface Entry {
  id: number;
  /** Of the questions that are shown. */
  at: number;
  kind: keyof typeof SAYS;
  text: string;
}

/** What a word says that was found in one of the owner's ways to ask, in the question, and elsewhere. */
const SAYS = { also: 1, question: 0.75, answer: 0.4 };
/** Against a word that counts. */
const FILLER = 0.1;
/** More than this part of a way to ask must be asked for: one word of two is chance. */
const PART = 0.5;

const indexOf = perCatalog((catalog) => {
  const shown = faqOf(catalog);
  const vocabulary = new Set<string>();
  const index = new MiniSearch<Entry>({
    fields: ["text"],
    storeFields: ["at", "kind", "text"],
    tokenize: questionWords,
    processTerm: (word) => {
      const term = stem(word);
      vocabulary.add(term);
      return term;
    },
    searchOptions: {
      processTerm: stem,
      prefix: (term) => term.length >= SHORTEST.beginning,
      boostTerm: (term) => (FILLERS.has(term) ? FILLER : 1),
      // Only a word that nothing has is taken for a slip.
      fuzzy: (term) => !vocabulary.has(term) && term.length >= SHORTEST.mistyped && 1,
      boostDocument: (_id, _term, stored) => SAYS[stored?.kind as Entry["kind"]],
    },
  });
  const texts = shown.flatMap(({ question, answer }, at) => [
    { at, kind: "question" as const, text: question },
    { at, kind: "answer" as const, text: answer },
    ...(catalog.questions[at]?.also ?? []).map((text) => ({ at, kind: "also" as const, text })),
  ]);
  index.addAll(texts.map((one, id) => ({ ...one, id })));
  const cars = [...catalog.words.meanings.vehicle_types.keys(), ...catalog.models.all.map(({ name }) => name)];
  return { index, shown, cars: new Set(cars.flatMap(searchTerms)) };
});

/** Which car it is decides few answers: `pickup`, `Civic`. */
const CAR = 0.25;

/** What a question must have of what is asked for; with less it is about something else. */
const ENOUGH = 0.65;
/** The same where one of the owner's ways to ask is in the query as a whole. */
const ENOUGH_WITH_WHOLE = 0.55;

/**
 * The questions that have to do with the words, the best first; none where no question does.
 * @param query its beginning counts
 * @param now of which an answer about opening hours tells
 * @param category all without one
 */
export function searchFaq(query: string, catalog: Shop, now: Temporal.Instant, category?: string) {
  const { index, shown, cars } = indexOf(catalog);
  const text = query.slice(0, LIMITS.search);
  const found = Map.groupBy(index.search(text), ({ at }) => Number(at));
  const words = searchTerms(text);
  const asked = telling(words).map((term) => {
    const having = [...found.values()].filter((hits) => hits.some(({ queryTerms }) => queryTerms.includes(term)));
    const rarity = Math.log(1 + shown.length / Math.max(0.5, having.length));
    return { term, rarity: cars.has(term) ? rarity * CAR : rarity };
  });
  const most = asked.reduce((sum, { rarity }) => sum + rarity, 0);
  return [...found]
    .map(([at, hits]) => {
      const said = asked.reduce((sum, { term, rarity }) => sum + rarity * saidOf(term, hits), 0);
      const isWhole = hits.some(({ kind, text }) => kind === "also" && hasWhole(words, searchTerms(text)));
      const met = most === 0 ? Number(isWhole) : said / most;
      const isEnough = met >= (isWhole ? ENOUGH_WITH_WHOLE : ENOUGH);
      return { entry: shown[at], score: isEnough ? met ** 3 * Math.max(...hits.map(({ score }) => score)) : 0 };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ entry }) => entry ?? [])
    .filter((entry) => category === undefined || entry.category === category)
    .map((entry) => ({ ...entry, answer: openNow(entry.question, catalog, now) + entry.answer }));
}

/** What the best of the texts about one question says of a word. */
function saidOf(term: string, hits: readonly SearchResult[]): number {
  const says = hits.map(({ kind, text, terms, queryTerms }) => {
    if (!queryTerms.includes(term)) return 0;
    const isChance = kind === "also" && telling(terms).length <= telling(searchTerms(text)).length * PART;
    return isChance ? SAYS.answer : SAYS[kind as Entry["kind"]];
  });
  return Math.max(0, ...says);
}

/** Whether a way to ask is in what was asked, word by word, but for words that do not count. */
function hasWhole(asked: readonly string[], way: readonly string[]): boolean {
  const [whole, part] = telling(way).length > 0 ? [telling(asked), telling(way)] : [asked, way];
  return part.length > 1 && ` ${whole.join(" ")} `.includes(` ${part.join(" ")} `);
}

const searchTerms = (text: string): string[] => [...new Set(questionWords(text).map(stem))];
const telling = (terms: readonly string[]): string[] => terms.filter((term) => !FILLERS.has(term));
