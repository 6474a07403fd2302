/** What documents share: addresses, which come from the catalog's `site`, phrases, sample requests, and JSON as their form. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { Document } from "../capabilities/core/document.ts";
import type { Voice } from "../capabilities/core/operations.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import type { Start } from "../domain/slots.ts";

export function summaryOf(catalog: Shop): string {
  const { business } = catalog;
  return `Prices, tint-law checks, open appointment times, quote requests and bookings of ${business.name}, ${business.service_area.label}.`;
}

/** What may change without a new version (docs/contract.md). */
export const VERSION_RULE = `Within \`${API_PREFIX}\` answers may gain fields, words and codes, requests optional fields; anything else takes a new version.`;

/** Which websites may call the API from a browser. */
export const CALLING_SITES: Record<Shop["site"]["cors"], string> = {
  any: "any website",
  listed: "a website that the shop lists",
  none: "no other website",
};

/** Whether a caller has to register first. */
export function keyRule({ bookings }: Shop): string {
  return bookings.require_api_key ? "Bookings need an API key; nothing else does." : "No key is needed.";
}

/** The ways to send a key, as OpenAPI and A2A 0.3 describe them. */
export const KEY_SCHEMES = {
  bearerKey: { type: "http", scheme: "bearer", description: "An API key raises the rate limits." },
  headerKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same key in a header of its own." },
} as const;
/** Either of them. */
export const KEYS = [{ bearerKey: [] }, { headerKey: [] }];

export function apiUrl({ site }: Shop, path: string): string {
  return site.base_url + path;
}

/** Where the paths in answers begin, without a slash at the end. */
export function apiRoot({ site }: Shop): string {
  return site.base_url.slice(0, -API_PREFIX.length);
}

export function siteUrl({ site }: Shop, path: string): string {
  return site.url.replace(/\/$/, "") + path;
}

/** To callers who can register no key: the address of the page that says how, in place of a promise and of a path. */
export function keysAtDocs(catalog: Shop): Pick<Voice, "register" | "keys"> {
  const address = docsUrl(catalog);
  return { register: `at ${address}`, keys: `Keys with higher limits: ${address}` };
}

export function docsUrl(catalog: Shop, section?: string): string {
  return apiUrl(catalog, `/docs${section ? `#${section}` : ""}`);
}

/** The chapters of the documentation, in the order in which a newcomer needs them. */
export const CHAPTERS = {
  "quick-start": "Quick start",
  endpoints: "Requests",
  guides: "Guides",
  answers: "Responses",
  errors: "Errors",
  limits: "Limits",
  keys: "API keys",
  agents: "AI assistants",
  prices: "Prices today",
  "tint-law": "Tint law",
  terms: "Terms of use",
  versions: "Versions",
} as const;

/** The page that has every operation, to be tried; an operation is found by its name behind the second one. */
export const REFERENCE = `${API_PREFIX}/docs/explorer`;

const JSON_TYPE = "application/json";

/** Makes a sample request for a capability: valid, and successful if sent now. */
export type SampleOf = (capability: Capability) => Record<string, unknown>;

/** @param start an open time for the sample of a booking; by default the first in an empty diary */
export function samplesAt(catalog: Shop, now: Temporal.Instant, start?: Start | null): SampleOf {
  return (capability) => capability.sample(catalog, now, start);
}

/** A document that follows from the catalog alone. */
export function jsonDocument(path: string, make: (catalog: Shop) => object, contentType = JSON_TYPE): Document {
  return { path, contentType, render: (catalog) => ({ body: JSON.stringify(make(catalog)) }) };
}

/** A document with sample requests, whose dates and times are open in the diary. */
export function sampledDocument(path: string, make: (catalog: Shop, sampleOf: SampleOf) => object): Document {
  return {
    path,
    contentType: JSON_TYPE,
    showsSamples: true,
    render: (catalog, now, start) => ({ body: JSON.stringify(make(catalog, samplesAt(catalog, now, start))) }),
  };
}
