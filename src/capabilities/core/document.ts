import type { Catalog } from "../../catalog/schema.ts";
import type { Occupancy } from "../../domain/schedule.ts";

/** A page or file that is made from the catalog, for GET. */
export interface Document {
  /** From the root of the site. */
  path: string;
  contentType: string;
  /** The document shows a sample booking at a free time, so `render` gets the bookings from now on. */
  showsSamples?: boolean;
  /** @param busy bookings from now on */
  render: (
    catalog: Catalog,
    now: Temporal.Instant,
    busy?: readonly Occupancy[],
  ) => { body: string; headers?: Record<string, string> };
}
