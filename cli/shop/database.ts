/** Opens the database for one command, and says in words why it cannot be used. */
import { existsSync, statSync } from "node:fs";
import { noCatalogMessage } from "../../src/catalog/load/catalog-file.ts";
import { catalogFile, dataFolder } from "../../src/env/env.ts";
import { errorFacts, meansDamage, reasonOf, TO_MEND } from "../../src/lib/reasons.ts";
import { openStore } from "../../src/store/place/open.ts";
import { databaseFile, type Upgrade } from "../../src/store/sqlite/database.ts";
import { EarlierVersionRuns, FolderInUse } from "../../src/store/sqlite/folder-lock.ts";
import { type Store, StoreDamaged, StoreTooNew, StoreUnavailable } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";

/** Options of every command. */
export interface CommonOptions {
  catalog?: string;
  data?: string;
  json?: boolean;
}

/**
 * Opens the database, and closes it after the work. Without a database a command says so and works on an empty one that
 * is never saved: a mistyped folder must not look like an empty shop.
 * @param create makes the database instead, where there is a catalog
 * @param catalog the option that names the catalog
 * @throws Failure when the database cannot be opened, read or written
 */
export async function withStore<T>(
  data: string | undefined,
  work: (store: Store) => Promise<T>,
  { create = false, catalog }: { create?: boolean; catalog?: string | undefined } = {},
): Promise<T> {
  const folder = dataFolder(data);
  const shop = catalogFile(catalog);
  // In the wrong folder nothing is made.
  if (create && !hasDatabase(folder) && !existsSync(shop)) throw new Failure(noCatalogMessage(shop));
  if (isFile(folder)) throw new Failure(`${folder} is a file, not the folder of a database.`);
  const isThere = create || isThereIn(folder);
  if (!isThere) process.stderr.write(`There is no database in ${clean(folder)} yet.\n`);
  let store: Store | undefined;
  try {
    store = await openStore(isThere ? folder : ":memory:", { onUpgrade: sayUpgrade });
    return await work(store);
  } catch (error) {
    throw cannotUse(error, folder);
  } finally {
    await store?.close();
  }
}

function sayUpgrade({ from, to, kept }: Upgrade): void {
  process.stderr.write(
    `The database was brought from version ${from} to ${to}. As it was before, it is kept as ${clean(kept)}; to go back, install the earlier program and restore that file.\n`,
  );
}

export function hasDatabase(folder: string): boolean {
  return existsSync(databaseFile(folder));
}

/** @throws Failure when nobody may look into the folder: it must not look like an empty shop */
function isThereIn(folder: string): boolean {
  try {
    statSync(databaseFile(folder));
    return true;
  } catch (error) {
    const { code } = errorFacts(error);
    if (code === "ENOENT") return false;
    throw new Failure(
      `The database in ${folder} cannot be used (${reasonOf(code)}). Run tint doctor to see what is wrong.`,
    );
  }
}

export function isFile(folder: string): boolean {
  return existsSync(folder) && !statSync(folder).isDirectory();
}

const FOLDER_FAULTS = ["EACCES", "EEXIST", "ENOTDIR", "EROFS", "EPERM", "ENOSPC"];

/** Turns an error of the database into a Failure. Other errors are returned unchanged. */
export function cannotUse(error: unknown, folder: string): unknown {
  if (error instanceof StoreUnavailable)
    return new Failure(`The database in ${folder} cannot be written just now (${error.message}). Nothing was changed.`);
  if (error instanceof FolderInUse) return new Failure(`A backup is being restored in ${folder}. Try again after it.`);
  if (error instanceof EarlierVersionRuns)
    return new Failure(
      `A server or another tint of an earlier version uses the database in ${folder}. Stop it, update its program, and try again. Nothing was changed.`,
    );
  if (error instanceof StoreTooNew) return new Failure(`${folder}: ${error.message}.`);
  const { code, syscall } = errorFacts(error);
  if (error instanceof StoreDamaged || meansDamage(code))
    return new Failure(`The database in ${folder} is damaged: ${TO_MEND}`);
  if (code !== undefined && (code.startsWith("SQLITE_") || FOLDER_FAULTS.includes(code) || syscall === "mkdir"))
    return new Failure(
      `The database in ${folder} cannot be used (${reasonOf(code)}). Run tint doctor to see what is wrong.`,
    );
  return error;
}
