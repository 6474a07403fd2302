/** The difference that a change makes to the values of the catalog, for the owner to look at before it is saved. */
import { readLayout } from "../../src/catalog/edit/layout.ts";
import type { Edit } from "../../src/catalog/edit/save.ts";
import { renderFlow } from "../../src/catalog/edit/yaml-text.ts";
import { clean } from "../terminal/text.ts";

interface Difference {
  /** The dotted path of a value, or of the list that has or had it. */
  path: string;
  /** As in the file; null where there was no value. */
  old: unknown;
  new: unknown;
}

/** The smallest values that differ, in the order of the file. */
export function differencesOf({ was, text }: Pick<Edit, "was" | "text">): Difference[] {
  return between(readLayout(was).source, readLayout(text).source, "");
}

/** A line for each value: `- ` before, `+ ` after. */
export function differenceInWords(edit: Pick<Edit, "was" | "text">): string {
  const line = (sign: string, path: string, value: unknown) =>
    value === null ? "" : `${sign} ${path}: ${clean(renderFlow(value, ""))}\n`;
  return differencesOf(edit)
    .map((one) => line("-", one.path, one.old) + line("+", one.path, one.new))
    .join("");
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
  if (isGroup(old) && isGroup(now)) {
    const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return keys.flatMap((key) => between(old[key], now[key], path === "" ? key : `${path}.${key}`));
  }
  return [{ path, old: old ?? null, new: now ?? null }];
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
