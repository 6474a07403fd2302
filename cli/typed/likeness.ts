/** How alike two words are, for what was typed with a mistake. */

import { folded } from "../../src/lib/text.ts";

/** A short word with a wrong letter may mean anything. */
const LEAST_LETTERS = 4;
/** From this length on there may be two mistakes. */
const LONG = 6;

/** How many letters of a word may be wrong. */
export function mistakesIn(word: string): number {
  if (word.length < LEAST_LETTERS) return 0;
  return word.length < LONG ? 1 : 2;
}

/** Mistakes between two words: a letter wrong, missing or too many, or two neighbours swapped. Source: the optimal string alignment distance. */
export function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}

/** In small letters, without accents and signs. */
export function plain(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, "");
}
