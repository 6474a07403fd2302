/** Copies of a database: those that hold a person, which `tint forget` leaves as they are, and the time of the nightly one. */
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { makePrivate, temporaryName } from "../../lib/files.ts";
import { codeOf } from "../../lib/os-errors.ts";
import { holds } from "../queries/forget.ts";
import type { Contact } from "../store.ts";
import { isOurDatabase, readDatabase } from "./inspect.ts";
import { isReplacedDatabase } from "./restore.ts";
import { runSteps } from "./run-steps.ts";

/**
 * Databases of this program in folders that hold a person: backups, and databases that a restore kept. One that cannot be
 * read counts, because the person can be in it; so does a folder that nobody may look into.
 * @param inUse the database itself, which is none of them
 */
export function copiesThatHold(
  folders: readonly string[],
  inUse: string | null,
  contacts: readonly Contact[],
): string[] {
  const isCopy = (file: string) => isReplacedDatabase(file) || isOurDatabase(file);
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
  const file = noteIn(folder);
  const temporary = temporaryName(file);
  try {
    makePrivate(temporary);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** @returns null where none was made yet */
export function lastBackupAt(folder: string): number | null {
  return statSync(noteIn(folder), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function noteIn(folder: string): string {
  return join(folder, "tintdesk.last-backup");
}
