/**
 * References in an owner's text: a place of the catalog in braces, like `{scheduling.bays}`. Customers read the value of
 * that place, so a text cannot go stale when a price changes. `capabilities/shared/faq.ts` fills them in.
 */
import { findPlace, UnknownPath } from "./places.ts";

/** Braces around a dotted path. Other braces are plain text. */
export const REFERENCE = /\{([\w-]+(?:\.[\w-]+)+)\}/g;

export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, dotted = ""]) => dotted);
}

/**
 * @param source the values of the file
 * @returns a message when the reference does not lead to a number or a text
 */
export function referenceFault(dotted: string, source: unknown): string | undefined {
  try {
    const { value } = findPlace(source, dotted);
    if (typeof value === "number" || typeof value === "string") return undefined;
    return `names {${dotted}}, which ${value === undefined ? "is not set" : "is neither a number nor a text"}`;
  } catch (error) {
    if (error instanceof UnknownPath) return `names a place in braces that is not there. ${error.message}`;
    throw error;
  }
}
