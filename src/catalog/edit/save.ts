/** Saves an edit of the catalog: one program at a time, only a catalog without faults, all or nothing. */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, reasonOf } from "../../lib/reasons.ts";
import { EditError } from "../edit-error.ts";
import { CatalogError, noCatalogMessage } from "../load/catalog-file.ts";
import { parseCatalog } from "../load/parse.ts";
import type { Catalog } from "../schema.ts";
import { keepVersion } from "./history.ts";
import { lockBeside } from "./lock.ts";

export interface Edit {
  /** The catalog before the change; null when it was faulty and the change fixes it. */
  before: Catalog | null;
  after: Catalog;
  /** The text of the file before the change. */
  was: string;
  /** The new text of the file. */
  text: string;
  /** False when the change made no difference. */
  changed: boolean;
  /** False when it was saved, but the version before could not be kept. */
  undoable: boolean;
}

type Change = (text: string) => string;

/** How long an edit waits for another program's edit. */
const WAIT_MS = 10_000;

/**
 * Changes the file and saves it; a server that watches the file reloads it.
 *
 * @param change is given the text under the lock, so that no other program's change is lost
 * @param options `data`: the data folder, which keeps the version before; `waitMs` for another program
 * @throws CatalogError when the result has faults, EditError when it cannot be saved; the file is then unchanged
 */
export async function editCatalog(
  file: string,
  change: Change,
  { data, waitMs = WAIT_MS }: { data?: string | undefined; waitMs?: number } = {},
): Promise<Edit> {
  const target = resolve(file);
  const lock = await lockBeside(target, waitMs);
  try {
    const edit = previewEdit(file, change);
    if (!edit.changed) return edit;
    const undoable = data !== undefined && keepVersion(data, target, edit.was);
    replaceFile(target, edit.text, lock.check);
    return { ...edit, undoable };
  } finally {
    lock.release();
  }
}

/** The result of a change, without saving it. Throws as `editCatalog` does. */
export function previewEdit(file: string, change: Change): Edit {
  const text = readText(file);
  const edited = change(text);
  const changed = edited !== text;
  const after = parseCatalog(Buffer.from(edited), file);
  return {
    before: changed ? parsedOrNull(text, file) : after,
    after,
    was: text,
    text: edited,
    changed,
    undoable: true,
  };
}

function parsedOrNull(text: string, file: string): Catalog | null {
  try {
    return parseCatalog(Buffer.from(text), file);
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
}

/** The text of the file, byte-order mark included, so that an edit keeps every byte. @throws EditError */
export function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = codeOf(error);
    throw new EditError(code === "ENOENT" ? noCatalogMessage(file) : `${file} cannot be read: ${reasonOf(code)}.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EditError(`${file} is not UTF-8 text; save it again as UTF-8.`);
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
    throw new EditError(code === "ENOENT" ? noCatalogMessage(file) : `${file} cannot be changed: ${reasonOf(code)}.`);
  }
}

/** Replaces the file by renaming: readers see all of the old file or all of the new one, also after a power cut. */
function replaceFile(target: string, text: string, check: () => void): void {
  sweepTemporaries(target);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
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
    throw new EditError(`${target} cannot be saved: ${reasonOf(codeOf(error))}. The file was not changed.`);
  }
}

/** Removes the temporary files of saves that were killed. The lock is held, so no other save is at work. */
function sweepTemporaries(target: string): void {
  const folder = dirname(target);
  const isTemporary = new RegExp(`^\\.${RegExp.escape(basename(target))}\\.[0-9a-f-]{36}\\.tmp$`);
  try {
    for (const name of readdirSync(folder)) if (isTemporary.test(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // The save goes on even when the folder cannot be listed or cleaned.
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
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Some file systems cannot sync a folder; the file is saved anyway.
  }
}
