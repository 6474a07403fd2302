/** The catalog for the screens: the last good one, and the faults of the file as it is now. */
import { existsSync } from "node:fs";
import type { CatalogCache } from "../../../../src/catalog/load/cache.ts";
import { CatalogError } from "../../../../src/catalog/load/catalog-file.ts";
import { loadCatalog } from "../../../../src/catalog/load/load.ts";
import { watchFile } from "../../../../src/catalog/load/watch.ts";
import type { Catalog } from "../../../../src/catalog/schema.ts";
import { clockOfFaulty, type ShopPlace } from "../../../shop/clock.ts";

export interface CatalogState {
  /** The last good catalog; null when none was good since the screens were opened. */
  catalog: Catalog | null;
  /** The shop's clock, which screens need even without a good catalog. */
  clock: ShopPlace;
  /** The faults of the file, while the last good catalog stays in use; null when the file is good. */
  catalogFault: CatalogError | null;
  /** Whether the file is missing. */
  isCatalogMissing: boolean;
}

export interface CatalogFile {
  readonly state: CatalogState;
  /** Reads the file again once a change of it has held still for one look. @returns whether it was read again */
  look: () => boolean;
  /** Reads the file again at once, after a save from here. */
  read: () => void;
}

/** @param cache for a quick start */
export function openCatalogFile(file: string, cache: CatalogCache | null): CatalogFile {
  const watched = watchFile(file);
  let state = readState(file, null, cache);
  return {
    get state() {
      return state;
    },
    look() {
      const hasChanged = watched.hasChanged();
      if (hasChanged) state = readState(file, state.catalog);
      return hasChanged;
    },
    read() {
      watched.settle();
      state = readState(file, state.catalog);
    },
  };
}

function readState(file: string, lastGood: Catalog | null, cache: CatalogCache | null = null): CatalogState {
  try {
    const { catalog } = loadCatalog(file, cache);
    return { catalog, clock: catalog, catalogFault: null, isCatalogMissing: false };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return {
      catalog: lastGood,
      clock: lastGood ?? clockOfFaulty(file),
      catalogFault: error,
      isCatalogMissing: !existsSync(file),
    };
  }
}
