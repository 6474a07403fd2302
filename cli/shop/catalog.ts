/** Where the catalog of the shop is, for one command: a file, or the database that several machines share. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UnreadableCatalog } from "../../src/catalog/load/document.ts";
import { type CatalogSource, EditError } from "../../src/catalog/source.ts";
import {
  catalogFile,
  catalogMemory,
  dataLocation,
  EnvError,
  type Overrides,
  rawSettings,
  readAddress,
} from "../../src/env/env.ts";
import { makeFolder, makePrivate } from "../../src/lib/files.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { type CatalogStore, IN_DATABASE, STORED_CATALOG } from "../../src/store/catalog/stored-catalog.ts";
import { type DataLocation, folderOf, shownLocation, type UrlLocation } from "../../src/store/location/location.ts";
import { UsageError } from "../terminal/output.ts";
import { ACCOUNTS, accounts } from "./rights.ts";

type Locations = Overrides & { catalog?: string; data?: string };

interface Opened {
  source: CatalogSource;
  /** Null when the database cannot be used. */
  store: CatalogStore | null;
}

/** The catalog in the database, once it is open. One is enough, because a command works on one shop. */
let database: ({ url: string } & Opened) | null = null;

/**
 * Reads the catalog of a shop with PostgreSQL, for `catalogSource`, which says so when the database cannot be used.
 * @param isLook the tables are not brought up to date
 */
export async function openShopCatalog({ catalog, data }: Locations, isLook = false): Promise<void> {
  let location: DataLocation;
  try {
    location = dataLocation(data);
  } catch (error) {
    // The help needs no database, and any other command reports the issue itself.
    if (error instanceof EnvError) return;
    throw error;
  }
  if (catalog || location.kind !== "url" || database?.url === location.url) return;
  database = { url: location.url, ...(await openIn(location, isLook)) };
}

/** The catalog of the shop, with the addresses under which it is reached. Call `openShopCatalog` first. */
export function catalogSource({ catalog, data, ...listening }: Locations): CatalogSource {
  const here = { address: readAddress(listening), memory: catalogMemory() };
  if (!catalog && database) return { ...database.source, ...here };
  const location = dataLocation(data);
  if (!catalog && location.kind === "url") throw new Error("the catalog of this command was not opened");
  return { ...fileSource(catalogFile(catalog), folderOf(location)), ...here };
}

/** The versions in the database; null where the catalog is a file. @throws CatalogError when the database cannot be used */
export function catalogStore({ catalog }: Locations): CatalogStore | null {
  if (catalog || !database) return null;
  if (!database.store) database.source.read();
  return database.store;
}

/** A catalog file on a shared database would quote other prices than the other servers. @throws UsageError */
export function refuseFileBesideDatabase({ catalog, data }: Locations): void {
  if (catalog && dataLocation(data).kind === "url")
    throw new UsageError(
      "The catalog of this shop is in the database, so that every machine has the same. Leave out --catalog; to bring the file into the database: tint catalog import FILE",
    );
}

/** Closes the connection; otherwise the process would not end. */
export async function closeShopCatalog(): Promise<void> {
  await database?.store?.close();
  database = null;
}

async function openIn(location: UrlLocation, isLook: boolean): Promise<Opened> {
  // Loaded here, because most shops have a file.
  const [{ openCatalogStore }, { openStoredCatalog }] = await Promise.all([
    import("../../src/store/location/open.ts"),
    import("../../src/store/catalog/stored-catalog.ts"),
  ]);
  let store: CatalogStore | undefined;
  try {
    store = await openCatalogStore(location, isLook);
    return { store, source: await openStoredCatalog(store, { location: shownLocation(location), by: user() }) };
  } catch (error) {
    await store?.close();
    const { cannotUse } = await import("./database.ts");
    const known = cannotUse(error, location);
    if (!(known instanceof Error) || known === error) throw error;
    // A source that refuses everything, with the reason why the database cannot be used.
    const { message } = known;
    const refuse = async () => {
      throw new EditError(message);
    };
    const read = () => {
      throw new UnreadableCatalog(STORED_CATALOG, [message], message);
    };
    const watch = () => ({ everyMs: 1000, hasChanged: () => false, settle() {} });
    return { store: null, source: { ...IN_DATABASE, read, watch, save: refuse, earlier: refuse } };
  }
}

/** Who saves, for the history. */
export function user(): string {
  try {
    // Bun takes the name from USER, which timers, containers and services do not set.
    const account = existsSync(ACCOUNTS) && accounts().find(({ uid }) => uid === process.getuid?.());
    return `${account ? account.name : userInfo().username} on ${hostname()}`;
  } catch {
    // A container may run as a user without a name.
    return hostname();
  }
}

const CATALOG = "catalog.yaml";

function memory(): string {
  return join(rawSettings().XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "tintdesk", "last-folder");
}

/** Remembers the shop of this folder. In a folder without one, on a terminal: the options that name the shop that was used last. */
export function lastUsedShop(given: { catalog: string | undefined; data: string | undefined }): string[] {
  const { TINT_CATALOG, TINT_DATA } = rawSettings();
  const isSaid = [given.catalog, given.data, TINT_CATALOG, TINT_DATA].some((one) => one !== undefined);
  if (isSaid || !process.stdin.isTTY || !process.stdout.isTTY) return [];
  try {
    if (existsSync(CATALOG)) {
      makeFolder(dirname(memory()));
      rmSync(memory(), { force: true });
      makePrivate(memory(), resolve("."));
      return [];
    }
    const folder = readFileSync(memory(), "utf8");
    if (!existsSync(join(folder, CATALOG))) return [];
    process.stderr.write(`The shop is in ${folder}, the folder that was used last.\n`);
    return ["--catalog", join(folder, CATALOG), "--data", join(folder, "data")];
  } catch {
    // A memory that cannot be read or written is none.
    return [];
  }
}
