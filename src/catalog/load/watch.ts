/** Watches a catalog, so that a running server takes a change over without a restart. */
import { atAddress } from "../at-site.ts";
import type { Catalog } from "../schema.ts";
import type { CatalogSource } from "../source.ts";
import { CatalogError, NoCatalog } from "./document.ts";
import { type LoadedCatalog, lastGoodOf, loadAndKeep, type loadCatalog } from "./load.ts";
import type { Told } from "./notes.ts";

export interface WatchEvents {
  /** The catalog was faulty at the start, so that the last good one is in force. */
  startedWithLastGood?: (error: CatalogError) => void;
  reloaded: (loaded: LoadedCatalog & Told) => void;
  refused: (error: CatalogError) => void;
  /** The catalog was saved, and is current: also after one with issues. */
  unchanged?: () => void;
}

/** A text with issues is reported once and ignored. Throws CatalogError at the start, where no earlier text is kept. */
export function watchCatalog(source: CatalogSource, events: WatchEvents) {
  // Begin to watch before loading, so that a save in between is seen as a change.
  const watched = source.watch();
  const first = loadOrLastGood(source, events);
  // Parsing leaves more garbage than the rest of the start. Without this, its memory would stay with a server.
  if (first.isParsed) Bun.shrink();
  /** As it is written: where a server is reached can be known after its start. */
  let written: { catalog: Catalog; hash: string } = { catalog: first.written, hash: first.hash };
  let placed = { catalog: first.catalog, hash: first.hash, written, port: source.address?.port };
  const current = (): LoadedCatalog => {
    const port = source.address?.port;
    if (placed.written !== written || placed.port !== port)
      placed = { catalog: atAddress(written.catalog, source.address), hash: written.hash, written, port };
    return placed;
  };
  let was = first.bytes;
  let isLooking = false;
  let hasStopped = false;

  const takeOver = async () => {
    try {
      const { bytes, hash, name } = source.read();
      if (hash === written.hash) return events.unchanged?.();
      // Loaded on first use: the code that keeps positions is large.
      const { reread } = await import("./notes.ts");
      if (hasStopped) return;
      const { catalog, ...told } = reread(bytes, name, was);
      written = { catalog, hash };
      was = bytes;
      source.inForce?.keep(bytes);
      events.reloaded({ ...told, ...current() });
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      if (!hasStopped) events.refused(error);
    }
  };
  const look = async () => {
    // A database may answer, and a large text be read, more slowly than the source is asked.
    if (isLooking) return;
    isLooking = true;
    try {
      if ((await watched.hasChanged()) && !hasStopped) await takeOver();
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), watched.everyMs);
  return {
    /** The last catalog without issues. A request reads it once, and so sees one catalog from start to end. */
    get current() {
      return current();
    },
    stop() {
      hasStopped = true;
      clearInterval(timer);
    },
  };
}

function loadOrLastGood(source: CatalogSource, { startedWithLastGood }: WatchEvents): ReturnType<typeof loadCatalog> {
  try {
    return loadAndKeep(source);
  } catch (error) {
    const isInvalid = error instanceof CatalogError && !(error instanceof NoCatalog);
    const lastGood = isInvalid && startedWithLastGood ? lastGoodOf(source) : null;
    if (!isInvalid || !lastGood) throw error;
    startedWithLastGood?.(error);
    return lastGood;
  }
}
