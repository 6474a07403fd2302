/** The catalog that goes with copied data: a file on one machine, versions in the database on several. */
import { existsSync } from "node:fs";
import { fileSource } from "../../src/catalog/file/file-source.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { readText } from "../../src/catalog/load/read-text.ts";
import { openCatalogStore } from "../../src/store/place/open.ts";
import { type FolderPlace, nameOf, type UrlPlace } from "../../src/store/place/place.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { openStoredCatalog } from "../../src/store/stored-catalog.ts";
import { catalogBeside, copyCatalog } from "../backup/set.ts";
import { user } from "../shop/catalog.ts";

export interface GoodCatalog {
  text: string;
  file: string;
}

/** @returns null where there is no such file @throws CatalogError when it has faults */
export function readGoodCatalog(file: string): GoodCatalog | null {
  if (!existsSync(file)) return null;
  const source = fileSource(file);
  loadCatalog(source);
  return { text: readText(source), file };
}

/** @returns a sentence about the catalog */
export async function putIntoDatabase(catalog: GoodCatalog | null, to: UrlPlace): Promise<string> {
  const store = await openCatalogStore(to);
  try {
    if ((await store.latest()) > 0) return "The catalog that the database has already is in force.";
    if (!catalog) return "There was no catalog to copy. To put one there: tint catalog import FILE";
    const { text, file } = catalog;
    const source = await openStoredCatalog(store, { place: nameOf(to), by: user() });
    await source.save(() => ({ was: "", text, changed: true }), { create: true, note: `copy of ${file}` });
    return `The catalog is in the database now, as it is in ${file}.`;
  } finally {
    await store.close();
  }
}

/** @returns a sentence about the catalog */
export async function takeOutOfDatabase(from: UrlPlace, { folder }: FolderPlace): Promise<string> {
  const store = await openCatalogStore(from);
  try {
    const file = catalogBeside(databaseFile(folder));
    const source = await openStoredCatalog(store, { place: nameOf(from), by: user() });
    return copyCatalog(source, file)
      ? `The catalog is in ${file}. To use it, copy it to the catalog file of that machine.`
      : "The database has no catalog.";
  } finally {
    await store.close();
  }
}
