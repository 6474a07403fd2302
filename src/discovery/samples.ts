import type { Capability } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import type { Occupancy } from "../domain/schedule.ts";

/** A capability's request as the documents show it: valid, and successful when it is sent now. */
export type SampleOf = (capability: Capability) => Record<string, unknown>;

/** @param busy jobs in the bays from now on, so that a booking that is shown can be made */
export function samplesAt(catalog: Catalog, now: Temporal.Instant, busy: readonly Occupancy[] = []): SampleOf {
  return (capability) => capability.sample(catalog, now, busy);
}
