/** Customers whose name, e-mail or vehicle is nearly what was typed: a letter wrong, two swapped, an apostrophe left out. */
import type { Customer, Store } from "../../src/store/store.ts";
import { distance, mistakesIn, plain } from "../typed/likeness.ts";

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
  if (mistakesIn(plain(longest)) === 0) return [];
  // A word is cut into one more piece than it may have mistakes, so one piece is right; but two swapped letters may spoil two.
  const spellings = [...piecesOf(plain(longest)), ...swapsOf(plain(longest))];
  const found = await Promise.all(spellings.map((one) => store.findCustomers([one], LOOKED_AT)));
  const customers = await Promise.all([...new Set(found.flat())].map((id) => store.customer(id)));
  const near = customers.flatMap((customer) => {
    const wrong = customer ? slipsOfWords(words, textsOf(customer)) : null;
    return customer && wrong !== null ? [{ customer, wrong }] : [];
  });
  const least = Math.min(...near.map(({ wrong }) => wrong));
  return near
    .filter(({ wrong }) => wrong === least)
    .slice(0, limit)
    .map(({ customer }) => customer);
}

/** How many letters are wrong; null when a word is too far from every word of the texts. */
function slipsOfWords(words: readonly string[], texts: readonly string[]): number | null {
  const all = texts.flatMap((text) => text.split(/[\s@.,()]+/)).map(plain);
  let sum = 0;
  for (const word of words.map(plain)) {
    const least = Math.min(...all.map((one) => distance(word, one)));
    if (least > mistakesIn(word)) return null;
    sum += least;
  }
  return sum;
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
