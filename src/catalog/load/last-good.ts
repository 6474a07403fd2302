/** The last catalog without issues, which stays in force while its file has a mistake. */
import type { CatalogSource } from "../source.ts";
import { CatalogError } from "./catalog-file.ts";
import { type CatalogCache, type LoadResult, loadCatalog } from "./load.ts";

/** Loads the catalog, and keeps its text for the time when the file has a mistake. @throws CatalogError */
export function loadAndKeep(source: CatalogSource, cache: CatalogCache | null): LoadResult {
  const loaded = loadCatalog(source, cache);
  const { bytes, hash } = source.read();
  // The file may have changed in between.
  if (hash === loaded.hash) source.inForce?.keep(bytes);
  return loaded;
}

/** @returns null without a text that this program accepts */
export function lastGoodOf(source: CatalogSource): LoadResult | null {
  const bytes = source.inForce?.read();
  if (!bytes) return null;
  const hash = Bun.CryptoHasher.hash("sha256", bytes, "hex");
  try {
    return loadCatalog({ ...source, read: () => ({ bytes, hash, version: null, name: source.name }) });
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
}
