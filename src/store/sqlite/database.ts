/** The database file: opened, brought to this version, written, cleaned, and its write-ahead log kept short. */
import { Database } from "bun:sqlite";
import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  codeOf,
  explainCode,
  flush,
  makeFolder,
  makePrivate,
  removeTemporaries,
  temporaryName,
} from "../../lib/files.ts";
import { SCHEMA_VERSION, versionError } from "../migrations.ts";
import { stepsOf, type Write } from "../queries/reads-and-writes.ts";
import type { Steps } from "../queries/steps.ts";
import { StoreUnavailable } from "../store-errors.ts";
import { createWriteQueue, WRITE_DEADLINE_MS, type WriteResult, type WriteTimes } from "../write-queue.ts";
import { EarlierVersionRuns, FolderInUse, type ReleaseLock, takeFolder } from "./file-lock.ts";
import { foreignError, readDatabase, tablesError } from "./inspect.ts";
import { copyInto, migrate, newInMemory, runSteps, schemaVersion } from "./migrate.ts";
import { enterFolder } from "./restore.ts";
import { firstLook, isSameFile, type Known } from "./same-file.ts";

/** How long one attempt waits for another process's lock. Short, because the wait blocks every request of this process. */
const BUSY_TIMEOUT_MS = 5;

export function databaseFile(folder: string): string {
  return join(folder, "tintdesk.db");
}

interface OpenOptions {
  onUpgrade?: ((upgrade: Upgrade) => void) | undefined;
  /** Of the thread that opened the file first. */
  known?: Known | undefined;
}

/**
 * `tintdesk.db` in a folder, made if missing; `:memory:` is a new one.
 * @throws StoreTooNew, StoreTooOld, EarlierVersionRuns; StoreUnavailable when it is not the file that is known
 */
export function openDatabase(folder: string, { onUpgrade, known }: OpenOptions = {}): Database {
  const inMemory = folder === ":memory:";
  // The file holds customers' names and numbers: only its owner may read it.
  if (!inMemory) makeFolder(folder);
  const file = inMemory ? folder : databaseFile(folder);
  const leave = inMemory ? undefined : enterUpgraded(file, onUpgrade);
  let db: Database | undefined;
  try {
    if (!inMemory && !existsSync(file)) makeNew(file);
    // Not made here, because SQLite would make the file that a link names.
    db = inMemory ? newInMemory() : new Database(file, { readwrite: true, strict: true });
    db.run(`PRAGMA busy_timeout = ${WRITE_DEADLINE_MS}`);
    db.run("PRAGMA journal_mode = WAL");
    // NORMAL can lose confirmed bookings in a power cut.
    db.run("PRAGMA synchronous = FULL");
    db.run("PRAGMA foreign_keys = ON");
    // Savepoints keep notes in a temporary file otherwise, which fails while the process is out of file handles.
    db.run("PRAGMA temp_store = MEMORY");
    // Deleted personal data must not stay in the file.
    db.run("PRAGMA secure_delete = ON");
    db.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    db.run(`PRAGMA journal_size_limit = ${LONGEST_LOG_BYTES}`);
    migrate(db);
    db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (leave) {
      const found = known ?? firstLook(db, file);
      if (!isSameFile(file, found)) throw notInPlace();
      files.set(db, { file, known: found, log: createLogKeeper(db, file), leave });
    }
    return db;
  } catch (error) {
    db?.close();
    leave?.();
    throw error;
  }
}

