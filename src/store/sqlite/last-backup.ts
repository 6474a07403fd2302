/** When the nightly backup was last made: the time of a file in the data folder, which the backup and the server both see. */
import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makePrivate, temporaryName } from "../../lib/files.ts";

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
