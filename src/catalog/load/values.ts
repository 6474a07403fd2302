/** The values in a text of the catalog, and what differs between two texts. */
import type { Document } from "yaml";
import { isObject } from "../../lib/fields.ts";
import { isWithin } from "../path.ts";
import { EditError, type Replacement } from "../source.ts";
import { cachedDocument, MAX_ALIASES } from "./document.ts";
import { yamlIssues } from "./parse.ts";

export interface Layout {
  text: string;
  document: Document;
  /** The values of the file; money in dollars. */
  source: unknown;
}

/** @throws EditError when the text is not YAML */
export function readLayout(text: string): Layout {
  const { document } = cachedDocument(text);
  const [issue] = document.errors.length > 0 ? yamlIssues(document, text) : [];
  if (issue)
    throw new EditError(`The catalog cannot be read: ${issue.message}. Run \`tint catalog check\` to see where.`);
  return { text, document, source: document.toJS({ maxAliasCount: MAX_ALIASES }) };
}

interface Difference {
  /** The dotted path of a value, or of the list that has or had it. */
  path: string;
  /** As in the file; null where there was no value. */
  old: unknown;
  new: unknown;
}

/** The smallest values that differ between the values of two files, in the order of the file. */
function between(old: unknown, now: unknown, path = ""): Difference[] {
  if (Bun.deepEquals(old, now)) return [];
  if (Array.isArray(old) && Array.isArray(now)) {
    const changed = old.length === now.length ? old.flatMap((item, i) => (Bun.deepEquals(item, now[i]) ? [] : i)) : [];
    if (changed.length === 1) return changed.flatMap((i) => between(old[i], now[i], `${path}.${i}`));
    // Entries may be many, so that each is looked up and not compared with every other.
    const missing = (list: unknown[], from: unknown[]) => {
      const known = new Set(from.map(inOneForm));
      return list.filter((item) => !known.has(inOneForm(item)));
    };
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

/** The same text for equal values, whatever the order of their keys. */
function inOneForm(value: unknown): string {
  return JSON.stringify(value, (_key, inside: unknown) =>
    isObject(inside) ? Object.fromEntries(Object.entries(inside).sort(([a], [b]) => (a < b ? -1 : 1))) : inside,
  );
}

/** The most changes in the log, and the most characters of a value there. */
const MOST_LOGGED = 20;
const LONGEST_LOGGED = 60;
/** Whom alerts reach, and who is turned away, is nobody's business but the owner's. */
const PRIVATE = ["alerts.to", "follow_up", "messages.shop_sms_to", "access"];

/** The differences for the log, `business.phone: "…1" → "…2"`. @param was values of a file */
export function changesForLog(was: unknown, now: unknown): string[] {
  const all = between(was, now);
  const shown = (value: unknown) => {
    const text = value === null ? "none" : JSON.stringify(value);
    return text.length > LONGEST_LOGGED ? `${text.slice(0, LONGEST_LOGGED)}…` : text;
  };
  const lines = all
    .slice(0, MOST_LOGGED)
    .map(({ path, old, new: value }) =>
      PRIVATE.some((place) => isWithin(path, place)) ? `${path}: changed` : `${path}: ${shown(old)} → ${shown(value)}`,
    );
  const more = all.length - lines.length;
  return [...new Set(lines), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** The smallest values that differ, in the order of the file. */
export function differencesOf({ was, text }: Pick<Replacement, "was" | "text">): Difference[] {
  return between(readLayout(was).source, readLayout(text).source);
}

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
