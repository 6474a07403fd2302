import type { Catalog } from "./catalog/schema.ts";

/** A page or file that is made from the catalog and answered to GET. */
export interface Document {
  /** From the root of the site. */
  path: string;
  contentType: string;
  render: (catalog: Catalog, now: Temporal.Instant) => { body: string; headers?: Record<string, string> };
}
