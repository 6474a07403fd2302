/** A shop: its catalog, and what the catalog alone decides, worked out once when it is loaded. */
import { type Phrases, phrasesOf } from "./phrases.ts";
import { questionsOf, type ShownQuestion } from "./questions.ts";
import type { Catalog } from "./schema.ts";
import { type Terms, termsOf } from "./terms.ts";

/** Whoever needs more than the owner's values takes this; it is handed on from the request's context. */
export interface Shop extends Catalog {
  readonly terms: Terms;
  readonly phrases: Phrases;
  readonly questions: readonly ShownQuestion[];
}

/** @param catalog as it was checked, frozen */
export function derive(catalog: Catalog): Shop {
  const terms = termsOf(catalog);
  return Object.freeze({
    ...catalog,
    terms,
    phrases: phrasesOf(catalog, terms),
    questions: questionsOf(catalog),
  });
}
