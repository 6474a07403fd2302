/** The difference between two texts of a catalog, value by value. */
import { between, type Difference } from "../difference.ts";
import type { Replacement } from "../source.ts";
import { readLayout } from "./layout.ts";

/** The smallest values that differ, in the order of the file. */
export function differencesOf({ was, text }: Pick<Replacement, "was" | "text">): Difference[] {
  return between(readLayout(was).source, readLayout(text).source);
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
