/** Loads a catalog, where a cache may save the reading. */
import { deepFreeze } from "../../lib/deep-freeze.ts";
import type { Catalog } from "../schema.ts";
import type { CatalogSource } from "../source.ts";
import { type CatalogCache, readCache, writeCache } from "./cache.ts";

export interface LoadedCatalog {
  catalog: Catalog;
  /** SHA-256 of the text's bytes. */
  hash: string;
}

interface LoadResult extends LoadedCatalog {
  /** False when the catalog was in the cache. */
  isParsed: boolean;
}

/**
 * Loads a catalog, from the cache while text and program are unchanged: reading and checking YAML takes longer than a
 * quick quote.
 * @param cache without it the text is always parsed
 * @throws CatalogError when the text cannot be read or has any fault
 */
export function loadCatalog(source: CatalogSource, cache: CatalogCache | null = null): LoadResult {
  const { bytes, hash, name } = source.read();
  const key = `${cache?.build} ${hash}`;
  const cached = cache && readCache(cache.folder, key);
  if (cached) return { catalog: deepFreeze(cached), hash, isParsed: false };
  // Loaded on first use: the code that reads YAML is large, and a cached catalog does not need it.
  const { parseCatalog }: typeof import("./parse.ts") = require("./parse.ts");
  const catalog = parseCatalog(bytes, name);
  if (cache) writeCache(cache.folder, { key, catalog });
  return { catalog, hash, isParsed: true };
}
