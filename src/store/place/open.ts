/** Opens the store at a place, whichever engine it needs. */
import { openSqliteStore, type SqliteOptions } from "../sqlite/sqlite.ts";
import type { Store } from "../store.ts";
import type { Place } from "./place.ts";

export async function openStore(place: Place, options: SqliteOptions = {}): Promise<Store> {
  if (place.kind === "url") throw new Error("PostgreSQL comes with the next commits");
  return openSqliteStore(place.folder, options);
}
