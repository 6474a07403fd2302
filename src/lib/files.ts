import { closeSync, fsyncSync, lchownSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Makes an empty file that only its owner may read. The file belongs to the owner of its folder. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, "w", 0o600));
  leaveToOwner(file);
}

/** Makes a folder that only its owner may enter, with the folders above it, and leaves each to the owner of the one above. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const made = [resolve(folder)];
  while (made[0] !== undefined && made[0].length > resolve(first).length) made.unshift(dirname(made[0]));
  made.forEach(leaveToOwner);
}

/**
 * Gives what root has just made to the owner of the folder it is in: `sudo tint …` must not lock out the server, which runs
 * as the shop's user. A link is not followed: that user might have put one in the place of the new file, to get another.
 */
export function leaveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid !== 0) lchownSync(path, uid, gid);
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
