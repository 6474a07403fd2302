/** Paths in the catalog, and the faults and values found at them. */

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

/** The value at a path; undefined where there is none. @param source the values of the file */
export function valueAt(source: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) => (Object.hasOwn(Object(value), part) ? Object(value)[part] : undefined),
    source,
  );
}
