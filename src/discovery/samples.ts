import type { Capability } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import type { Start } from "../domain/slots.ts";

/** Makes a sample request for a capability: valid, and successful if sent now. */
export type SampleOf = (capability: Capability) => Record<string, unknown>;

/** @param start an open time for the sample of a booking; by default the first in an empty diary */
export function samplesAt(catalog: Catalog, now: Temporal.Instant, start?: Start | null): SampleOf {
  return (capability) => capability.sample(catalog, now, start);
}
