/** Ranks short texts by the words of a question. For some dozens of texts, where a search engine would not pay. */

/** A text with the words that say what it is about. */
export interface Ranked {
  title: string;
  body: string;
  /** Other ways to ask for it. One counts when all its words are in the query. */
  phrases: readonly string[];
}

/** A word in the title says more about a text than one in the body. */
const TITLE_WEIGHT = 3;
/** A phrase is what the owner says people ask for, so it outweighs single words. */
const PHRASE_WEIGHT = 20;
/** A word in a larger part of the texts, such as `film`, counts only in a query that has no other words. */
const MOST_COMMON = 0.25;
/** A text must have more than this part of what the query asks for. With less it has to do with something else. */
const TOO_LITTLE = 0.5;
/** Words that say nothing about the subject of a question. */
const FILLERS = new Set(
  "about all am an and any are at be been but by can could did do does for from get had has have how if in into is it its me my need not of on or our should so some than that the their them then there these they this to us was we were what when where which who why will with would you your".split(
    " ",
  ),
);
/** A word that is only like the one searched for, as removal is like remove. */
const LIKENESS = 0.5;
/** Letters that both words begin with: at least so many, and this part of the shorter word. */
const SHORTEST_STEM = 4;
const STEM = 0.7;

/**
 * @returns the texts with a word of the query, the best first; a rare word counts more than a common one
 */
export function rank<Text extends Ranked>(texts: readonly Text[], query: string): Text[] {
  const index = texts.map((text) => ({ text, title: wordsOf(text.title), body: wordsOf(text.body) }));
  const asked = allWords(query);
  const wanted = wordsOf(query);
  const words = [...wanted].map((word) => {
    const hits = index.map(({ title, body }) => TITLE_WEIGHT * likeness(word, title) + likeness(word, body));
    const found = hits.filter((hit) => hit > 0).length;
    const rarity = Math.log(1 + texts.length / Math.max(1, found));
    return { hits, rarity, common: found > texts.length * MOST_COMMON };
  });
  const telling = words.filter(({ common }) => !common);
  const counted = telling.length > 0 ? telling : words;
  const most = counted.reduce((sum, { rarity }) => sum + rarity, 0);
  const scores = index.map(({ text }, i) => {
    const found = counted.reduce((sum, { hits, rarity }) => sum + Math.min(1, hits[i] ?? 0) * rarity, 0);
    const score = counted.reduce((sum, { hits, rarity }) => sum + (hits[i] ?? 0) * rarity, 0);
    const phrases = text.phrases.filter((phrase) => isIn(allWords(phrase), asked)).length;
    return (found > most * TOO_LITTLE || counted.length === 1 ? score : 0) + PHRASE_WEIGHT * phrases;
  });
  return index
    .map(({ text }, i) => ({ text, score: scores[i] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ text }) => text);
}

function isIn(phrase: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return phrase.size > 0 && [...phrase].every((word) => likeness(word, wanted) > 0);
}

function wordsOf(text: string): Set<string> {
  return allWords(text).difference(FILLERS);
}

function allWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []);
}

/** 1 for the word itself, less for one with the same beginning, 0 for none. */
function likeness(word: string, words: ReadonlySet<string>): number {
  if (words.has(word)) return 1;
  for (const other of words) {
    const shorter = Math.min(word.length, other.length);
    const stem = Math.max(SHORTEST_STEM, Math.floor(shorter * STEM));
    if (shorter >= stem && word.slice(0, stem) === other.slice(0, stem)) return LIKENESS;
  }
  return 0;
}
