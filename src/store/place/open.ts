/** Opens the store at a place: a folder, `:memory:`, or the URL of a PostgreSQL database. */
import { openSqliteStore, type SqliteOptions } from "../sqlite/sqlite.ts";
import type { Store } from "../store.ts";

/** Whether a place is a PostgreSQL database rather than a folder. */
export function isUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//i.test(place);
}

/** @param place `TINT_DATA` or `--data` (contract section 19) */
export async function openStore(place: string, options: SqliteOptions = {}): Promise<Store> {
  if (isUrl(place)) throw new Error("PostgreSQL comes with the next commits");
  return openSqliteStore(place, options);
}
