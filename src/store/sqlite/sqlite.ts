import { readsAndWrites } from "../queries/reads-and-writes.ts";
import type { Store } from "../store.ts";
import type { WriteTimes } from "../write-queue.ts";
import { cleanFile, closeDatabase, createSqliteQueue, isInPlace, openDatabase, readSteps } from "./database.ts";
import { copyInto } from "./migrate.ts";
import type { Upgrade } from "./upgrade.ts";
import { startWriter } from "./writer.ts";

export interface SqliteOptions {
  /** Where writes are made. A thread is worth its start in a server, but not in a command that writes once. */
  writer?: "here" | "thread";
  /** When the thread starts; at once by default. Until it can write, writes are made here. */
  threadAfter?: Promise<unknown>;
  onCommit?: WriteTimes;
  /** Called when a database of an earlier version was brought to this one. */
  onUpgrade?: (upgrade: Upgrade) => void;
}

/** The store in one SQLite file. @param folder the folder of `tintdesk.db`, or `:memory:`, which has no thread */
export function openSqliteStore(
  folder: string,
  { writer: where = "here", threadAfter, onCommit, onUpgrade }: SqliteOptions = {},
): Store {
  const db = openDatabase(folder, onUpgrade);
  const queue = createSqliteQueue(db, onCommit);
  // A thread that starts after the file was replaced opens another one.
  const threadOptions = {
    meanwhile: queue.add,
    after: threadAfter,
    isUsable: (patienceMs?: number) => isInPlace(db, patienceMs),
    onCommit,
  };
  const writer = where === "thread" && folder !== ":memory:" ? startWriter(folder, threadOptions) : undefined;
  const version = db.query<{ data_version: number }, []>("PRAGMA data_version");
  return {
    ...readsAndWrites({ read: async (steps) => readSteps(db, steps), write: (writer ?? queue).add }),
    cleanFile: async (mostBytes) => cleanFile(db, mostBytes),
    clockAhead: async () => 0,
    dataVersion: async () => version.get()?.data_version ?? 0,
    copyTo: async (file) => copyInto(db, file),
    async close() {
      await queue.idle();
      await writer?.stop();
      closeDatabase(db);
    },
  };
}
