/** Where something stands in the catalog, and what is wrong with it there. */

/** Keys from the top of the catalog down; list entries by their number, from 0. */
export type Path = (string | number)[];

/** A mistake in the catalog, to be shown at its line. */
export interface Fault {
  path: Path;
  message: string;
  /** The key itself is at fault, not its value. */
  at?: "key";
}

/** A single value as YAML holds it: money in dollars. */
export type ScalarValue = string | number | boolean | null;
