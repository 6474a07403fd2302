/** The catalog of the screens: the last good one, and what is wrong with the file now. */
import { CatalogError, loadCatalog } from "../../../src/catalog/load.ts";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { fingerprint } from "../../../src/catalog/watch.ts";

export interface CatalogState {
  /** The last good catalog; null when there was none since the screens were opened. */
  catalog: Catalog | null;
  /** Why the file is no good now; null when it is good. */
  fault: CatalogError | null;
}

export interface CatalogFile {
  readonly state: CatalogState;
  /** Reads the file again if it changed and then held still from one look to the next. @returns whether anything changed */
  look: () => boolean;
  /** Reads the file again now, after a save of one's own. */
  read: () => void;
}

export function openCatalogFile(file: string): CatalogFile {
  let settled = fingerprint(file);
  let seen = settled;
  let state = readState(file, null);
  return {
    get state() {
      return state;
    },
    look() {
      const now = fingerprint(file);
      const isStill = now === seen;
      seen = now;
      if (!isStill || now === settled) return false;
      settled = now;
      state = readState(file, state.catalog);
      return true;
    },
    read() {
      settled = fingerprint(file);
      seen = settled;
      state = readState(file, state.catalog);
    },
  };
}

function readState(file: string, lastGood: Catalog | null): CatalogState {
  try {
    return { catalog: loadCatalog(file).catalog, fault: null };
  } catch (error) {
    if (error instanceof CatalogError) return { catalog: lastGood, fault: error };
    throw error;
  }
}
