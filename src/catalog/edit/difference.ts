/** The difference between two texts of a catalog, value by value. */
import { isObject } from "../../lib/fields.ts";
import type { Replacement } from "../source.ts";
import { readLayout } from "./layout.ts";

interface Difference {
  /** The dotted path of a value, or of the list that has or had it. */
  path: string;
  /** As in the file; null where there was no value. */
  old: unknown;
  new: unknown;
}

/** The smallest values that differ, in the order of the file. */
export function differencesOf({ was, text }: Pick<Replacement, "was" | "text">): Difference[] {
  return between(readLayout(was).source, readLayout(text).source, "");
}

function between(old: unknown, now: unknown, path: string): Difference[] {
  if (Bun.deepEquals(old, now)) return [];
  if (Array.isArray(old) && Array.isArray(now)) {
    const missing = (list: unknown[], from: unknown[]) =>
      list.filter((item) => !from.some((other) => Bun.deepEquals(item, other)));
    return [
      ...missing(old, now).map((item) => ({ path, old: item, new: null })),
      ...missing(now, old).map((item) => ({ path, old: null, new: item })),
    ];
  }
  if (isObject(old) && isObject(now)) {
    const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return keys.flatMap((key) => between(old[key], now[key], path === "" ? key : `${path}.${key}`));
  }
  return [{ path, old: old ?? null, new: now ?? null }];
}

/** The most paths that a line names. */
const MOST_NAMED = 8;

/** The paths of the values that differ, in a line. A text that YAML cannot read has none. */
export function changedPaths(change: Pick<Replacement, "was" | "text">): string {
  try {
    const paths = [...new Set(differencesOf(change).map(({ path }) => path))];
    if (paths.length === 0) return "notes and layout";
    const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
    return `${paths.slice(0, MOST_NAMED).join(", ")}${more}`;
  } catch {
    return "";
  }
}
