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
import { EarlierVersionRuns, FolderInUse } from "../../src/store/sqlite/file-lock.ts";
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
import { actAsOwner } from "./rights.ts";

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
  if (location.kind === "folder" && isFile(location.folder))
    throw new CliError(`${location.folder} is a file, not the folder of a database.`);
  const opened = create ? location : inMemoryIfMissing(location);
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

/** The place, or a database in memory where there is none. @throws CliError when nobody may look: it must not look like an empty shop */
function inMemoryIfMissing(location: DataLocation): DataLocation {
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

/**
 * Beginnings of a SQLSTATE (PostgreSQL, appendix A; two letters are a class), or of the code or name of an error of the connection;
 * the reason, and what to do, in sentences.
 */
type Advice = readonly [codes: string, reason: string, wayOut: string];

const URL_IS_IN = "the URL is in TINT_DATA (.env beside the catalog) or in --data";
const ADVICE: readonly Advice[] = [
  ["28", "PostgreSQL does not let this user in", `Correct the user and the password: ${URL_IS_IN}.`],
  ["3D000", "PostgreSQL has no database of this name", "Make it with createdb, or correct the end of the URL."],
  // Bun sends parameters of the URL that it does not know to the server, as settings of the session.
  [
    "42704",
    "PostgreSQL does not know a setting behind the ? of its URL",
    `Remove the names that belong to another program, like pgbouncer: ${URL_IS_IN}.`,
  ],
  ["42501", "this user is not allowed to", "Make the user the owner of the database: ALTER DATABASE … OWNER TO …"],
  ["53300", "PostgreSQL has no connection left", "Raise its max_connections, or stop programs that use it."],
  ["53100", "the disk of PostgreSQL is full", "Make room there."],
  ["25006", "this server of PostgreSQL can only be read", "Name the primary in the URL, not a standby."],
  [
    "57P ERR_POSTGRES_CONNECTION_CLOSED",
    "PostgreSQL starts, stops, or closed the connection",
    "Try again in a moment.",
  ],
  [
    "22021 22P05",
    "a text has the character U+0000, which PostgreSQL cannot keep",
    "Take the character out of the text.",
  ],
  [
    "57014 55P03 ERR_POSTGRES_CONNECTION_TIMEOUT NoAnswer",
    "PostgreSQL does not answer in time",
    "Look at its load, and at firewalls between this machine and the database.",
  ],
  [
    "ERR_POSTGRES_CONNECTION_REFUSED ERR_POSTGRES_CONNECTION_FAILED",
    "nothing answers there",
    "Check the host name and the port, that PostgreSQL runs, and that it listens on that address.",
  ],
  [
    "ERR_POSTGRES_TLS_NOT_AVAILABLE",
    "PostgreSQL has no TLS",
    "Switch on ssl in postgresql.conf, or leave sslmode out of the URL on a private network.",
  ],
  [
    "ERR_POSTGRES_TLS CERT_ DEPTH_ZERO UNABLE_TO_ SELF_SIGNED ERR_TLS ERR_SSL",
    "the TLS certificate of PostgreSQL is not trusted",
    "Give it a certificate for its host name, from an authority that this machine trusts.",
  ],
  [
    "ERR_INVALID_URL",
    "its URL cannot be read",
    `In a password write / as %2F, ? as %3F, # as %23 and @ as %40: ${URL_IS_IN}.`,
  ],
];

/** Looks at the causes as well, because the store wraps errors. @returns undefined for an error that is none of these */
export function postgresAdvice(error: unknown): { reason: string; wayOut: string } | undefined {
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    const { errno } = one as Error & { errno?: unknown };
    const codes = [errno, errorFacts(one).code, one.name].filter((code) => typeof code === "string");
    const isMeant = (code: string) => codes.some((has) => has.startsWith(code));
    const [, reason, wayOut] = ADVICE.find(([known]) => known.split(" ").some(isMeant)) ?? [];
    if (reason && wayOut) return { reason, wayOut };
  }
  return undefined;
}
