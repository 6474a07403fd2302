/** Saves the catalog's file: one program at a time, all or nothing. */

import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { codeOf, explainCode, flush, makeFile, removeTemporaries, temporaryName } from "../../lib/files.ts";
import { noCatalogMessage, readCatalogFile, readText } from "../load/document.ts";
import { EditError, type Replacement } from "../source.ts";
import { keepVersion } from "./history.ts";

const WAIT_MS = 10_000;

/** `work` gets the text under the lock, so that no other change is lost. `data`: the folder that keeps the version before. */
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

/** An edit takes less than a second. An older lock was left behind, even when a running process has the same number. */
const ABANDONED_MS = 60_000;
const RETRY_MS = 15;

/** @throws EditError when another program keeps the lock for longer than `waitMs`, or the lock file cannot be written */
async function lockBeside(file: string, waitMs: number) {
  const path = `${file}.lock`;
  const content = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  const deadline = performance.now() + waitMs;
  while (!create(path, content)) {
    if (isStale(path)) removeStale(path);
    else if (performance.now() > deadline) {
      throw new EditError(
        `${file} is being changed by another program${ownerOf(path)}. Try again in a moment; if nothing is running, delete ${path}.`,
      );
    } else await Bun.sleep(RETRY_MS * (1 + Math.random()));
  }
  const isOurs = () => read(path) === content;
  return {
    /** @throws EditError when another program took the lock over, because this one was suspended for too long */
    check() {
      if (!isOurs())
        throw new EditError(`Another program changed ${file} at the same time; nothing was saved. Try again.`);
    },
    release() {
      if (isOurs()) rmSync(path, { force: true });
    },
  };
}

function create(path: string, content: string): boolean {
  try {
    makeFile(path, content, 0o644);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return false;
    throw new EditError(
      `${path} cannot be written: ${explainCode(code)}. Check that you may change files in that folder.`,
    );
  }
}

/** Whether the process that made the lock has ended, or the lock is too old. */
function isStale(path: string): boolean {
  try {
    const content = readFileSync(path, "utf8");
    if (ageOf(path) > ABANDONED_MS) return true;
    const owner = ownerIn(content);
    return owner !== undefined && owner.host === hostname() && !isAlive(owner.pid);
  } catch {
    return false;
  }
}

/** Milliseconds since a file was written, by the clock of its file system: that of a share need not be this machine's. */
function ageOf(path: string): number {
  const probe = `${path}.${randomUUID()}`;
  writeFileSync(probe, "");
  try {
    return statSync(probe).mtimeMs - statSync(path).mtimeMs;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** One program at a time removes a stale lock. Otherwise one could remove the lock that another has just taken. */
function removeStale(path: string): void {
  const guard = `${path}.clearing`;
  if (!create(guard, "")) {
    if (isStale(guard)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function ownerIn(content: string): { pid: number; host: string } | undefined {
  try {
    const { pid, host } = Object(JSON.parse(content));
    return Number.isInteger(pid) && typeof host === "string" ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function ownerOf(path: string): string {
  const owner = ownerIn(read(path) ?? "");
  return owner ? ` (process ${owner.pid})` : "";
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
