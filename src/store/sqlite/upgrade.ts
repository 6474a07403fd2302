/** Brings a database of an earlier version to this one when a program opens it. */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { flush, makePrivate } from "../../lib/files.ts";
import { codeOf } from "../../lib/reasons.ts";
import { EarlierVersionRuns, FolderInUse, type Release, takeFolder } from "./folder-lock.ts";
import { readDatabase } from "./inspect.ts";
import { DATABASE_VERSION, migrate, versionOf } from "./migrations.ts";
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

/** Enters the folder, and brings a database of an earlier version to this one. */
export function enterUpgraded(file: string, onUpgrade?: (upgrade: Upgrade) => void): Release {
  // First, because this finishes a restore, whose files a look at the database would change.
  const leave = enterFolder(file);
  if (!isEarlier(file)) return leave;
  leave();
  upgrade(file, onUpgrade);
  return enterFolder(file);
}

/** Brings a database of an earlier version to this one, after a copy beside it. */
function upgrade(file: string, onUpgrade: (upgrade: Upgrade) => void = () => {}): void {
  if (!isEarlier(file)) return;
  let release: Release | undefined;
  try {
    release = takeFolder(dirname(file), UPGRADE_WAIT_MS);
    // Another program may have done it meanwhile.
    if (!isEarlier(file)) return;
    const db = new Database(file, { readwrite: true, strict: true });
    try {
      if (versionIn(file) === VERSION_WITHOUT_LOCK) takeDatabase(db);
      const from = versionOf(db);
      const at = new Date().toISOString().replace(/[-:.]/g, "");
      const kept = join(dirname(file), `tintdesk-version-${from}-${at}.db`);
      makePrivate(kept);
      db.query("VACUUM INTO ?").run(kept);
      flush(kept);
      migrate(db);
      onUpgrade({ from, to: versionOf(db), kept });
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new EarlierVersionRuns("a program of an earlier version uses the database", { cause: error });
  } finally {
    release?.();
  }
}

/** The database of release 1.0.0, which locked no folder: only its hold on the database shows that it runs. */
const VERSION_WITHOUT_LOCK = 1;

/** Locks the database alone, which other programs such as Litestream prevent, too. @throws FolderInUse */
function takeDatabase(db: Database): void {
  db.run("PRAGMA locking_mode = EXCLUSIVE");
  const end = performance.now() + UPGRADE_WAIT_MS;
  for (;;) {
    try {
      // The first read takes the lock. SQLite does not wait for it.
      versionOf(db);
      return;
    } catch (error) {
      if (!codeOf(error)?.startsWith("SQLITE_BUSY")) throw error;
      if (performance.now() > end) throw new FolderInUse("another program has the database open", { cause: error });
      Bun.sleepSync(20);
    }
  }
}

function isEarlier(file: string): boolean {
  const version = versionIn(file);
  return version > 0 && version < DATABASE_VERSION;
}

/** The version of a database; 0 without one. */
function versionIn(file: string): number {
  if (!existsSync(file)) return 0;
  try {
    return readDatabase(file, versionOf);
  } catch {
    // The store's own errors say more about a file that cannot be read.
    return 0;
  }
}
