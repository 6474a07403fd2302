/** Saves an edit of the catalog: one editor at a time, only a good result, all or nothing. */
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
import { noCatalog } from "../load/catalog-file.ts";
import { CatalogError, parseCatalog } from "../load/load.ts";
import type { Catalog } from "../schema.ts";
import { lockBeside } from "./lock.ts";

export interface Edit {
  /** The catalog before the change; null when it was faulty and the change fixes it. */
  before: Catalog | null;
  after: Catalog;
  /** The text of the file before. */
  was: string;
  /** The new text of the file. */
  text: string;
  /** False when the change made no difference. */
  changed: boolean;
}

type Change = (text: string) => string;

/** How long an editor waits for another one. */
const WAIT_MS = 10_000;

/**
 * Changes the file and saves it; a server that watches it takes the change over.
 *
 * @param change gets the text as it is now, so that no other editor's change is lost
 * @throws CatalogError when the result is not a good catalog, EditError when it cannot be saved; the file is then as before
 */
export async function editCatalog(file: string, change: Change, { waitMs = WAIT_MS } = {}): Promise<Edit> {
  const target = resolve(file);
  const lock = await lockBeside(target, waitMs);
  try {
    const edit = previewEdit(file, change);
    if (edit.changed) replaceFile(target, edit.text, lock.check);
    return edit;
  } finally {
    lock.release();
  }
}

/** What a change would make of the file, without saving it. Throws as `editCatalog` does. */
export function previewEdit(file: string, change: Change): Edit {
  const text = readText(file);
  const edited = change(text);
  const changed = edited !== text;
  const after = parseCatalog(Buffer.from(edited), file);
  return { before: changed ? parsedOrNull(text, file) : after, after, was: text, text: edited, changed };
}

function parsedOrNull(text: string, file: string): Catalog | null {
  try {
    return parseCatalog(Buffer.from(text), file);
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
}

/** The file's text with every byte kept, a byte-order mark too. */
export function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = codeOf(error);
    throw new EditError(code === "ENOENT" ? noCatalog(file) : `${file} cannot be read: ${reasonOf(code)}.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EditError(`${file} is not UTF-8 text; save it again as UTF-8.`);
  }
}

/** The file itself, where a link leads; a file that may not be written is not replaced either. */
function resolve(file: string): string {
  try {
    const target = realpathSync(file);
    accessSync(target, constants.W_OK);
    return target;
  } catch (error) {
    const code = codeOf(error);
    throw new EditError(code === "ENOENT" ? noCatalog(file) : `${file} cannot be changed: ${reasonOf(code)}.`);
  }
}

/** Readers see the old file or the new one, never a part; after a power cut too. */
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
    throw new EditError(`${target} cannot be saved: ${reasonOf(codeOf(error))}. It is as it was.`);
  }
}

/** Removes the temporary files of saves that were killed. The lock is held, so no other save is at work. */
function sweepTemporaries(target: string): void {
  const folder = dirname(target);
  const isTemporary = new RegExp(`^\\.${RegExp.escape(basename(target))}\\.[0-9a-f-]{36}\\.tmp$`);
  try {
    for (const name of readdirSync(folder)) if (isTemporary.test(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // A folder that cannot be listed or cleaned is no reason not to save.
  }
}

/** Root edits on behalf of the shop's user, who must still be able to read the file. */
function keepOwner(handle: number, { uid, gid }: Stats): void {
  try {
    fchownSync(handle, uid, gid);
  } catch {
    // Only root may give files away; anyone else's file is their own anyway.
  }
}

/** Some file systems cannot sync a folder; the rename itself has happened by then. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // See above.
  }
}
