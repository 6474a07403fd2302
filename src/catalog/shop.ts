/** A shop: its catalog, and what the catalog alone decides, worked out once when it is loaded. */
import { type Admission, admissionOf } from "./admission.ts";
import { type Laws, lawsOf } from "./laws.ts";
import { type Messaging, messagingOf } from "./messaging.ts";
import { type Models, modelsOf } from "./models.ts";
import { type Pages, pagesOf } from "./page-addresses.ts";
import { type Phrases, phrasesOf } from "./phrases.ts";
import { type PriceList, priceListOf } from "./price-list.ts";
import { questionsOf, type ShownQuestion } from "./questions.ts";
import type { Catalog, Service } from "./schema.ts";
import { type Terms, termsOf } from "./terms.ts";
import { type Words, wordsOf } from "./words.ts";

/** Whoever needs more than the owner's values takes this; it is handed on from the request's context. */
export interface Shop extends Catalog {
  readonly admission: Admission;
  readonly terms: Terms;
  /** The services that can be booked online. */
  readonly bookable: readonly Service[];
  readonly messaging: Messaging;
  readonly pages: Pages;
  readonly phrases: Phrases;
  readonly questions: readonly ShownQuestion[];
  readonly priceList: PriceList;
  readonly models: Models;
  readonly laws: Laws;
  readonly words: Words;
}

/** @param catalog as it was checked, frozen */
export function derive(catalog: Catalog): Shop {
  const terms = termsOf(catalog);
  return Object.freeze({
    ...catalog,
    terms,
    admission: admissionOf(catalog),
    bookable: catalog.services.filter((one) => one.bookable),
    messaging: messagingOf(catalog),
    pages: pagesOf(catalog),
    phrases: phrasesOf(catalog, terms),
    questions: questionsOf(catalog),
    priceList: priceListOf(catalog, terms),
    models: modelsOf(catalog),
    laws: lawsOf(catalog),
    words: wordsOf(catalog),
  });
}
