/** The queue of writes to a SQLite file. */
import type { Database } from "bun:sqlite";
import { codeOf } from "../../lib/os-errors.ts";
import { stepsOf, type Write } from "../queries/reads-and-writes.ts";
import { createWriteQueue, type WriteQueue, type WriteTimes } from "../write-queue.ts";
import { commitTogether } from "./database.ts";
import { runSteps } from "./run-steps.ts";

const RETRY_PAUSE_MS = 15;
/** So many writes take some 50 ms, and nobody waits longer for the writes of others. */
const MOST_TOGETHER = 250;

export function createSqliteQueue(db: Database, onCommit?: WriteTimes): WriteQueue<Write> {
  const work = (write: Write) => () => runSteps(db, stepsOf(write));
  return createWriteQueue<Write>(async (writes) => commitTogether(db, writes.map(work)), {
    mayRetry: (error) => codeOf(error)?.startsWith("SQLITE_BUSY") ?? false,
    unavailable: "locked past the deadline",
    pauseMs: RETRY_PAUSE_MS,
    mostTogether: MOST_TOGETHER,
    onCommit,
  });
}
