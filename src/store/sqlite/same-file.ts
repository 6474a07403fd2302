/** Whether the database file is still the one that was opened. Writes to a deleted, replaced or overwritten one would be lost. */
import { constants, Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { markOf } from "./migrate.ts";

/** By which a program knows its database again. Its threads have one memory, so each knows what the others have seen. */
export interface Known {
  /** Of the file and of those beside it when they were opened. */
  inodes: string;
  mark: number;
  /** What was last found in the file, in shared memory. */
  seen: Float64Array;
}

/** Of a file that was just opened. */
export function firstLook(db: Database, file: string): Known {
  return { inodes: inodesOf(file), mark: markOf(db), seen: inSharedMemory(contentOf(file)) };
}

/** A move of the log may look like another database until it ends. */
const MOVES_FOR_MS = 1_000;

/** @param patienceMs so long something unexpected in the file may be a move of the log */
export function isSameFile(file: string, known: Known, patienceMs = MOVES_FOR_MS): boolean {
  if (inodesOf(file) !== known.inodes) return false;
  const [, , seenAt, seenBytes] = known.seen;
  const [writtenLast, bytes] = writtenAt(file);
  if (writtenLast === seenAt && bytes === seenBytes) return true;
  const content = contentOf(file);
  const [mark, beats, modifiedAt] = content;
  // After the look: another thread may have seen more meanwhile.
  const [markBefore, beatsBefore] = known.seen;
  // The first mark of an earlier database comes by the log.
  if (!Number.isNaN(mark) && mark !== markBefore && mark !== known.mark) return false;
  // Of a file that could not be read, nothing is known.
  if (!(beats >= (beatsBefore || 0))) return Date.now() - modifiedAt < patienceMs;
  known.seen.set(content);
  return true;
}

/** Of the file, its log, and the index of the log, by which the programs that use it know of each other. */
function inodesOf(file: string): string {
  const inode = (name: string) => statSync(name, { throwIfNoEntry: false })?.ino;
  return [file, `${file}-wal`, `${file}-shm`].map(inode).join();
}

/**
 * The mark; the count of commits, which never falls; and time and size, which change only while SQLite moves the log into
 * the file, or when something else writes it. NaN for what is not known.
 */
type Content = [mark: number, beats: number, modifiedAt: number, bytes: number];

function inSharedMemory(content: Content): Float64Array {
  const memory = new Float64Array(new SharedArrayBuffer(content.length * Float64Array.BYTES_PER_ELEMENT));
  memory.set(content);
  return memory;
}

/** What stands in the file itself, without its log. Never read by other means: to close a file ends SQLite's locks on it. */
function contentOf(file: string): Content {
  const written = writtenAt(file);
  let [mark, beats] = [Number.NaN, Number.NaN];
  try {
    using alone = new Database(`${pathToFileURL(file)}?immutable=1`, AS_IT_STANDS);
    mark = markOf(alone);
    beats = alone.query<{ beats: number }, []>("SELECT beats FROM heartbeat").get()?.beats ?? Number.NaN;
  } catch {
    // Damaged, or half of the log has been moved.
  }
  return [mark, beats, ...written];
}

const AS_IT_STANDS = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;

function writtenAt(file: string): [modifiedAt: number, bytes: number] {
  const { mtimeMs = Number.NaN, size = Number.NaN } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return [mtimeMs, size];
}
