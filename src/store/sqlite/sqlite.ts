import { codeOf } from "../../lib/reasons.ts";
import { readsAndWrites } from "../queries/methods-of-store.ts";
import { stepsOf, type Write } from "../queries/writes.ts";
import type { Store } from "../store.ts";
import { createWriteQueue, type WriteTimes } from "../write-queue.ts";
import { checkInPlace, cleanFile, closeDatabase, commitTogether, openDatabase, type Upgrade } from "./database.ts";
import { perform } from "./perform.ts";
import { startWriter } from "./writer.ts";

export interface SqliteOptions {
  /** Where writes are made. A thread pays for a server, but not for a command that writes once. */
  writer?: "here" | "thread";
  /** When the thread starts; at once by default. Until it can write, writes are made here. */
  threadAfter?: Promise<unknown>;
  onCommit?: WriteTimes | undefined;
  /** Told when a database of an earlier version was changed to this one. */
  onUpgrade?: (upgrade: Upgrade) => void;
}

const RETRY_PAUSE_MS = 15;

/** The store in one SQLite file. @param folder the folder of `tintdesk.db`, or `:memory:`, which has no thread */
export function openSqliteStore(
  folder: string,
  { writer: where = "here", threadAfter, onCommit, onUpgrade }: SqliteOptions = {},
): Store {
  const db = openDatabase(folder, onUpgrade);
  const writer = where === "thread" && folder !== ":memory:" ? startWriter(folder, threadAfter) : undefined;
  const commit = (batch: { write: Write; text: string }[]) => {
    if (writer?.isReady()) {
      // A thread that starts after the file was replaced has opened another one.
      checkInPlace(db);
      return writer.commit(batch.map(({ text }) => text));
    }
    return commitTogether(
      db,
      batch.map(
        ({ write }) =>
          () =>
            perform(db, stepsOf(write)),
      ),
    );
  };
  const queue = createWriteQueue(commit, {
    mayRetry: (error) => codeOf(error)?.startsWith("SQLITE_BUSY") ?? false,
    unavailable: "locked past the deadline",
    pauseMs: RETRY_PAUSE_MS,
    onCommit,
  });
  // JSON is made when the write is asked for, while the thread still commits the writes before.
  const write = (write: Write) => queue.add({ write, text: writer ? JSON.stringify(write) : "" });
  return {
    ...readsAndWrites({ read: async (steps) => perform(db, steps), write }),
    cleanFile: async (mostBytes) => cleanFile(db, mostBytes),
    clockAhead: async () => 0,
    dataVersion: async () => db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0,
    copyTo: async (file) => void db.query("VACUUM INTO ?").run(file),
    async close() {
      await queue.idle();
      await writer?.stop();
      closeDatabase(db);
    },
  };
}
