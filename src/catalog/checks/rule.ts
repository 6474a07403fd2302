/** The form of a rule that spans several keys of the catalog, and helpers that rules share. */
import { didYouMean, oneOf } from "../../schema/explain.ts";
import type { Fault } from "../path.ts";
import type { CatalogSource } from "../schema.ts";

/** Whether the schema found no fault at a dotted path, above it or below it. */
export type IsSound = (dotted: string) => boolean;

export interface Rule {
  /** Dotted paths of the groups that the rule reads; it is skipped while one of them is faulty. */
  needs: string[];
  /** @param catalog as the owner wrote it: money in dollars */
  check: (catalog: CatalogSource, isSound: IsSound) => Fault[];
}

/** The entries of a list whose key an earlier entry has already, with their index. */
export function repeated<T>(items: readonly T[], keyOf: (item: T) => unknown): { item: T; index: number }[] {
  const keys = items.map(keyOf);
  return items.map((item, index) => ({ item, index })).filter(({ index }) => keys.indexOf(keys[index]) < index);
}

/** The message for an unknown name: the nearest known name, or all of them when there are few. */
export function unknownName(what: string, name: string, known: string[]): string {
  const guess = didYouMean(name, known);
  if (guess) return `must be ${what}, and ${name} is not; did you mean ${guess}?`;
  const hint = known.length <= 15 ? `; known are ${oneOf(known)}` : "";
  return `must be ${what}, and ${name} is not${hint}`;
}
