/**
 * References in an owner's text: a place of the catalog in braces, like `{scheduling.bays}`. Customers read the value of
 * that place, so a text cannot go stale when a price changes. `capabilities/shared/faq.ts` fills them in.
 */
/** Braces around a dotted path. Other braces are plain text. */
export const REFERENCE = /\{([\w-]+(?:\.[\w-]+)+)\}/g;

export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, dotted = ""]) => dotted);
}
