/** The database, for the length of one command. */
import { existsSync, statSync } from "node:fs";
import { dataFolder } from "../../src/env/env.ts";
import { reasonOf } from "../../src/lib/reasons.ts";
import { databaseFile } from "../../src/store/database.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { type Store, StoreUnavailable } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";

/** What every command is given. */
export interface CommonOptions {
  catalog?: string;
  data?: string;
  json?: boolean;
}

/**
 * Where there is no database yet, a command says so, sees an empty one and leaves nothing behind, unless it is there to
 * write: a mistyped folder must not look like an empty shop.
 * @throws Failure when the database cannot be opened, read or written
 */
export async function withStore<T>(
  data: string | undefined,
  work: (store: Store) => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const folder = dataFolder(data);
  if (isFile(folder)) throw new Failure(`${folder} is a file, not the folder of a database.`);
  const isThere = create || hasDatabase(folder);
  if (!isThere) process.stderr.write(`There is no database in ${clean(folder)} yet.\n`);
  let store: Store | undefined;
  try {
    store = openSqliteStore(isThere ? folder : ":memory:");
    return await work(store);
  } catch (error) {
    throw cannotUse(error, folder);
  } finally {
    await store?.close();
  }
}

export function hasDatabase(folder: string): boolean {
  return existsSync(databaseFile(folder));
}

export function isFile(folder: string): boolean {
  return existsSync(folder) && !statSync(folder).isDirectory();
}

/** SQLite's words for a file that holds no sound database. */
const DAMAGED = ["SQLITE_CORRUPT", "SQLITE_NOTADB"];
const FOLDER_FAULTS = ["EACCES", "EEXIST", "ENOTDIR", "EROFS", "EPERM", "ENOSPC"];

/** A refusal of the database as a Failure; anything else as it is. */
export function cannotUse(error: unknown, folder: string): unknown {
  if (error instanceof StoreUnavailable)
    return new Failure(`The database in ${folder} cannot be written just now (${error.message}). Nothing was changed.`);
  const { code, syscall } = Object(error) as { code?: unknown; syscall?: unknown };
  if (typeof code === "string" && DAMAGED.some((one) => code.startsWith(one)))
    return new Failure(
      `The database in ${folder} is damaged. Stop the server and put back the last good copy made with tint backup.`,
    );
  if (typeof code === "string" && (code.startsWith("SQLITE_") || FOLDER_FAULTS.includes(code) || syscall === "mkdir"))
    return new Failure(
      `The database in ${folder} cannot be used (${reasonOf(code)}). Run tint doctor to see what is wrong.`,
    );
  return error;
}
