/** Paths in the catalog, and the issues and values at them. */

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

export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, dotted = ""]) => dotted);
}
