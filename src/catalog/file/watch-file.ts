/** Notices that a file changed. The file is polled, because file-system watches stop working once an editor saves by renaming. */
import { statSync } from "node:fs";

/** A file that keeps changing is read after this many looks, within the 2 seconds that catalog.yaml promises. */
const MOST_LOOKS = 4;

interface WatchedFile {
  /**
   * Each call is one look at the file. True once for a change, after the file held still between two looks: a half-written
   * YAML file often parses. True at every fourth look while the file never holds still.
   */
  hasChanged: () => boolean;
  /** Notes that the file was read in its present state. */
  settle: () => void;
}

export function watchFile(file: string): WatchedFile {
  let settled = fingerprint(file);
  let seen = settled;
  let looks = 0;
  return {
    hasChanged() {
      const now = fingerprint(file);
      const isStill = now === seen;
      seen = now;
      looks = now === settled ? 0 : looks + 1;
      if (looks === 0 || (!isStill && looks < MOST_LOOKS)) return false;
      settled = now;
      looks = 0;
      return true;
    },
    settle() {
      settled = fingerprint(file);
      seen = settled;
      looks = 0;
    },
  };
}

/** A text that changes whenever the file changes, appears or disappears. */
function fingerprint(file: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return "missing";
  }
}
