/** Loads the catalog through a cache, for a command that answers one quick question. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "../schema.ts";
import { readCatalogFile } from "./catalog-file.ts";

interface Cached {
  /** The program's build and the hash of the file; both must match. */
  key: string;
  catalog: Catalog;
}

/**
 * Loads a catalog, from the cache while file and program are unchanged. Parsing and checking the file would take most
 * of the time of a quick quote.
 *
 * @param cache a folder of the owner's, and the program's build; without it the file is always parsed
 * @throws CatalogError
 */
export async function loadCachedCatalog(
  file: string,
  cache: { folder: string; build: string } | null,
): Promise<Catalog> {
  const { hash } = readCatalogFile(file);
  const key = `${cache?.build} ${hash}`;
  const cached = cache && readCache(cache.folder);
  if (cached?.key === key) return cached.catalog;
  const { loadCatalog } = await import("./load.ts");
  const { catalog } = loadCatalog(file);
  if (cache) writeCache(cache.folder, { key, catalog });
  return catalog;
}

const NAME = "catalog.json";

function readCache(folder: string): Cached | null {
  try {
    return JSON.parse(readFileSync(join(folder, NAME), "utf8")) as Cached;
  } catch {
    return null;
  }
}

/** Fails in silence: a folder that cannot be written costs time, nothing else. */
function writeCache(folder: string, cached: Cached): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `${NAME}.${process.pid}`);
    writeFileSync(temporary, JSON.stringify(cached), { mode: 0o600 });
    renameSync(temporary, join(folder, NAME));
  } catch {}
}
