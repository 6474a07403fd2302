/** The form of a rule that spans several keys of the catalog, and helpers that rules share. */
import { didYouMean, oneOf } from "../../schema/explain.ts";
import type { Issue, Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";

/** @param catalog as the owner wrote it: money in dollars */
export type Rule = (catalog: WrittenCatalog) => Issue[];

/** The entries of a list whose key an earlier entry has already, with their index. */
export function repeated<T>(items: readonly T[], keyOf: (item: T) => unknown): { item: T; index: number }[] {
  const keys = items.map(keyOf);
  return items.map((item, index) => ({ item, index })).filter(({ index }) => keys.indexOf(keys[index]) < index);
}

/** The message for an unknown name: the nearest known name, or all of them when there are few. */
export function unknownName(what: string, name: string, known: string[]): string {
  const guess = didYouMean(name, known);
  if (guess) return `must be ${what}, and ${name} is not; did you mean ${guess}?`;
  const hint = known.length > 0 && known.length <= 15 ? `; known are ${oneOf(known)}` : "";
  return `must be ${what}, and ${name} is not${hint}`;
}

export function unknownAt(path: Path, name: string | undefined, what: string, known: string[]): Issue[] {
  if (name === undefined || known.includes(name)) return [];
  return [{ path, message: unknownName(what, name, known) }];
}

/** The issues of words that a group must have as keys. @param why completes "is missing: " for a word */
export function missingKeys(
  path: Path,
  words: readonly string[],
  group: object,
  why: (word: string) => string,
): Issue[] {
  return words
    .filter((word) => !Object.hasOwn(group, word))
    .map((word) => ({ path: [...path, word], message: `is missing: ${why(word)}` }));
}

export function unknownKeys(path: Path, keys: readonly string[], what: string, known: string[]): Issue[] {
  return keys
    .filter((key) => !known.includes(key))
    .map((key) => ({ path: [...path, key], message: unknownName(what, key, known), at: "key" }));
}
