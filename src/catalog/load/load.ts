/** Loads a catalog. The executable, whose code does not change between two runs, keeps catalogs ready to use, a file each. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { deepFreeze } from "../../lib/fields.ts";
import { makePrivate, temporaryName } from "../../lib/files.ts";
import { atAddress } from "../at-site.ts";
import type { Catalog } from "../schema.ts";
import type { Shop } from "../shop.ts";
import type { CatalogSource } from "../source.ts";
import { CatalogError } from "./catalog-file.ts";

export interface CatalogCache {
  /** A folder that only the owner may write. */
  folder: string;
  /** A text that differs between builds of the program. */
  build: string;
}

export interface LoadedCatalog {
  catalog: Shop;
  /** SHA-256 of the text's bytes. */
  hash: string;
}

export interface LoadResult extends LoadedCatalog {
  /** As it is written, without the addresses at which the shop is reached. */
  written: Catalog;
  bytes: Uint8Array;
  /** False when the catalog was in the cache. */
  isParsed: boolean;
}

/**
 * Loads a catalog, from the cache while text and program are unchanged: reading and checking YAML takes longer than a
 * quick quote.
 * @param cache without it the text is always parsed
 * @throws CatalogError when the text cannot be read or has any issue
 */
export function loadCatalog(source: CatalogSource, cache: CatalogCache | null = null): LoadResult {
  const { bytes, hash, name } = source.read();
  const key = `${cache?.build} ${hash}`;
  const cached = cache && readCache(cache.folder, key);
  const written = cached ? deepFreeze(cached) : parsed(bytes, name);
  if (cache && !cached) writeCache(cache.folder, { key, catalog: written });
  return { catalog: atAddress(written, source.address), written, hash, bytes, isParsed: !cached };
}

function parsed(bytes: Uint8Array, name: string): Catalog {
  // Loaded on first use: the code that reads YAML is large, and a cached catalog does not need it.
  const { parseText }: typeof import("./parse.ts") = require("./parse.ts");
  return parseText(bytes, name).catalog;
}

interface Cached {
  /** The program's build and the hash of the file; both must match. */
  key: string;
  catalog: Catalog;
}

/** Room for several builds and catalogs that take turns on one machine. */
const MOST_CACHED = 8;
const PREFIX = "catalog";

function locationOf(folder: string, key: string): string {
  return join(folder, `${PREFIX}-${Bun.CryptoHasher.hash("sha256", key, "hex").slice(0, 32)}.json`);
}

/** @returns undefined when the catalog is not there */
function readCache(folder: string, key: string): Catalog | undefined {
  try {
    const cached = JSON.parse(readFileSync(locationOf(folder, key), "utf8")) as Cached;
    return cached.key === key ? cached.catalog : undefined;
  } catch {
    return undefined;
  }
}

/** Ignores a folder that cannot be written: the next start then takes longer, nothing else. */
function writeCache(folder: string, { key, catalog }: Cached): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = temporaryName(locationOf(folder, key));
    makePrivate(temporary, JSON.stringify({ key, catalog }));
    renameSync(temporary, locationOf(folder, key));
    const files = readdirSync(folder).filter((name) => name.replace(/^\./, "").startsWith(PREFIX));
    const writtenAt = new Map(files.map((name) => [name, statSync(join(folder, name)).mtimeMs]));
    const newestFirst = files.sort((a, b) => (writtenAt.get(b) ?? 0) - (writtenAt.get(a) ?? 0));
    for (const name of newestFirst.slice(MOST_CACHED)) rmSync(join(folder, name));
  } catch {}
}

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
