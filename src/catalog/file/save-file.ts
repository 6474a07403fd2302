/** Saves the catalog's file: one program at a time, all or nothing. */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { flush, removeTemporaries, temporaryName } from "../../lib/files.ts";
import { codeOf, explainCode } from "../../lib/os-errors.ts";
import { EditError } from "../edit-error.ts";
import { noCatalogMessage, readCatalogFile, readText } from "../load/document.ts";
import type { Replacement } from "../source.ts";
import { keepVersion } from "./history.ts";
import { lockBeside } from "./lock.ts";

/** How long a save waits for another program's save. */
const WAIT_MS = 10_000;

/**
 * Changes the file; a server that watches it takes the change over.
 * @param work is given the text under the lock, so that no other program's change is lost
 * @param options `data`: the data folder, which keeps the version before; `waitMs` for another program
 */
export async function saveFile<T extends Replacement>(
  file: string,
  work: (text: string) => T,
  { data, waitMs = WAIT_MS }: { data?: string; waitMs?: number },
): Promise<T & { undoable: boolean }> {
  const target = resolve(file);
  const lock = await lockBeside(target, waitMs);
  try {
    const made = work(readText({ name: file, read: () => readCatalogFile(file) }));
    if (!made.changed) return { ...made, undoable: true };
    const undoable = data !== undefined && keepVersion(data, target, made.was);
    replaceFile(target, made.text, lock.check);
    return { ...made, undoable };
  } finally {
    lock.release();
  }
}

/** The file behind a link. Checks the write permission too, because renaming would replace even a read-only file. */
function resolve(file: string): string {
  try {
    const target = realpathSync(file);
    accessSync(target, constants.W_OK);
    return target;
  } catch (error) {
    const code = codeOf(error);
    throw new EditError(
      code === "ENOENT" ? noCatalogMessage(file) : `${file} cannot be changed: ${explainCode(code)}.`,
    );
  }
}

/** Replaces the file by renaming: readers see all of the old file or all of the new one, also after a power cut. */
function replaceFile(target: string, text: string, check: () => void): void {
  // The lock is held, so no other save is at work.
  removeTemporaries(target);
  const temporary = temporaryName(target);
  try {
    const old = statSync(target);
    const handle = openSync(temporary, "wx", old.mode);
    try {
      keepOwner(handle, old);
      fchmodSync(handle, old.mode);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    check();
    renameSync(temporary, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof EditError) throw error;
    throw new EditError(`${target} cannot be saved: ${explainCode(codeOf(error))}. The file was not changed.`);
  }
}

/** When root edits the catalog, the shop's user must still be able to read it. */
function keepOwner(handle: number, { uid, gid }: Stats): void {
  try {
    fchownSync(handle, uid, gid);
  } catch {
    // Only root may change owners. For any other user the owner is right already.
  }
}

/** Makes the rename last through a power cut. */
function syncFolder(folder: string): void {
  try {
    flush(folder);
  } catch {
    // Some file systems cannot sync a folder; the file is saved anyway.
  }
}
