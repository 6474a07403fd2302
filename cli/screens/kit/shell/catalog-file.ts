/** The catalog of the screens: the last good one, and what is wrong with the file now. */
import { existsSync } from "node:fs";
import { CatalogError, loadCatalog } from "../../../../src/catalog/load/load.ts";
import { watchFile } from "../../../../src/catalog/load/watch.ts";
import type { Catalog } from "../../../../src/catalog/schema.ts";
import type { ShopClock } from "../../../../src/domain/schedule.ts";
import { clockOfFaulty } from "../../../shop/clock.ts";

export interface CatalogState {
  /** The last good catalog; null when there was none since the screens were opened. */
  catalog: Catalog | null;
  /** The shop's time, for screens that can do without the catalog. */
  clock: ShopClock;
  /** Why the file is no good now, while the last good catalog stays in use; null when it is good. */
  catalogFault: CatalogError | null;
  /** The fault is that there is no file. */
  isCatalogMissing: boolean;
}

export interface CatalogFile {
  readonly state: CatalogState;
  /** Reads the file again if it changed and then held still from one look to the next. @returns whether anything changed */
  look: () => boolean;
  /** Reads the file again now, after a save of one's own. */
  read: () => void;
}

export function openCatalogFile(file: string): CatalogFile {
  const watched = watchFile(file);
  let state = readState(file, null);
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

function readState(file: string, lastGood: Catalog | null): CatalogState {
  try {
    const { catalog } = loadCatalog(file);
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
