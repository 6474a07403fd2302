/** The catalog for the screens: the last good one, and the faults of the text as it is now. */
import type { CatalogCache } from "../../../../src/catalog/load/cache.ts";
import { CatalogError, NoCatalog } from "../../../../src/catalog/load/catalog-file.ts";
import { loadCatalog } from "../../../../src/catalog/load/load.ts";
import type { Catalog } from "../../../../src/catalog/schema.ts";
import type { CatalogSource } from "../../../../src/catalog/source.ts";
import { clockOfFaulty, type ShopPlace } from "../../../shop/clock.ts";

export interface CatalogState {
  /** The last good catalog; null when none was good since the screens were opened. */
  catalog: Catalog | null;
  /** The shop's clock, which screens need even without a good catalog. */
  clock: ShopPlace;
  /** The faults of the text, while the last good catalog stays in use; null when the text is good. */
  catalogFault: CatalogError | null;
  /** Whether there is no catalog yet. */
  isCatalogMissing: boolean;
}

export interface LiveCatalog {
  readonly state: CatalogState;
  /** Reads the catalog again after a change. @returns whether it was read again */
  look: () => Promise<boolean>;
  /** Reads the catalog again at once, after a save from here. */
  read: () => void;
}

/** How questions and warnings name the catalog. */
export function catalogWord({ file }: CatalogSource): string {
  return file === null ? "the catalog" : "catalog.yaml";
}

/** @param cache for a quick start */
export function openCatalog(source: CatalogSource, cache: CatalogCache | null): LiveCatalog {
  const watched = source.watch();
  let state = readState(source, null, cache);
  return {
    get state() {
      return state;
    },
    async look() {
      const hasChanged = await watched.hasChanged();
      if (hasChanged) state = readState(source, state.catalog);
      return hasChanged;
    },
    read() {
      watched.settle();
      state = readState(source, state.catalog);
    },
  };
}

function readState(source: CatalogSource, lastGood: Catalog | null, cache: CatalogCache | null = null): CatalogState {
  try {
    const { catalog } = loadCatalog(source, cache);
    return { catalog, clock: catalog, catalogFault: null, isCatalogMissing: false };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return {
      catalog: lastGood,
      clock: lastGood ?? clockOfFaulty(source),
      catalogFault: error,
      isCatalogMissing: error instanceof NoCatalog,
    };
  }
}
