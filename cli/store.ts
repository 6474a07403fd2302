/** The database, for the length of one command. */
import { existsSync } from "node:fs";
import { dataFolder } from "../src/env.ts";
import { databaseFile } from "../src/store/database.ts";
import { openSqliteStore } from "../src/store/sqlite.ts";
import { type Store, StoreUnavailable } from "../src/store/store.ts";
import { Failure } from "./program.ts";

/** What every command is given. */
export interface CommonOptions {
  catalog?: string;
  data?: string;
  json?: boolean;
}

/**
 * Where there is no database yet, a command sees an empty one and leaves nothing behind, unless it is there to write.
 * @throws Failure when the database cannot be opened, read or written
 */
export async function withStore<T>(
  data: string | undefined,
  work: (store: Store) => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const folder = dataFolder(data);
  let store: Store | undefined;
  try {
    store = openSqliteStore(create || existsSync(databaseFile(folder)) ? folder : ":memory:");
    return await work(store);
  } catch (error) {
    throw inWords(error, folder);
  } finally {
    await store?.close();
  }
}

const FOLDER_FAULTS = ["EACCES", "EEXIST", "ENOTDIR", "EROFS", "EPERM", "ENOSPC"];

/** A refusal of the database as a Failure; anything else as it is. */
export function inWords(error: unknown, folder: string): unknown {
  if (error instanceof StoreUnavailable)
    return new Failure(`The database in ${folder} cannot be written just now (${error.message}). Nothing was changed.`);
  const { code } = Object(error) as { code?: unknown };
  if (typeof code === "string" && (code.startsWith("SQLITE_") || FOLDER_FAULTS.includes(code)))
    return new Failure(`The database in ${folder} cannot be used (${code}). Run tint doctor to see what is wrong.`);
  return error;
}
