import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "../schema.ts";
import { readCatalog } from "./catalog-file.ts";

/** A catalog that was read and found good, by the bytes it was read from and the program that judged them. */
interface Remembered {
  key: string;
  catalog: Catalog;
}

/**
 * Loads a catalog for one quick question. Parsing and checking the file takes most of the time of a quote, so the one
 * executable remembers the last good catalog in the owner's cache folder; any change to the file makes it read anew.
 * @param memory where to remember; without it the file is always read
 * @throws CatalogError
 */
export async function loadCachedCatalog(
  file: string,
  memory: { folder: string; build: string } | null,
): Promise<Catalog> {
  const { hash } = readCatalog(file);
  const key = `${memory?.build} ${hash}`;
  const known = memory && recall(memory.folder);
  if (known?.key === key) return known.catalog;
  const { loadCatalog } = await import("./load.ts");
  const { catalog } = loadCatalog(file);
  if (memory) remember(memory.folder, { key, catalog });
  return catalog;
}

const NAME = "catalog.json";

function recall(folder: string): Remembered | null {
  try {
    return JSON.parse(readFileSync(join(folder, NAME), "utf8")) as Remembered;
  } catch {
    return null;
  }
}

/** Fails in silence: a folder that cannot be written costs time, nothing else. */
function remember(folder: string, remembered: Remembered): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `${NAME}.${process.pid}`);
    writeFileSync(temporary, JSON.stringify(remembered), { mode: 0o600 });
    renameSync(temporary, join(folder, NAME));
  } catch {}
}
