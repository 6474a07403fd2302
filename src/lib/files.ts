import { chownSync, closeSync, fsyncSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes an empty file that only its owner may read. A file that root makes is given to the owner of the folder, whose
 * server has to read it.
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, "w", 0o600));
  const { uid, gid } = statSync(dirname(file));
  if (process.getuid?.() === 0 && uid !== 0) chownSync(file, uid, gid);
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
