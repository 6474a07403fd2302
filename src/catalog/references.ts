/**
 * Places of the catalog that an owner's text names in braces, like `{scheduling.bays}`: what is shown is the value that
 * stands there, so that a text cannot go stale when a price changes. `capabilities/shared/faq.ts` fills them in.
 */
import { findPlace, UnknownPath } from "./places.ts";

/** Braces around a dotted path; any others are plain text. */
export const REFERENCE = /\{([\w-]+(?:\.[\w-]+)+)\}/g;

export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, dotted = ""]) => dotted);
}

/** What is wrong with a reference; undefined when it leads to a number or a text. @param source the file's values */
export function referenceFault(dotted: string, source: unknown): string | undefined {
  try {
    const { value } = findPlace(source, dotted);
    if (typeof value === "number" || typeof value === "string") return undefined;
    return `names {${dotted}}, which ${value === undefined ? "is not set" : "is no number and no text"}`;
  } catch (error) {
    if (error instanceof UnknownPath) return `names a place in braces that is not there. ${error.message}`;
    throw error;
  }
}
