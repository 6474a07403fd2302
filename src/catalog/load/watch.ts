import { statSync } from "node:fs";
import { CatalogError, type LoadedCatalog, loadCatalog } from "./load.ts";

/** How often the file is looked at. */
const POLL_MS = 400;
/** A file that keeps changing is read after so many looks: within the 2 seconds that catalog.yaml promises. */
const MOST_LOOKS = 4;

export interface CatalogWatch {
  /** The last good catalog. Read it once per request, so that a request sees one catalog from start to end. */
  readonly current: LoadedCatalog;
  stop: () => void;
}

interface WatchEvents {
  reloaded: (loaded: LoadedCatalog) => void;
  refused: (error: CatalogError) => void;
}

/**
 * Serves the catalog of a file and swaps it for a new one when the file changes and is good; a bad file is reported
 * once and ignored. The file is polled, because editors that save by renaming lose file-system watches.
 *
 * @throws CatalogError when the file is not good at the start.
 */
export function watchCatalog(file: string, events: WatchEvents): CatalogWatch {
  // Taken first: a save while the file is being read is then seen as a change.
  const watched = watchFile(file);
  const watch = { current: loadCatalog(file) };

  const look = () => {
    if (!watched.hasChanged()) return;
    try {
      const loaded = loadCatalog(file);
      if (loaded.hash === watch.current.hash) return;
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
   * To be asked again and again. True once for a change: when the file held still between two looks, because a
   * half-written YAML file often parses; of a file that never holds still, at every fourth look.
   */
  hasChanged: () => boolean;
  /** Takes the file as it is now for read. */
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

/** Changes whenever the file does; a missing file has one too. */
function fingerprint(file: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return "missing";
  }
}
