/**
 * Keeps `tint restore` apart from programs that use the folder, and saves of one file apart. The system holds these locks, so a
 * crash ends them too. They are SQLite's own, on a file that stays empty: Bun offers no others.
 */
import { Database } from "bun:sqlite";
import { existsSync, rmSync, statSync } from "node:fs";
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

/** An exclusive lock in the form of a file, which goes when it ends. @returns undefined while another has it @throws the system's error */
export function takeFile(file: string): ReleaseLock | undefined {
  try {
    makePrivate(file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const inode = inodeOf(file);
  let db: Database | undefined;
  try {
    db = new Database(file, { readwrite: true });
    db.run("BEGIN EXCLUSIVE");
    const held = db;
    // Another file, or none, means that whoever held the lock has just removed this one.
    if (inode !== undefined && inodeOf(file) === inode)
      return () => {
        if (inodeOf(file) === inode) rmSync(file, { force: true });
        held.close();
      };
  } catch (error) {
    const code = codeOf(error);
    // Release 1.0.0 wrote into its lock, and left it behind when it crashed.
    if (code === "SQLITE_NOTADB") rmSync(file, { force: true });
    else if (existsSync(file) && !code?.startsWith("SQLITE_BUSY")) throw error;
  }
  db?.close();
  return undefined;
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
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
