/** The search in the questions and answers: MiniSearch finds texts, and a question must have most of what was asked for. */
import MiniSearch, { type SearchResult } from "minisearch";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { LIMITS } from "../schema/fields.ts";
import { faqOf, openNow } from "./faq.ts";

/** Words that do not say what a question is about: they only decide between two ways to ask the same. */
const FILLERS = new Set(
  `a able about actually advance afternoon again ago all allowed also always am an and any anybody anyone anything april are around as ask
  at august away be because been being best both but by can could couldn day december did didn do does doesn doing don done each either else
  ever everything exact extra far february few fine for forecast from get give go goes going gonna good got great guys had happen has have
  haven having he hello help her here hey hi him his how however i if im in instead into is isn issue it its ive january july june just kind
  know later let like little ll long look lot make many march matter may maybe me might mine minute month more morning most much must my
  myself need never next nice no noon normally not november now october of offer often ok okay on once one only or other our out over people
  per please pm possible pretty probably problem question quick quite re really require right safe said say see seem september shall she
  should since so some somebody someone something soon sort start still stuff such supposed sure take taken taking tell terrible than thank
  that the their them then there these they thing think this those though through time to today too totally tried trouble try trying turn
  under until up us use used using usual ve very via want was way we week weird well went were what whatever when where whether which while
  who whole whom why will with within without won wonder wondering work would wouldn ya yes yet you your yourself`
    .split(/\s+/)
    .map(stem),
);

