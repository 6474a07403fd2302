/** Shortens the write-ahead log again after a long reader: while one reads, SQLite can only append to the log. */
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";

/** Above this size the log is emptied as soon as nobody reads from it. */
export const LONGEST_LOG_BYTES = 48 * 1024 ** 2;
/**
 * SQLite moves the log into the file at this length, about 40 MB, while every write waits some 15 ms. At 3,000 pages that
 * took a tenth of the time of bookings on a busy server. After a crash, the next start reads the log, in some 30 ms.
 */
export const LOG_PAGES = 10_000;
/** The log is looked at after this pause, not at each write, because callers wait for the write. */
const CHECK_AFTER_MS = 1_000;

/** @param file the database; the log lies beside it */
export function createLogKeeper(db: Database, file: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const checkLater = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (logBytes(file) > LONGEST_LOG_BYTES && !emptyLog(db)) checkLater();
    }, CHECK_AFTER_MS);
    // The timer must not keep the program alive while another process reads.
    timer.unref();
  };
  return {
    /** Call it after each write. */
    check() {
      if (timer === undefined) checkLater();
    },
    stop: () => clearTimeout(timer),
  };
}

function logBytes(file: string): number {
  try {
    return statSync(`${file}-wal`).size;
  } catch {
    // There is no readable log. The write is already committed, so this check must not fail.
    return 0;
  }
}

/** @returns false while another connection reads or writes */
export function emptyLog(db: Database): boolean {
  try {
    return db.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } catch {
    // The disk may be full or missing. The next write reports that to its caller.
    return false;
  }
}
