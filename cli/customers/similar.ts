/** Customers whose name, e-mail or vehicle is nearly what was typed: a letter wrong, an apostrophe left out. */
import { distance } from "fastest-levenshtein";
import type { Customer, Store } from "../../src/store/store.ts";

/** A short word with a wrong letter may mean anything. */
const LEAST_LETTERS = 4;
/** From this length on two letters may be wrong, as when two were swapped. */
const LONG = 6;
/** The most customers looked at for each piece of a word. */
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
  // A word is cut into one more piece than it may have mistakes, so one piece is right.
  const found = await Promise.all(piecesOf(plain(longest)).map((piece) => store.findCustomers([piece], LOOKED_AT)));
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

/** In small letters, without accents and signs. */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
