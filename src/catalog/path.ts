/** Paths in the catalog, and the issues and values at them. */
import { isObject } from "../lib/fields.ts";

/** Keys from the top of the catalog down; entries of lists by index, from 0. */
export type Path = (string | number)[];

/** A mistake in the catalog; the owner sees it at its line. */
export interface Issue {
  path: Path;
  /** Completes a sentence that begins with the path: "must be a number". */
  message: string;
  /** Set when the key is wrong rather than the value. */
  at?: "key";
  /** A value that is not there; or an amount with a comma, whose message ends before the amount as it should be. */
  kind?: "missing" | "amount";
}

/** A single value as YAML holds it: money in dollars. */
export type ScalarValue = string | number | boolean | null;

export function isWithin(path: string, place: string): boolean {
  return `${path}.`.startsWith(`${place}.`);
}

/** A setting in braces, like `{scheduling.bays}`: customers read its value (`capabilities/faq.ts`). Other braces are plain text. */
export const REFERENCE = /\{([\w-]+(?:\.[\w-]+)+|price_note)\}/g;

/** Groups that a reference can name: customers read them in words. */
export const SPOKEN_GROUPS = [
  "business.hours",
  "business.special_hours",
  "business.service_area",
  "business.credentials",
  "services.places",
  "automotive.lowest_prices",
  "automotive.coverages",
  "automotive.addons",
  "automotive.vehicle_types",
  "automotive.warranties",
] as const;
export type SpokenGroup = (typeof SPOKEN_GROUPS)[number];

/** References that have a value also where the file has none: the program words it. */
export const WORDED: readonly string[] = ["price_note", "tax.note", "site.texts.payment"];

export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, dotted = ""]) => dotted);
}

export interface Difference {
  /** The dotted path of a value, or of the list that has or had it. */
  path: string;
  /** As in the file; null where there was no value. */
  old: unknown;
  new: unknown;
}

/** The smallest values that differ between the values of two files, in the order of the file. */
export function between(old: unknown, now: unknown, path = ""): Difference[] {
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