/** Whole from the first moment: a file without tables is somebody else's. */
function makeNew(file: string): void {
  const fresh = temporaryName(file);
  try {
    makePrivate(fresh);
    const db = new Database(fresh, { readwrite: true, strict: true });
    try {
      // Of two programs that made it so later at once, SQLite would refuse one without waiting.
      db.run("PRAGMA journal_mode = WAL");
      migrate(db);
    } finally {
      db.close();
    }
    flush(fresh);
    linkSync(fresh, file);
    flush(dirname(file));
  } catch (error) {
    // Another program has just made it.
    if (codeOf(error) === "EEXIST") return;
    // Some file systems have no links.
    if (codeOf(error) !== "EPERM" && codeOf(error) !== "ENOTSUP") throw error;
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

export function closeDatabase(db: Database): void {
  const opened = files.get(db);
  opened?.log.stop();
  db.close();
  opened?.leave();
}

/** secure_delete misses what SQLite moved between pages; only VACUUM rewrites every page. */
export function cleanFile(db: Database, mostBytes = Number.POSITIVE_INFINITY): boolean {
  const file = files.get(db)?.file;
  const isSmall = file === undefined || statSync(file).size <= mostBytes;
  try {
    db.run(`PRAGMA busy_timeout = ${isSmall ? WRITE_DEADLINE_MS : BUSY_TIMEOUT_MS}`);
    if (isSmall) db.run("VACUUM");
    return emptyLog(db) && isSmall;
  } catch {
    return false;
  } finally {
    db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

interface Opened {
  file: string;
  known: Known;
  log: ReturnType<typeof createLogKeeper>;
  leave: ReleaseLock;
}

const files = new WeakMap<Database, Opened>();

/** For another thread of the program; undefined of a database in memory. */
export function knownOf(db: Database): Known | undefined {
  return files.get(db)?.known;
}

function isInPlace(db: Database, patienceMs?: number): boolean {
  const opened = files.get(db);
  return !opened || isSameFile(opened.file, opened.known, patienceMs);
}

/** Reads once. @throws StoreUnavailable when the files are no longer those that were opened */
export function readSteps<Result>(db: Database, steps: Steps<Result>): Result {
  try {
    return runSteps(db, steps);
  } catch (error) {
    throw isInPlace(db, 0) ? error : notInPlace(error);
  }
}

function notInPlace(cause?: unknown): StoreUnavailable {
  const said =
    "the file, or its -wal or -shm, was deleted, replaced or overwritten; restart the program, or restore a backup";
  return new StoreUnavailable(said, { cause });
}

const OUT_OF_ORDER = ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_LOCKED"];

type Work = () => unknown;

/** In one `BEGIN IMMEDIATE`, synchronous. A work that throws leaves the others untouched; one may run twice. Throws StoreUnavailable. */
export function commitTogether(db: Database, works: readonly Work[]): WriteResult[] {
  if (!isInPlace(db)) throw notInPlace();
  try {
    const outcomes = commitAll(db, works);
    files.get(db)?.log.check();
    return outcomes;
  } catch (error) {
    const code = codeOf(error);
    if (!isOutOfOrder(code)) throw error;
    throw new StoreUnavailable(`${explainCode(code)}, ${code}`, { cause: error });
  }
}

function commitAll(db: Database, works: readonly Work[]): WriteResult[] {
  try {
    return db
      .transaction(() =>
        withBeat(
          db,
          works.map((work) => ({ value: work() })),
        ),
      )
      .immediate();
  } catch (error) {
    const code = codeOf(error);
    if (isOutOfOrder(code) || code?.startsWith("SQLITE_BUSY")) throw error;
  }
  // One of the works threw. Now each gets a savepoint, so that the others stay. Savepoints for all would cost a seventh
  // of the time. A transaction inside another one is a savepoint. Made once, because making it costs more than using
  // it.
  const savepoint = db.transaction((work: Work) => work());
  return db
    .transaction(() =>
      withBeat(
        db,
        works.map((work) => tryWrite(() => savepoint(work), db)),
      ),
    )
    .immediate();
}

/** Counts the commit, so that an earlier copy put over the file is known by its count. */
function withBeat<Results>(db: Database, results: Results): Results {
  db.query("UPDATE heartbeat SET beats = beats + 1").run();
  return results;
}

function tryWrite(work: () => unknown, db: Database): WriteResult {
  try {
    return { value: work() };
  } catch (error) {
    // SQLite ends the whole transaction after some errors.
    if (!db.inTransaction || isOutOfOrder(codeOf(error))) throw error;
    return { error };
  }
}

function isOutOfOrder(code: string | undefined): boolean {
  return OUT_OF_ORDER.some((prefix) => code?.startsWith(prefix));
}

const RETRY_PAUSE_MS = 15;
/** So many writes take some 50 ms, and nobody waits longer for the writes of others. */
const MOST_TOGETHER = 250;

export function createSqliteQueue(db: Database, onCommit?: WriteTimes) {
  const work = (write: Write) => () => runSteps(db, stepsOf(write));
  return createWriteQueue<Write>(async (writes) => commitTogether(db, writes.map(work)), {
    mayRetry: (error) => codeOf(error)?.startsWith("SQLITE_BUSY") ?? false,
    unavailable: "locked past the deadline",
    pauseMs: RETRY_PAUSE_MS,
    mostTogether: MOST_TOGETHER,
    onCommit,
  });
}

/** Above this size the log is emptied as soon as nobody reads from it. */
export const LONGEST_LOG_BYTES = 48 * 1024 ** 2;
/** At this length, about 40 MB, SQLite moves the log into the file, and writes wait 15 ms; at 3,000 pages it took a tenth of the time. */
const LOG_PAGES = 10_000;
/** The log is looked at after this pause, not at each write, because callers wait for the write. */
const CHECK_AFTER_MS = 1_000;

/** While a long reader reads, SQLite can only append to the log: afterwards it is shortened. */
function createLogKeeper(db: Database, file: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const checkLater = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (logBytes(file) > LONGEST_LOG_BYTES && !emptyLog(db)) checkLater();
    }, CHECK_AFTER_MS);
    // The timer must not keep the program alive while another process reads.
    timer.unref();
  };
  return {
    /** Call it after each write. */
    check() {
      if (timer === undefined) checkLater();
    },
    stop: () => clearTimeout(timer),
  };
}

function logBytes(file: string): number {
  try {
    return statSync(`${file}-wal`).size;
  } catch {
    // There is no readable log. The write is already committed, so this check must not fail.
    return 0;
  }
}

/** @returns false while another connection reads or writes */
function emptyLog(db: Database): boolean {
  try {
    return db.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } catch {
    // The disk may be full or missing. The next write reports that to its caller.
    return false;
  }
}

/** A database that was brought to the version of this program. */
export interface Upgrade {
  from: number;
  to: number;
  kept: string;
}

/** How long a program that starts waits for others of the same version that upgrade or read. */
const UPGRADE_WAIT_MS = 4_000;

/** Enters the folder, and brings a database of an earlier version to this one. @throws StoreForeign, StoreDiffers, EarlierVersionRuns */
function enterUpgraded(file: string, onUpgrade?: (upgrade: Upgrade) => void): ReleaseLock {
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
    const copy = temporaryName(file);
    // Of upgrades that were killed: the folder is locked.
    removeTemporaries(file);
    try {
      makePrivate(copy);
      copyInto(db, copy);
      flush(copy);
      renameSync(copy, kept);
      migrate(db);
    } catch (error) {
      // The database is as it was, and each start would leave another copy.
      for (const one of [copy, kept]) rmSync(one, { force: true });
      throw error;
    }
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
