/** Loads catalog.yaml, where a cache may save the reading. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deepFreeze } from "../../lib/deep-freeze.ts";
import type { Catalog } from "../schema.ts";
import { readCatalogFile } from "./catalog-file.ts";
import { codeHash } from "./code-hash.ts";

export interface CatalogCache {
  /** A folder that only the owner may write. */
  folder: string;
  /** A text that differs between builds of the program. Without it, the code is hashed. */
  build: string | undefined;
}

interface Cached {
  /** The program's build and the hash of the file; both must match. */
  key: string;
  catalog: Catalog;
}

export interface LoadedCatalog {
  catalog: Catalog;
  /** SHA-256 of the file's bytes. */
  hash: string;
}

/**
 * Loads a catalog, from the cache while file and program are unchanged: reading and checking YAML takes longer than a
 * quick quote.
 * @param cache without it the file is always read
 * @throws CatalogError when the file cannot be read or has any fault
 */
export function loadCatalog(file: string, cache: CatalogCache | null = null): LoadedCatalog {
  const { bytes, hash } = readCatalogFile(file);
  const build = cache && (cache.build ?? codeHash());
  const key = `${build} ${hash}`;
  const cached = build && readCache(cache.folder);
  if (cached && cached.key === key) return { catalog: deepFreeze(cached.catalog), hash };
  // Loaded on first use: what reads YAML is large, and a cached catalog does not need it.
  const { parseCatalog }: typeof import("./parse.ts") = require("./parse.ts");
  const catalog = parseCatalog(bytes, file);
  if (build) writeCache(cache.folder, { key, catalog });
  return { catalog, hash };
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
