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
import { noCatalogMessage, readCatalogFile, readText } from "../../catalog/load/document.ts";
import { EditError, type Replacement } from "../../catalog/source.ts";
import { codeOf, explainCode, flush, removeTemporaries, temporaryName } from "../../lib/files.ts";
import { type ReleaseLock, takeFile } from "../sqlite/file-lock.ts";
import { keepVersion } from "./history.ts";

const WAIT_MS = 10_000;

/** `work` gets the text under the lock, so that no other change is lost. `data`: the folder that keeps the version before. */
export async function saveFile<T extends Replacement>(
  file: string,
  work: (text: string) => T,
  { data, waitMs = WAIT_MS }: { data?: string; waitMs?: number },
): Promise<T & { undoable: boolean }> {
  const target = resolve(file);
  const release = await lockBeside(target, waitMs);
  try {
    const made = work(readText({ name: file, read: () => readCatalogFile(file) }));
    if (!made.changed) return { ...made, undoable: true };
    const undoable = data !== undefined && keepVersion(data, target, made.was);
    replaceFile(target, made.text);
    return { ...made, undoable };
  } finally {
    release();
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
function replaceFile(target: string, text: string): void {
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
    renameSync(temporary, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(temporary, { force: true });
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

const RETRY_MS = 15;

/** @throws EditError when another program keeps the lock for longer than `waitMs`, or the lock file cannot be made */
async function lockBeside(file: string, waitMs: number): Promise<ReleaseLock> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const release = tryLock(`${file}.lock`);
    if (release) return release;
    if (performance.now() > deadline)
      throw new EditError(`${file} is being changed by another program. Try again in a moment.`);
    await Bun.sleep(RETRY_MS * (1 + Math.random()));
  }
}

function tryLock(path: string): ReleaseLock | undefined {
  try {
    return takeFile(path);
  } catch (error) {
    throw new EditError(
      `${path} cannot be written: ${explainCode(codeOf(error))}. Check that you may change files in that folder.`,
    );
  }
}
