/** Loads the catalog through a cache, for a quick start. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deepFreeze } from "../../lib/deep-freeze.ts";
import type { Catalog } from "../schema.ts";
import { readCatalogFile } from "./catalog-file.ts";
import type { LoadedCatalog } from "./load.ts";

/** A folder of the owner's for the cache, and a text that differs between builds of the program. */
export interface CatalogCache {
  folder: string;
  build: string;
}

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
export async function loadCachedCatalog(file: string, cache: CatalogCache | null): Promise<LoadedCatalog> {
  const { hash } = readCatalogFile(file);
  const key = `${cache?.build} ${hash}`;
  const cached = cache && readCache(cache.folder);
  if (cached?.key === key) return { catalog: deepFreeze(cached.catalog), hash };
  const { loadCatalog } = await import("./load.ts");
  const loaded = loadCatalog(file);
  if (cache) writeCache(cache.folder, { key: `${cache.build} ${loaded.hash}`, catalog: loaded.catalog });
  return loaded;
}

const NAME = "catalog.json";

function readCache(folder: string): Cached | null {
  try {
    return JSON.parse(readFileSync(join(folder, NAME), "utf8")) as Cached;
  } catch {
    return null;
  }
}

/** Ignores a folder that cannot be written: the next start then takes longer, nothing else. */
function writeCache(folder: string, cached: Cached): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `${NAME}.${process.pid}`);
    writeFileSync(temporary, JSON.stringify(cached), { mode: 0o600 });
    renameSync(temporary, join(folder, NAME));
  } catch {}
}
