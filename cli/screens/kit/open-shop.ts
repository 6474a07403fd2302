/** The shop as the screens have it: where it is kept, its catalog, and what tells that something changed. */
import type { CatalogError } from "../../../src/catalog/load/document.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import type { CatalogSource } from "../../../src/catalog/source.ts";
import type { DataLocation } from "../../../src/store/location/location.ts";
import type { Store } from "../../../src/store/store.ts";
import type { ServerSeen } from "../../server/listening.ts";
import type { ShopLocale } from "../../shop/clock.ts";

/** The caller that opens the screens hands this in. */
export interface ShopSource {
  store: Store;
  /** Where the database is, to name it in errors. */
  location: DataLocation;
  catalogSource: CatalogSource;
  now: () => Temporal.Instant;
  /** Asks the running server; only it knows which messages go out. */
  askServer: () => Promise<ServerSeen>;
}

export interface CatalogState {
  /** The last good catalog; null when none was good since the screens were opened. */
  catalog: Shop | null;
  /** The shop's clock, which screens need even without a good catalog. */
  clock: ShopLocale;
  /** The issues of the text, while the last good catalog stays in use; null when the text is good. */
  catalogIssue: CatalogError | null;
  /** Whether there is no catalog yet. */
  isCatalogMissing: boolean;
}

export interface OpenShop extends ShopSource, CatalogState {
  /** Counts up whenever something may have changed. */
  pulse: number;
  /** Reads everything shown again, the catalog too; called after each write. */
  refresh: () => void;
}
