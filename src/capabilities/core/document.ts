import type { Catalog } from "../../catalog/schema.ts";
import type { Occupancy } from "../../domain/schedule.ts";

/** A page or file that is made from the catalog and answered to GET. */
export interface Document {
  /** From the root of the site. */
  path: string;
  contentType: string;
  /** It shows requests that can be sent as they stand, a booking among them: `render` is given the jobs in the bays. */
  showsSamples?: boolean;
  /** @param busy jobs in the bays from now on */
  render: (
    catalog: Catalog,
    now: Temporal.Instant,
    busy?: readonly Occupancy[],
  ) => { body: string; headers?: Record<string, string> };
}
