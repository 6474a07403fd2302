/** Shortens the write-ahead log again after a long reader: while one reads, SQLite can only append to the log. */
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";

/** Above this size the log is emptied as soon as nobody reads from it. SQLite itself keeps the log near 4 MB. */
export const LONGEST_LOG_BYTES = 16 * 1024 ** 2;
const CHECK_AGAIN_MS = 1_000;

/** @param file the database; the log lies beside it */
export function createLogKeeper(db: Database, file: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const checkLater = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!emptyLog(db)) checkLater();
    }, CHECK_AGAIN_MS);
    // A program that is done does not wait for a reader of another process.
    timer.unref();
  };
  return {
    /** Call it after each write. */
    check() {
      if (timer === undefined && logBytes(file) > LONGEST_LOG_BYTES) checkLater();
    },
    stop: () => clearTimeout(timer),
  };
}

function logBytes(file: string): number {
  try {
    return statSync(`${file}-wal`).size;
  } catch {
    // No log, or none that can be seen. The write before this was committed, so nothing may fail here.
    return 0;
  }
}

/** @returns false while another connection reads or writes */
export function emptyLog(db: Database): boolean {
  try {
    return db.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } catch {
    // The disk may be full or away. The next write says so to whoever asked for it.
    return false;
  }
}
