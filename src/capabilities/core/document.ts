import type { Shop } from "../../catalog/shop.ts";
import type { Start } from "../../domain/slots.ts";

/** A page or file that is made from the catalog, for GET. */
export interface Document {
  /** From the root of the site; a field in braces stands for one segment. */
  path: string;
  contentType: string;
  /** It is an operation of the API, in the OpenAPI document too. */
  isOperation?: boolean;
  /** The document shows a sample booking, so `render` gets a time that is open for it. */
  showsSamples?: boolean;
  /** The document names today, so it is made anew each day of the shop. */
  showsToday?: boolean;
  /** It has sections: `PATH/ID`, where they once were, leads to `PATH?section=ID`. */
  hasSections?: boolean;
  /** The same in other types, for callers whose Accept header prefers one. */
  otherTypes?: readonly Document[];
  /** @param start of the sample booking; by default the first in an empty diary */
  render: (catalog: Shop, now: Temporal.Instant, start?: Start | null) => Rendered | Promise<Rendered>;
}

export interface Rendered {
  body: string;
  /** Parts that callers get by themselves with `?section=`, by their ids. */
  sections?: ReadonlyMap<string, string>;
  headers?: Record<string, string>;
}
