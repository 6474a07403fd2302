import type { Capability } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import type { Occupancy } from "../domain/schedule.ts";

/** Makes a sample request for a capability: valid, and successful if sent now. */
export type SampleOf = (capability: Capability) => Record<string, unknown>;

/** @param busy bookings from now on: the sample of a booking avoids it */
export function samplesAt(catalog: Catalog, now: Temporal.Instant, busy: readonly Occupancy[] = []): SampleOf {
  return (capability) => capability.sample(catalog, now, busy);
}
