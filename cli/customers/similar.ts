/** Customers whose name, e-mail or vehicle is nearly what was typed: a letter wrong, two swapped, an apostrophe left out. */
import type { Customer, Store } from "../../src/store/store.ts";

/** A short word with a wrong letter may mean anything. */
const LEAST_LETTERS = 4;
/** From this length on there may be two mistakes. */
const LONG = 6;
/** The most customers looked at for each piece of a word, or spelling of it. */
const LOOKED_AT = 200;

/** @param textsOf what is searched of a customer @returns those with the fewest letters wrong */
export async function similarCustomers(
  store: Store,
  typed: string,
  textsOf: (customer: Customer) => readonly string[],
  limit: number,
): Promise<Customer[]> {
  const words = typed.trim().split(/\s+/);
  const [longest = ""] = words.toSorted((a, b) => b.length - a.length);
  if (plain(longest).length < LEAST_LETTERS) return [];
  // A word is cut into one more piece than it may have mistakes, so one piece is right; but two swapped letters may spoil two.
  const spellings = [...piecesOf(plain(longest)), ...swapsOf(plain(longest))];
  const found = await Promise.all(spellings.map((one) => store.findCustomers([one], LOOKED_AT)));
  const customers = await Promise.all([...new Set(found.flat())].map((id) => store.customer(id)));
  const near = customers.flatMap((customer) => {
    const wrong = customer ? lettersWrong(words, textsOf(customer)) : null;
    return customer && wrong !== null ? [{ customer, wrong }] : [];
  });
  const least = Math.min(...near.map(({ wrong }) => wrong));
  return near
    .filter(({ wrong }) => wrong === least)
    .slice(0, limit)
    .map(({ customer }) => customer);
}

/** How many letters are wrong; null when a word is too far from every word of the texts. */
function lettersWrong(words: readonly string[], texts: readonly string[]): number | null {
  const all = texts.flatMap((text) => text.split(/[\s@.,()]+/)).map(plain);
  let sum = 0;
  for (const word of words.map(plain)) {
    const least = Math.min(...all.map((one) => distance(word, one)));
    if (least > mistakesIn(word)) return null;
    sum += least;
  }
  return sum;
}

function mistakesIn(word: string): number {
  if (word.length < LEAST_LETTERS) return 0;
  return word.length < LONG ? 1 : 2;
}

function piecesOf(word: string): string[] {
  const count = mistakesIn(word) + 1;
  const at = (i: number) => Math.round((word.length * i) / count);
  return Array.from({ length: count }, (_, i) => word.slice(at(i), at(i + 1)));
}

/** The word with two neighbouring letters swapped, in every place. */
function swapsOf(word: string): string[] {
  const swapped = (i: number) => word.slice(0, i) + word.slice(i + 1, i + 2) + word.slice(i, i + 1) + word.slice(i + 2);
  return Array.from({ length: word.length - 1 }, (_, i) => swapped(i));
}

/** Mistakes between two words: a letter wrong, missing or too many, or two neighbours swapped. Source: the optimal string alignment distance. */
function distance(a: string, b: string): number {
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
function plain(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
