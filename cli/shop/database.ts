/** Opens the database for one command, and says in words why it cannot be used. */
import { existsSync, statSync } from "node:fs";
import { noCatalogMessage } from "../../src/catalog/load/document.ts";
import { heldAsOf } from "../../src/domain/lifecycle.ts";
import { catalogFile, dataLocation } from "../../src/env/env.ts";
import { errorFacts, explainCode, HOW_TO_REPAIR, meansDamage } from "../../src/lib/files.ts";
import { type DataLocation, locationOf, shownLocation, theDatabase } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { ClockSkewed } from "../../src/store/postgres/clock.ts";
import { databaseFile, type Upgrade } from "../../src/store/sqlite/database.ts";
import { EarlierVersionRuns, FolderInUse } from "../../src/store/sqlite/folder-lock.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import {
  OutcomeUnknown,
  StoreDamaged,
  StoreDiffers,
  StoreForeign,
  StoreTooNew,
  StoreTooOld,
  StoreUnavailable,
} from "../../src/store/store-errors.ts";
import { CliError, clean } from "../terminal/output.ts";
import { postgresAdvice } from "./postgres-advice.ts";
import { actAsOwner } from "./rights.ts";

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
 * @throws CliError when the database cannot be opened, read or written
 */
export async function withStore<T>(
  { data, catalog }: Pick<CommonOptions, "data" | "catalog">,
  work: (store: Store) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const location = dataLocation(data);
  const shop = catalogFile(catalog);
  // In the wrong folder nothing is made.
  if (create && !hasDatabase(location) && !existsSync(shop)) throw new CliError(noCatalogMessage(shop));
  if (location.kind === "folder") actAsOwner(location.folder);
  const opened = create ? refuseFile(location) : inMemoryIfMissing(location);
  let store: Store | undefined;
  try {
    store = await openStore(opened, { onUpgrade: sayUpgrade });
    return await work(seenNow(store));
  } catch (error) {
    throw cannotUse(error, location);
  } finally {
    await store?.close();
  }
}

/** A hold that is over has expired, whether or not a server has written so. */
function seenNow(store: Store): Store {
  const seen = (booking: Booking) => heldAsOf(booking, Temporal.Now.instant().epochMilliseconds);
  return {
    ...store,
    bookings: async (...asked) => (await store.bookings(...asked)).map(seen),
    async findBooking(code) {
      const booking = await store.findBooking(code);
      return booking && seen(booking);
    },
    upcoming: async (after, statuses) =>
      (await store.upcoming(after, statuses)).map(seen).filter(({ status }) => statuses.includes(status)),
    async customer(id) {
      const customer = await store.customer(id);
      return customer && { ...customer, bookings: customer.bookings.map(seen) };
    },
  };
}

function sayUpgrade({ from, to, kept }: Upgrade): void {
  process.stderr.write(
    `The database was brought from version ${from} to ${to}. As it was before, it is kept as ${clean(kept)}; to go back, install the earlier program and restore that file.\n`,
  );
}

/** Whether there is a database to read; with PostgreSQL there always is. */
export function hasDatabase(location: DataLocation): boolean {
  if (location.kind === "url") return true;
  try {
    return statSync(databaseFile(location.folder), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder that cannot be looked into may have one. Opening it says why it cannot be used.
    return true;
  }
}

/** @throws CliError */
function refuseFile(location: DataLocation): DataLocation {
  if (location.kind === "folder" && isFile(location.folder))
    throw new CliError(`${location.folder} is a file, not the folder of a database.`);
  return location;
}

/**
 * The place itself, or a database in memory for a folder without one.
 * @throws CliError when nobody may look into the folder: it must not look like an empty shop
 */
function inMemoryIfMissing(location: DataLocation): DataLocation {
  refuseFile(location);
  if (location.kind === "url") return location;
  try {
    statSync(databaseFile(location.folder));
    return location;
  } catch (error) {
    const { code } = errorFacts(error);
    if (code !== "ENOENT") throw new CliError(databaseTrouble(location, explainCode(code)));
    process.stderr.write(`There is no database in ${clean(location.folder)} yet.\n`);
    return locationOf(":memory:");
  }
}

function databaseTrouble(location: DataLocation, reason: string): string {
  return `${theDatabase(location)} cannot be used (${reason}). Run tint doctor to see what is wrong.`;
}

export function isFile(folder: string): boolean {
  return existsSync(folder) && !statSync(folder).isDirectory();
}

const FOLDER_ERRORS = ["EACCES", "EEXIST", "ELOOP", "ENOTDIR", "EROFS", "EPERM", "ENOSPC"];

/** Turns an error of the database into a CliError. Other errors are returned unchanged. */
export function cannotUse(error: unknown, location: DataLocation): unknown {
  const database = theDatabase(location);
  if (error instanceof OutcomeUnknown)
    return new CliError(
      `${database} did not answer, so it is not known whether the change was made. Look before you try again.`,
    );
  const remote = location.kind === "url" ? postgresAdvice(error) : undefined;
  const unchanged = error instanceof StoreUnavailable ? " Nothing was changed." : "";
  if (remote) return new CliError(`${database} cannot be used: ${remote.reason}. ${remote.wayOut}${unchanged}`);
  if (error instanceof StoreUnavailable)
    return new CliError(`${database} cannot be written just now (${error.message}).${unchanged}`);
  if (error instanceof FolderInUse)
    return new CliError(`A backup is being restored in ${shownLocation(location)}. Try again after it.`);
  if (error instanceof EarlierVersionRuns)
    return new CliError(
      `A server or another tint of an earlier version uses ${database.replace(/^The/, "the")}. Stop it, update its program, and try again. Nothing was changed.`,
    );
  if (error instanceof ClockSkewed) return new CliError(`${database} cannot be used: ${error.message}.`);
  if (error instanceof StoreTooNew) {
    const wayBack = location.kind === "folder" ? ", or restore the copy that the update kept beside the database" : "";
    return new CliError(`${shownLocation(location)}: ${error.message}${wayBack}.`);
  }
  if (error instanceof StoreDiffers || error instanceof StoreForeign)
    return new CliError(`${shownLocation(location)}: ${error.message}. Nothing was changed.`);
  if (error instanceof StoreTooOld) {
    const anew = location.kind === "folder" ? "a folder without a database" : "an empty database";
    return new CliError(`${shownLocation(location)}: ${error.message}, or begin anew in ${anew}.`);
  }
  const { code, syscall } = errorFacts(error);
  if (error instanceof StoreDamaged || meansDamage(code))
    return new CliError(`${database} is damaged: ${HOW_TO_REPAIR}`);
  if (code !== undefined && (code.startsWith("SQLITE_") || FOLDER_ERRORS.includes(code) || syscall === "mkdir"))
    return new CliError(databaseTrouble(location, explainCode(code)));
  return error;
}
