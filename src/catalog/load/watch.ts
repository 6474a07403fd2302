/** Watches the catalog's file, so that a running server takes a change over without a restart. */
import { statSync } from "node:fs";
import type { CatalogCache } from "./cache.ts";
import { CatalogError } from "./catalog-file.ts";
import type { LoadedCatalog } from "./load.ts";
import { loadCatalog } from "./load.ts";

/** How often the file is looked at. */
const POLL_MS = 250;
/** A file that keeps changing is read after this many looks, within the 2 seconds that catalog.yaml promises. */
const MOST_LOOKS = 4;

export interface CatalogWatch {
  /** The last catalog without faults. A request reads it once, and so sees one catalog from start to end. */
  readonly current: LoadedCatalog;
  stop: () => void;
}

interface WatchEvents {
  reloaded: (loaded: LoadedCatalog) => void;
  refused: (error: CatalogError) => void;
  /** The file was saved, and is the catalog in force: also after one with faults. */
  unchanged?: () => void;
}

/**
 * Loads the catalog and loads it again whenever the file changes. A file with faults is reported once and ignored. The
 * file is polled, because file-system watches stop working once an editor saves by renaming.
 *
 * @param cache for a quick start
 * @throws CatalogError when the file has faults at the start
 */
export function watchCatalog(file: string, events: WatchEvents, cache: CatalogCache | null = null): CatalogWatch {
  // Begin to watch before loading, so that a save in between is seen as a change.
  const watched = watchFile(file);
  const watch = { current: loadCatalog(file, cache) };

  const look = () => {
    if (!watched.hasChanged()) return;
    try {
      const loaded = loadCatalog(file);
      if (loaded.hash === watch.current.hash) return events.unchanged?.();
      watch.current = loaded;
      events.reloaded(loaded);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      events.refused(error);
    }
  };
  const timer = setInterval(look, POLL_MS);
  return {
    get current() {
      return watch.current;
    },
    stop: () => clearInterval(timer),
  };
}

interface WatchedFile {
  /**
   * Each call is one look at the file. True once for a change, after the file held still
   * between two looks: a half-written YAML file often parses. True at every fourth look while the file never holds still.
   */
  hasChanged: () => boolean;
  /** Notes that the file was read in its present state. */
  settle: () => void;
}

export function watchFile(file: string): WatchedFile {
  let settled = fingerprint(file);
  let seen = settled;
  let looks = 0;
  return {
    hasChanged() {
      const now = fingerprint(file);
      const isStill = now === seen;
      seen = now;
      looks = now === settled ? 0 : looks + 1;
      if (looks === 0 || (!isStill && looks < MOST_LOOKS)) return false;
      settled = now;
      looks = 0;
      return true;
    },
    settle() {
      settled = fingerprint(file);
      seen = settled;
      looks = 0;
    },
  };
}

/** A text that changes whenever the file changes, appears or disappears. */
function fingerprint(file: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return "missing";
  }
}
