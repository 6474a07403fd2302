/**
 * The search in the questions and answers. Which words speak for which question is learned from the ways to ask of each
 * (`faq[].also`) and of what is not answered (`synonyms.unanswered`): what a text asks for clearly is found, or nothing is.
 */
import MiniSearch from "minisearch";
import { stemmer } from "stemmer";
import { stateElsewhere } from "../catalog/laws.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { LIMITS } from "../schema/fields.ts";
import { faqOf, openNow } from "./faq.ts";

/** The least lead over the next question with which the nearest is found, and the least nearness with which it is sure. */
const CLEAR = 0.15;
const SURE = 0.6;
/** Questions that are at most so many times less near follow the nearest. */
const FOLLOWS = 50;
/** The weights of a word, a pair of words, a filler word (`synonyms.fillers.questions`), and of the bias. */
const SAYS = { word: 1, pair: 0.5, little: 0.4, nothing: 0.2 };
/** Weights of a question without other ways to ask and of an answer; the first step, its decay, the least change, the passes. */
const LEARNING = { question: 20, answer: 0.3, step: 3, slower: 0.8, least: 0.02, rounds: 5 };
/** Ways to ask are learned in an order that mixes the questions: so many places on each time. */
const STRIDE = 7919;

const stem = (word: string) => stemmer(word.toLowerCase().replace(/['’].*/, ""));
const stemsOf = (text: string) => (text.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []).map(stem);

/** Words that ask for the question at a place of the list; at the place after the last, for what is unanswered. */
type Way = Readonly<{ at: number; terms: readonly string[]; counts: number }>;
/** How much words and pairs of them say. */
type Marks = ReadonlyMap<string, number>;

const searchOf = perCatalog((catalog) => {
  const { questions, unanswered, fillers } = catalog.synonyms;
  const sameAs = new Map(Object.entries(questions).map(([said, word]) => [stem(said), stem(word)]));
  const saysLittle = new Set(fillers.questions.map(stem));
  const termsOf = (text: string) => stemsOf(text).map((term) => sameAs.get(term) ?? term);
  const isTelling = (term: string) => term.length > 1 && !saysLittle.has(term);
  const tellingOf = (terms: readonly string[]) => [...new Set(terms.filter(isTelling))];
  const published = faqOf(catalog);
  const ways: Way[] = published.flatMap(({ question, answer }, at) => {
    const texts = [question, ...(catalog.questions[at]?.also ?? [])];
    const counts = Math.max(1, LEARNING.question / texts.length);
    const own = texts.map((text) => ({ at, terms: termsOf(text), counts }));
    return [...own, { at, terms: termsOf(answer), counts: LEARNING.answer }];
  });
  // What is published since is answered: by the same words, or by a question that has them and not many more.
  const asked = new Map(ways.toReversed().map(({ at, terms }) => [terms.join(" "), at]));
  const titles = published.map(({ question }) => termsOf(question));
  const isAnswered = (terms: readonly string[]) =>
    asked.has(terms.join(" ")) ||
    titles
      .filter((title) => terms.every((term) => title.includes(term)))
      .some((title) => tellingOf(terms).length * 2 >= tellingOf(title).length);
  for (const way of Object.values(unanswered).flat()) {
    const terms = termsOf(way.replaceAll("_", " "));
    if (isAnswered(terms)) continue;
    ways.push({ at: published.length, terms, counts: 1 });
    asked.set(terms.join(" "), published.length);
  }
  const said = [...published, undefined].map(() => new Set<string>());
  for (const { at, terms } of ways) for (const term of terms) said[at]?.add(term);
  const known = new Set(said.flatMap((terms) => [...terms]));
  const words = new MiniSearch<{ id: string }>({ fields: ["id"], tokenize: (term) => [term], processTerm: String });
  words.addAll([...known].filter(isTelling).map((id) => ({ id })));
  const types = new Map(
    catalog.models.all.flatMap(({ name, vehicleType }) => termsOf(name).map((term) => [term, stem(vehicleType)])),
  );
  const slip = (term: string) => words.search(term.length < 5 ? "" : term, { prefix: true, fuzzy: 1 })[0]?.id;
  /** An unknown word is read as the type of the car that it names, or as a slip of a known word. */
  const meant = (term: string) => (known.has(term) ? term : (types.get(term) ?? slip(term) ?? term));

  function marksOf(terms: readonly string[]): Marks {
    const marks = new Map<string, number>();
    terms.forEach((term, i) => {
      const next = terms[i + 1];
      marks.set(term, isTelling(term) ? SAYS.word : SAYS.little);
      if (next) marks.set(`${term} ${next}`, isTelling(term) || isTelling(next) ? SAYS.pair : SAYS.little);
    });
    const length = Math.hypot(...marks.values());
    for (const [mark, says] of marks) marks.set(mark, says / length);
    return marks.set("", SAYS.nothing);
  }
  const oddsOf = learn(
    ways.map((way) => ({ ...way, marks: marksOf(way.terms) })),
    said.length,
  );

  /** The questions, the nearest first, and among them undefined for what is unanswered: how likely, and with how many words. */
  return (text: string) => {
    const terms = termsOf(text).map(meant);
    const telling = tellingOf(terms);
    const odds = oddsOf(marksOf(terms));
    return said
      .map((has, at) => {
        const part = telling.filter((term) => has.has(term)).length / telling.length;
        const silent = at === published.length;
        const near = (odds[at] ?? 0) * (telling.length === 0 ? (silent ? SURE : 1) : silent ? 1 : part);
        return { entry: published[at], near: asked.get(terms.join(" ")) === at ? 1 + near : near };
      })
      .toSorted((a, b) => b.near - a.near);
  };
});

/** Logistic regression: how likely marks speak for each place, learned from ways to ask whose place is known. */
function learn(ways: readonly { at: number; counts: number; marks: Marks }[], places: number) {
  const rows = new Map<string, number>();
  for (const mark of ways.flatMap(({ marks }) => [...marks.keys()]))
    rows.set(mark, rows.get(mark) ?? (rows.size + 1) * places);
  /** By mark, and first for those that no way has. */
  const speaks = new Float32Array((rows.size + 1) * places);
  const known = (marks: Marks) => [...marks].map(([mark, says]) => ({ row: rows.get(mark) ?? 0, says }));
  const odds = new Float32Array(places);
  function oddsOf(marks: ReturnType<typeof known>): Float32Array {
    odds.fill(0);
    for (const { row, says } of marks)
      for (let at = 0; at < places; at++) odds[at] = (odds[at] ?? 0) + (speaks[row + at] ?? 0) * says;
    const all = odds.reduce((sum, one) => sum + Math.exp(one), 0);
    for (let at = 0; at < places; at++) odds[at] = Math.exp(odds[at] ?? 0) / all;
    return odds;
  }
  const learned = ways.map((way) => ({ ...way, marks: known(way.marks) }));
  for (let i = 0; i < ways.length * LEARNING.rounds; i++) {
    const way = learned[(i * STRIDE) % ways.length];
    if (!way) break;
    const step = (LEARNING.step * way.counts) / (1 + Math.floor(i / ways.length) * LEARNING.slower);
    oddsOf(way.marks).forEach((one, at) => {
      const change = step * (at === way.at ? 1 - one : -one);
      if (Math.abs(change) < LEARNING.least) return;
      for (const { row, says } of way.marks) speaks[row + at] = (speaks[row + at] ?? 0) + change * says;
    });
  }
  return (marks: Marks) => oddsOf(known(marks));
}

/**
 * The questions that the beginning of a text asks, the nearest first; none where the shop has no answer to it.
 * `isSure`: nothing else is asked; with nothing found, for what the shop says nothing about.
 */
export function searchFaq(query: string, catalog: Shop, now: Temporal.Instant, category?: string) {
  const near = searchOf(catalog)(query.slice(0, LIMITS.search));
  const [best, next] = near;
  // One word alone is searched for, rather than asked.
  const clear = stemsOf(query).length === 1 ? 0 : CLEAR;
  if (!best || best.near - (next?.near ?? 0) < clear) return { found: [], isSure: false };
  const { home, jurisdictions } = catalog.tint_law;
  // The law of the shop's state is no answer for another one.
  const isHome = best.entry?.question.includes(jurisdictions[home]?.name ?? home);
  if (isHome && stateElsewhere(query, catalog) !== undefined) return { found: [], isSure: false };
  const found = near
    .flatMap((one) => (best.entry && one.entry && one.near * FOLLOWS >= best.near ? one.entry : []))
    .filter((entry) => category === undefined || entry.category === category)
    .map((entry) => ({ ...entry, answer: openNow(entry.question, catalog, now) + entry.answer }));
  return { found, isSure: best.near > SURE };
}
