/** Documents in JSON, with sample requests or without. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { Document } from "../capabilities/core/document.ts";
import type { Shop } from "../catalog/shop.ts";
import type { Start } from "../domain/slots.ts";

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
