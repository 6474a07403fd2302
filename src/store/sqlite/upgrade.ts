/** Brings a database of an earlier version to this one when a program opens it. */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { flush, makePrivate } from "../../lib/files.ts";
import { SCHEMA_VERSION, versionError } from "../migrations.ts";
import { EarlierVersionRuns, FolderInUse, type ReleaseLock, takeFolder } from "./folder-lock.ts";
import { foreignError, readDatabase, tablesError } from "./inspect.ts";
import { copyInto, migrate, schemaVersion } from "./migrate.ts";
import { enterFolder } from "./restore.ts";

/** A database that was brought to the version of this program. */
export interface Upgrade {
  from: number;
  to: number;
  /** The copy of the database as it was before. */
  kept: string;
}

/** How long a program that starts waits for others of the same version that upgrade or read. */
const UPGRADE_WAIT_MS = 4_000;

/** Enters the folder, and brings a database of an earlier version to this one. @throws StoreForeign, StoreDiffers, EarlierVersionRuns */
export function enterUpgraded(file: string, onUpgrade?: (upgrade: Upgrade) => void): ReleaseLock {
  // First, because this finishes a restore, whose files a look at the database would change.
  const leave = enterFolder(file);
  const foreign = ifReadable(() => foreignError(file));
  if (!foreign && !isEarlier(file)) return leave;
  leave();
  if (foreign) throw foreign;
  upgrade(file, onUpgrade);
  return enterFolder(file);
}

/** Brings a database of an earlier version to this one, after a copy beside it. */
function upgrade(file: string, onUpgrade: (upgrade: Upgrade) => void = () => {}): void {
  let release: ReleaseLock | undefined;
  try {
    release = takeFolder(dirname(file), UPGRADE_WAIT_MS);
    // Another program may have done it meanwhile.
    if (!isEarlier(file)) return;
    using db = new Database(file, { readwrite: true, strict: true });
    const from = schemaVersion(db);
    const unknown = tablesError(file);
    if (unknown) throw unknown;
    const at = new Date().toISOString().replace(/[-:.]/g, "");
    const kept = join(dirname(file), `tintdesk-version-${from}-${at}.db`);
    makePrivate(kept);
    copyInto(db, kept);
    flush(kept);
    migrate(db);
    onUpgrade({ from, to: schemaVersion(db), kept });
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    // Another program that started at the same time may have done it, and uses the database now.
    if (!isEarlier(file)) return;
    throw new EarlierVersionRuns("a program of an earlier version uses the database", { cause: error });
  } finally {
    release?.();
  }
}

/** Whether the database can be brought up to date. */
function isEarlier(file: string): boolean {
  if (!existsSync(file)) return false;
  const version = ifReadable(() => readDatabase(file, schemaVersion)) ?? 0;
  return version > 0 && version < SCHEMA_VERSION && !versionError(version);
}

/** The store's own errors say more about a database that cannot be read. */
function ifReadable<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
