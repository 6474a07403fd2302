/** Opens the store at a location, whichever engine it needs. */

import type { CatalogStore } from "../catalog/stored-catalog.ts";
import type { PostgresOptions } from "../postgres/postgres.ts";
import { openSqliteStore, type SqliteOptions } from "../sqlite/sqlite.ts";
import type { Store } from "../store.ts";
import type { DataLocation, UrlLocation } from "./location.ts";

/** A server's connections for reading: several, so that a slow query does not hold up the quick ones of other callers. */
const SERVER_READERS = 5;

interface StoreOptions extends Omit<SqliteOptions, "writer">, Omit<PostgresOptions, "readers"> {
  /** With SQLite a server writes in a thread, with PostgreSQL it reads on several connections: it answers many callers at once. */
  isServer?: boolean;
}

/** @throws StoreTooNew, StoreTooOld, ClockSkewed, or the error of a database that cannot be used */
export async function openStore(
  location: DataLocation,
  { isServer = false, ...options }: StoreOptions = {},
): Promise<Store> {
  if (location.kind === "folder")
    return openSqliteStore(location.folder, { ...options, writer: isServer ? "thread" : "here" });
  const { url } = location;
  const { openPostgresStore } = await import("../postgres/postgres.ts");
  const readers = isServer ? SERVER_READERS : undefined;
  const store = await openPostgresStore(url, { ...options, readers });
  return {
    ...store,
    async copyTo(file) {
      const { copyToFile } = await import("./copy.ts");
      await copyToFile(url, file);
    },
  };
}

/** Opens the versions of the catalog. @param isLook changes no tables @throws StoreTooNew, StoreTooOld, or the error of a database that cannot be used */
export async function openCatalogStore({ url }: UrlLocation, isLook = false): Promise<CatalogStore> {
  const { openPostgresCatalogs } = await import("../postgres/catalogs.ts");
  return openPostgresCatalogs(url, isLook);
}
