/** A shop: its catalog, and what the catalog alone decides, worked out once when it is loaded. */
import { type Messaging, messagingOf } from "./messaging.ts";
import type { Catalog } from "./schema.ts";
import { type Terms, termsOf } from "./terms.ts";

/** Whoever needs more than the owner's values takes this; it is handed on from the request's context. */
export interface Shop extends Catalog {
  readonly terms: Terms;
  readonly messaging: Messaging;
}

/** @param catalog as it was checked, frozen */
export function derive(catalog: Catalog): Shop {
  return Object.freeze({ ...catalog, terms: termsOf(catalog), messaging: messagingOf(catalog) });
}
