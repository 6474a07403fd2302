/** Stands in for the database with the versions of a catalog, where a test is about what happens above it. */

import { type CatalogStore, openStoredCatalog, type StoredCatalog } from "../../src/store/catalog/stored-catalog.ts";
import { StoreUnavailable } from "../../src/store/store-errors.ts";

/** @returns the store, and a source of it for each machine that opens it */
export function catalogStoreWith(...texts: string[]) {
  const versions: StoredCatalog[] = [];
  const isAway = { now: false };
  const answer = <T>(value: () => T): Promise<T> =>
    isAway.now ? Promise.reject(new StoreUnavailable("away")) : Promise.resolve().then(value);
  const put = (text: string, madeBy = "somebody") => {
    const hash = `${text.length} ${versions.length}`;
    versions.push({ version: versions.length + 1, text, hash, madeAt: 1, madeBy, note: "" });
  };
  for (const text of texts) put(text);
  const store: CatalogStore = {
    latest: () => answer(() => versions.length),
    read: (version = versions.length) => answer(() => versions[version - 1] ?? null),
    history: (limit) => answer(() => versions.toReversed().slice(0, limit)),
    add: (next) => answer(() => next.version === versions.length + 1 && versions.push(next) > 0),
    close: async () => {},
  };
  return {
    store,
    versions,
    put,
    isAway,
    open: () => openStoredCatalog(store, { location: "postgres://db/shop", by: "ana on desk-1" }),
  };
}