/** A word without its endings: `cancelled`, `cancellation` and `canceling` are `cancel`. */
function stem(word: string): string {
  const plain = word.toLowerCase().replaceAll(/['’].*/g, "");
  const singular = /[^su]s$/.test(plain) && plain.length > 3 ? plain.slice(0, -1) : plain;
  const cut = singular.replace(/(?:ations?|ings?|ers?|est|ed|al|ie|ly|e|y)$/, "");
  return (cut.length >= 4 ? cut : singular).replace(/([^aeiou])\1$/, "$1");
}

const questionWords = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
const telling = (terms: readonly string[]): string[] => terms.filter((term) => !FILLERS.has(term));

/** What is done, of a question whether somebody does it: a text without it is about something else. */
const VERB = /\b(?:do|does|can|could|will|would) (?:you|i|we|they) (?:guys |all |also |still )?(\p{L}+)/iu;

/** What a word says that was found in one of the owner's ways to ask, in the question, and in the answer. */
const SAYS = { also: 1, question: 0.8, answer: 0.4 };
type Kind = keyof typeof SAYS;
/** Found in another text about the same question. */
const SCATTERED = 0.7;
/** More than this part of a way to ask must be asked for: one word of two is chance. */
const PART = 0.6;
/** What a question must have of what is asked for: more of few words, or so much of many; of less than little, all. */
const ENOUGH = { ofFew: 0.68, ofMany: 0.58, many: 5, little: 2 };

const indexOf = perCatalog((catalog) => {
  const sameAs = new Map(Object.entries(catalog.synonyms.questions).map(([said, word]) => [stem(said), stem(word)]));
  const termOf = (word: string) => sameAs.get(stem(word)) ?? stem(word);
  const termsOf = (text: string) => [...new Set(questionWords(text).map(termOf))];
  const shown = faqOf(catalog).map((entry, at) => {
    const also = catalog.questions[at]?.also ?? [];
    const speaksOfPrices = catalog.words.requests.price.test([entry.question, entry.answer, ...also].join(" "));
    return { entry, also, speaksOfPrices };
  });
  const havingTerm = new Map<string, Set<number>>();
  const index = new MiniSearch<{ id: number; at: number; kind: Kind; text: string }>({
    fields: ["text"],
    storeFields: ["at", "kind", "text"],
    tokenize: questionWords,
    processTerm: termOf,
    searchOptions: {
      prefix: (term) => term.length >= 5,
      // Only a word that nothing has is taken for a slip.
      fuzzy: (term) => !havingTerm.has(term) && term.length >= 6 && 1,
      boostDocument: (_id, _term, stored) => SAYS[stored?.kind as Kind],
    },
  });
  const texts = shown.flatMap(({ entry: { question, answer }, also }, at) => [
    { at, kind: "question" as const, text: question },
    { at, kind: "answer" as const, text: answer },
    ...also.map((text) => ({ at, kind: "also" as const, text })),
  ]);
  for (const { at, text } of texts)
    for (const term of termsOf(text)) havingTerm.set(term, (havingTerm.get(term) ?? new Set()).add(at));
  index.addAll(texts.map((one, id) => ({ ...one, id })));
  /** The fewer questions have a word, the more it says; most says one that none has. */
  const weightOf = (term: string, having = havingTerm.get(term)?.size ?? 0) =>
    Math.log(1 + shown.length / Math.max(0.5, having));
  return { index, shown, weightOf, termOf, termsOf };
});

/** The questions that have to do with the beginning of a text, the best first; none where no question does. */
export function searchFaq(query: string, catalog: Shop, now: Temporal.Instant, category?: string) {
  const { index, shown, weightOf, termOf, termsOf } = indexOf(catalog);
  const text = query.slice(0, LIMITS.search);
  const found = [...Map.groupBy(index.search(text), ({ at }) => Number(at))];
  const words = termsOf(text);
  const verb = termOf(VERB.exec(text)?.[1] ?? "");
  const asked = telling(words).map((term) => {
    const having = found.filter(([, hits]) => hits.some(({ queryTerms }) => queryTerms.includes(term)));
    return { term, weight: weightOf(term, having.length) };
  });
  const most = sum(asked, ({ weight }) => weight);
  const asksPrice = catalog.words.requests.price.test(text);

  /** What a text says of the words that were asked for, by word. */
  function saidBy({ kind, text, terms, queryTerms }: SearchResult): Map<string, number> {
    const own = telling(termsOf(text));
    const met = own.filter((one) => terms.includes(one));
    const isWay = kind === "also" || (kind === "question" && asked.length === 1 && words.length > 1);
    const isChance = isWay && sum(met, (one) => weightOf(one)) <= PART * sum(own, (one) => weightOf(one));
    const says = SAYS[isChance ? "answer" : (kind as Kind)];
    return new Map(queryTerms.map((term) => [term, says]));
  }

  /** How much of what was asked for a question has. */
  function metBy(hits: readonly SearchResult[]): number {
    if (most < ENOUGH.little && words.length > asked.length)
      return Number(hits.some(({ kind, text }) => kind !== "answer" && isAskedIn(termsOf(text), words)));
    const texts = hits.map(saidBy);
    const others = new Map(words.map((term) => [term, Math.max(...texts.map((said) => said.get(term) ?? 0))]));
    const parts = texts.map((said) => {
      const missed =
        (said.get(verb) ?? 0) > SAYS.answer ? 0 : sum(asked, ({ term, weight }) => +(term === verb) * weight);
      const met = sum(asked, ({ term, weight }) => {
        const here = said.get(term) ?? 0;
        return weight * (term === verb ? here : here + ((others.get(term) ?? 0) - here) * SCATTERED);
      });
      return met / (most + missed);
    });
    return Math.max(...parts);
  }

  return found
    .map(([at, hits]) => ({ ...shown[at], met: metBy(hits), score: Math.max(...hits.map(({ score }) => score)) }))
    .filter(({ met }) => met >= ENOUGH.ofFew || (met >= ENOUGH.ofMany && met * most >= ENOUGH.many))
    .toSorted((a, b) => b.met ** 6 * b.score - a.met ** 6 * a.score)
    .flatMap(({ entry, speaksOfPrices }) => (entry && (speaksOfPrices || !asksPrice) ? entry : []))
    .filter((entry) => category === undefined || entry.category === category)
    .map((entry) => ({ ...entry, answer: openNow(entry.question, catalog, now) + entry.answer }));
}

/** Whether a way to ask is in what was asked, word by word. */
const isAskedIn = (way: readonly string[], asked: readonly string[]) =>
  ` ${asked.join(" ")} `.includes(` ${way.join(" ")} `);

const sum = <One>(all: readonly One[], value: (one: One) => number) =>
  all.reduce((total, one) => total + value(one), 0);
