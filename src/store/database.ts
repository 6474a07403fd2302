import { Database, SQLiteError } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "./migrations.ts";
import { StoreUnavailable } from "./store.ts";

/** How long one attempt waits for another process's lock: hardly, for the wait holds up every request of this process. */
const BUSY_TIMEOUT_MS = 5;
/** How long a write is tried again, yielding to other requests in between, before it is given up. */
const WRITE_DEADLINE_MS = 4_000;
const RETRY_PAUSE_MS = 15;

/** The file of the database in a folder. */
export function databaseFile(folder: string): string {
  return join(folder, "tintdesk.db");
}

/** Opens, and where needed makes, `tintdesk.db` in a folder; `:memory:` opens a database of its own. */
export function openDatabase(folder: string): Database {
  const inMemory = folder === ":memory:";
  // Customers' names and numbers are in it: for the owner's eyes only.
  if (!inMemory) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = inMemory ? folder : databaseFile(folder);
  const isNew = !existsSync(file);
  const db = new Database(file, { create: true, strict: true });
  try {
    if (isNew && !inMemory) chmodSync(file, 0o600);
    db.run(`PRAGMA busy_timeout = ${WRITE_DEADLINE_MS}`);
    db.run("PRAGMA journal_mode = WAL");
    // With NORMAL a power cut loses bookings that were already confirmed.
    db.run("PRAGMA synchronous = FULL");
    db.run("PRAGMA foreign_keys = ON");
    migrate(db);
    db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (!inMemory) files.set(db, { file, inode: inodeOf(file) });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Where each database lay when it was opened. */
const files = new WeakMap<Database, { file: string; inode: number | undefined }>();

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** What is written into a file that was deleted or replaced would be lost with the process. */
function isInPlace(db: Database): boolean {
  const opened = files.get(db);
  return opened === undefined || inodeOf(opened.file) === opened.inode;
}

const OUT_OF_ORDER = ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_LOCKED"];

/** The last write of each database that waits or runs: one at a time waits for another process's lock. */
const queues = new WeakMap<Database, Promise<unknown>>();

/**
 * Runs `work` in one `BEGIN IMMEDIATE` transaction. `work` must be synchronous: an awaited statement would run after
 * the commit.
 * @throws StoreUnavailable when the database cannot be written
 */
export function inTransaction<T>(db: Database, work: () => T): Promise<T> {
  const deadline = performance.now() + WRITE_DEADLINE_MS;
  const before = queues.get(db) ?? Promise.resolve();
  const done = before.then(() => write(db, work, deadline));
  queues.set(
    db,
    done.catch(() => {}),
  );
  return done;
}

async function write<T>(db: Database, work: () => T, deadline: number): Promise<T> {
  const transaction = db.transaction(work);
  for (;;) {
    if (!isInPlace(db)) throw new StoreUnavailable("its file was deleted or replaced; restart the program");
    try {
      return transaction.immediate();
    } catch (error) {
      if (!(error instanceof SQLiteError)) throw error;
      const code = error.code ?? "";
      if (OUT_OF_ORDER.some((prefix) => code.startsWith(prefix))) throw new StoreUnavailable(code, { cause: error });
      if (!code.startsWith("SQLITE_BUSY")) throw error;
      if (performance.now() > deadline) throw new StoreUnavailable("locked past the deadline", { cause: error });
    }
    await Bun.sleep(RETRY_PAUSE_MS * (0.5 + Math.random()));
  }
}
