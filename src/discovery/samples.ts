import type { Capability } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import type { Occupancy } from "../domain/schedule.ts";

/** Makes a sample request for a capability: valid, and successful if sent now. */
export type SampleOf = (capability: Capability) => Record<string, unknown>;

/** @param busy jobs in the bays from now on, so that a booking that is shown can be made */
export function samplesAt(catalog: Catalog, now: Temporal.Instant, busy: readonly Occupancy[] = []): SampleOf {
  return (capability) => capability.sample(catalog, now, busy);
}
