import { statSync } from "node:fs";
import { CatalogError, type LoadedCatalog, loadCatalog } from "./load.ts";

/** How often the file is looked at; a change is in force after two looks. */
const POLL_MS = 400;

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
 * once and ignored. The file is polled, because editors that save by renaming lose file-system watches; and it must
 * hold still for one interval, because a half-written YAML file often parses.
 *
 * @throws CatalogError when the file is not good at the start.
 */
export function watchCatalog(file: string, events: WatchEvents): CatalogWatch {
  // Taken first: a save while the file is being read is then seen as a change.
  let settled = fingerprint(file);
  let seen = settled;
  const watch = { current: loadCatalog(file) };

  const look = () => {
    const now = fingerprint(file);
    if (now !== seen) {
      seen = now;
      return;
    }
    if (now === settled) return;
    settled = now;
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

/** Changes whenever the file does; a missing file has one too. */
export function fingerprint(file: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return "missing";
  }
}
