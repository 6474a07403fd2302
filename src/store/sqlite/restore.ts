/** Copies of a database: one is put in its place, and the replaced one kept; those that hold a person are listed. */
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, linkSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  codeOf,
  flush,
  makeFolder,
  makePrivate,
  removeTemporaries,
  replacePrivately,
  temporaryName,
} from "../../lib/files.ts";
import { versionError } from "../migrations.ts";
import { doubtDueJobs } from "../queries/claims.ts";
import { holds } from "../queries/forget.ts";
import type { Contact } from "../store.ts";
import { FolderInUse, type ReleaseLock, shareFolder, takeFolder } from "./file-lock.ts";
import { hasOurTables, inspectDatabase, isOurDatabase, readDatabase, schemaDifference } from "./inspect.ts";
import { copyInto, migrate, runSteps, schemaVersion } from "./migrate.ts";

/** The file cannot be restored; the message says why. Nothing was changed. */
export class UnusableBackup extends Error {
  override readonly name = "UnusableBackup";
}

export interface Restored {
  bytes: number;
  /** The version that the backup had. Its tables are brought up to this program's. */
  version: number;
  /** Where the database that was replaced is now; null when there was none. */
  kept: string | null;
}

/** A power cut leaves the old database or the new one: see `finishRestore`. Throws UnusableBackup, FolderInUse, or the disk's error. */
export function restoreDatabase(backup: string, file: string): Restored {
  const { version } = check(backup);
  makeFolder(dirname(file));
  const release = takeFolder(dirname(file));
  const copy = temporaryName(file);
  try {
    finishRestore(file);
    // The folder is locked, so no other restore is at work.
    removeTemporaries(file);
    makePrivate(copy);
    copyDatabase(backup, copy);
    const { bytes } = check(copy);
    // The kept database is named after the time of the copy. Take a later time while that name is in use.
    while (existsSync(replacedName(file, copy))) utimesSync(copy, new Date(), new Date());
    flush(copy);
    renameSync(copy, readyName(file));
    flush(dirname(file));
    return { bytes, version, kept: finishRestore(file) };
  } finally {
    rmSync(copy, { force: true });
    release();
  }
}

function check(file: string): { version: number; bytes: number } {
  if (!hasOurTables(file)) throw new UnusableBackup("it is not a copy made with tint backup, or it is damaged");
  const unknown = versionError(readDatabase(file, schemaVersion));
  if (unknown) throw unknown;
  // First, because a look for damage computes what the schema says.
  const difference = schemaDifference(file);
  if (difference !== undefined) throw new UnusableBackup(difference);
  const { issues, version, bytes } = inspectDatabase(file);
  if (issues.length > 0) throw new UnusableBackup(`it is damaged: ${issues.join("; ")}`);
  return { version, bytes };
}

/** Litestream's notes about a database. With another database under them its copy would be of neither. */
export function litestreamNotes(file: string): string {
  return join(dirname(file), `.${basename(file)}-litestream`);
}

/** Copies through SQLite, so that a log beside the backup is part of it. */
function copyDatabase(backup: string, copy: string): void {
  readDatabase(backup, (from) => copyInto(from, copy));
  using to = new Database(copy, { readwrite: true, strict: true });
  migrate(to);
  runSteps(to, doubtDueJobs(Date.now()));
}

/** A checked copy under this name will replace the database, even after a power cut. */
function readyName(file: string): string {
  return `${file}-restored`;
}

const REPLACED = "tintdesk-replaced-";

/** `tintdesk-replaced-20261121T140000123Z.db` beside the database. */
function replacedName(file: string, copy: string): string {
  const at = statSync(copy).mtime.toISOString().replace(/[-:.]/g, "");
  return join(dirname(file), `${REPLACED}${at}.db`);
}

/** Each step can be repeated; with the folder locked. Returns where the replaced database is now; null when there was none. */
function finishRestore(file: string): string | null {
  const ready = readyName(file);
  if (!existsSync(ready)) return null;
  const kept = replacedName(file, ready);
  // SQLite would write a log of the old database into the new one.
  for (const ending of ["-wal", "-shm", "-journal"]) {
    // A program that only looked at the database after a power cut left an empty log, which must not replace the kept one.
    if (existsSync(kept + ending)) rmSync(file + ending, { force: true });
    else if (existsSync(file + ending)) renameSync(file + ending, kept + ending);
  }
  if (existsSync(file)) keep(file, kept);
  flush(dirname(file));
  renameSync(ready, file);
  flush(dirname(file));
  return existsSync(kept) ? kept : null;
}

/** As one of its users; a restore that a power cut ended is finished first. Throws FolderInUse during a restore. */
export function enterFolder(file: string): ReleaseLock {
  const folder = dirname(file);
  if (existsSync(readyName(file))) finishAlone(file);
  const release = shareFolder(folder);
  if (!existsSync(readyName(file))) return release;
  release();
  throw new FolderInUse(`${folder} is in use`);
}

function finishAlone(file: string): void {
  let release: ReleaseLock | undefined;
  try {
    release = takeFolder(dirname(file));
    finishRestore(file);
  } catch (error) {
    // Another program finishes the same restore.
    if (!(error instanceof FolderInUse)) throw error;
  } finally {
    release?.();
  }
}

/** Keeps the database under a second name first, so that there is always one under the usual name. */
function keep(file: string, kept: string): void {
  try {
    linkSync(file, kept);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    // Some file systems have no links.
    renameSync(file, kept);
  }
  chmodSync(kept, 0o600);
}

/** Backups, and databases that a restore kept, but for the one `inUse`. One that cannot be read counts: the person can be in it. */
export function copiesThatHold(
  folders: readonly string[],
  inUse: string | null,
  contacts: readonly Contact[],
): string[] {
  const isReplaced = (file: string) => basename(file).startsWith(REPLACED) && file.endsWith(".db");
  // To open a pipe waits for who writes into it.
  const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const isCopy = (file: string) => isFile(file) && (isReplaced(file) || isOurDatabase(file));
  const inFolder = (folder: string) => {
    try {
      const names = readdirSync(folder).filter((name) => !/-(wal|shm|journal)$/.test(name));
      const files = names.map((name) => join(folder, name)).filter((file) => inUse === null || file !== resolve(inUse));
      return files.filter((file) => isCopy(file) && canHold(file, contacts));
    } catch (error) {
      return codeOf(error) === "ENOENT" ? [] : [folder];
    }
  };
  return [...new Set(folders.map((folder) => resolve(folder)))].flatMap(inFolder).sort();
}

function canHold(copy: string, contacts: readonly Contact[]): boolean {
  try {
    return readDatabase(copy, (db) => contacts.some((contact) => runSteps(db, holds(contact))));
  } catch {
    // Damaged, or of a version with other columns.
    return true;
  }
}

/** Notes a backup that was made and checked. @throws the system's error */
export function noteBackup(folder: string): void {
  replacePrivately(noteIn(folder));
}

/** @returns null where none was made yet */
export function lastBackupAt(folder: string): number | null {
  return statSync(noteIn(folder), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function noteIn(folder: string): string {
  return join(folder, "tintdesk.last-backup");
}
