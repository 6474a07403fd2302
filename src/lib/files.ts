/** Files and folders that belong to the shop's user, also when root makes them, and that no link leads elsewhere. */
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Makes a new file that only its owner may read. The file belongs to the owner of its folder.
 * @throws the system's error, EEXIST also where a link stands: whoever owns the folder might have put it there to have another file written
 */
export function makePrivate(file: string, content: string | Uint8Array = ""): void {
  const handle = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    leaveHandleToOwner(handle, file);
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A name that nobody can guess, in the folder of a file: a rename between disks is not one step. */
export function temporaryName(file: string): string {
  return join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}.tmp`);
}

/** Removes what a killed program left under names of `temporaryName`. Call it while no other program makes the file. */
export function removeTemporaries(file: string): void {
  const isTemporary = new RegExp(`^\\.${RegExp.escape(basename(file))}\\.[0-9a-f-]{36}\\.tmp(-journal)?$`);
  const folder = dirname(file);
  try {
    for (const name of readdirSync(folder)) if (isTemporary.test(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // A folder that cannot be listed or cleaned does not stop the work.
  }
}

/**
 * Makes a folder that only its owner may enter, with the folders above it, and leaves each to the owner of the one
 * above.
 */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const made = [resolve(folder)];
  while (made[0] !== undefined && made[0].length > resolve(first).length) made.unshift(dirname(made[0]));
  made.forEach(leaveToOwner);
}

/**
 * Gives what root has just made to the owner of the folder it is in: `sudo tint …` must not lock out the server, which runs
 * as the shop's user. A link, or a second name of another file, is left alone: that user might have put it there to get
 * the file that it leads to.
 */
export function leaveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  let handle: number;
  try {
    handle = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return;
  }
  try {
    leaveHandleToOwner(handle, path);
  } finally {
    closeSync(handle);
  }
}

function leaveHandleToOwner(handle: number, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  const own = fstatSync(handle);
  if (uid !== 0 && (own.isDirectory() || own.nlink === 1)) fchownSync(handle, uid, gid);
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function flush(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
