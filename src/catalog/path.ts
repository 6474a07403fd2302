/** Paths in the catalog, and the faults and values at them. */

/** Keys from the top of the catalog down; entries of lists by index, from 0. */
export type Path = (string | number)[];

/** A mistake in the catalog; the owner sees it at its line. */
export interface Fault {
  path: Path;
  /** Completes a sentence that begins with the path: "must be a number". */
  message: string;
  /** Set when the key is wrong rather than the value. */
  at?: "key";
}

/** A single value as YAML holds it: money in dollars. */
export type ScalarValue = string | number | boolean | null;

/** Whether a dotted path is the other one, or lies inside it. */
export function isWithin(path: string, place: string): boolean {
  return `${path}.`.startsWith(`${place}.`);
}
