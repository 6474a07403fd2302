/** Keeps `tint restore` apart from programs that use the folder. The system holds the lock, so a crash ends it too. */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { codeOf, makePrivate } from "../../lib/files.ts";

/** A program uses the folder, or a backup is being restored there. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

/** A program of an earlier version uses the folder, so its database cannot be changed to the new version. */
export class EarlierVersionRuns extends Error {
  override readonly name = "EarlierVersionRuns";
}

export type ReleaseLock = () => void;

/** How long a program that starts waits for the end of a restore. */
const WAIT_MS = 4_000;

/** Locks a folder as one of its users. Any number of programs can do so at once. @throws FolderInUse during a restore */
export function shareFolder(folder: string): ReleaseLock {
  return lock(folder, "BEGIN; SELECT count(*) FROM sqlite_schema", WAIT_MS);
}

/** Locks a folder alone. @param waitMs how long to wait for other programs @throws FolderInUse while any program uses it */
export function takeFolder(folder: string, waitMs = 0): ReleaseLock {
  return lock(folder, "BEGIN EXCLUSIVE", waitMs);
}

/** SQLite's own file locks: Bun offers no others. The file stays empty. */
function lock(folder: string, statements: string, waitMs: number): ReleaseLock {
  const file = join(folder, "tintdesk.lock");
  // A read-only folder needs no lock: nothing can be restored there.
  if (!existsSync(file) && !canMake(file)) return () => {};
  let db: Database | undefined;
  try {
    db = new Database(file, { readwrite: true });
    db.run(`PRAGMA busy_timeout = ${waitMs}`);
    db.run(statements);
  } catch (error) {
    db?.close();
    if (codeOf(error)?.startsWith("SQLITE_BUSY")) throw new FolderInUse(`${folder} is in use`, { cause: error });
    // The store's own errors say more about a disk that is read-only or full.
    return () => {};
  }
  const held = db;
  return () => held.close();
}

function canMake(file: string): boolean {
  try {
    makePrivate(file);
    return true;
  } catch (error) {
    // Another program has just made it.
    return codeOf(error) === "EEXIST";
  }
}
