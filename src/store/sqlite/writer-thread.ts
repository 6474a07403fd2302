/** The thread of `startWriter`: commits each batch that it gets in one transaction. */
import { parentPort, workerData } from "node:worker_threads";
import { stepsOf } from "../queries/writes.ts";
import { closeDatabase, commitTogether, openDatabase } from "./database.ts";
import { perform } from "./perform.ts";
import { type Batch, type Reply, toPlain } from "./writer.ts";

const db = openDatabase(String(workerData));

function commit(text: string): Exclude<Reply, "ready"> {
  try {
    const batch = JSON.parse(text) as Batch;
    const outcomes = commitTogether(
      db,
      batch.map((write) => () => perform(db, stepsOf(write))),
    );
    return { outcomes: outcomes.map((end) => ("error" in end ? { error: toPlain(end.error) } : end)) };
  } catch (error) {
    return { fault: toPlain(error) };
  }
}

function answer(reply: Reply): void {
  parentPort?.postMessage(JSON.stringify(reply));
}

parentPort?.on("message", (text: string) => {
  if (text !== "stop") return answer(commit(text));
  // A timer would keep the thread alive.
  clearTimeout(retry);
  closeDatabase(db);
  parentPort?.close();
});
/**
 * Says that the thread can write once it has written. SQLite opens some files only to write, which fails while the process
 * is out of file handles; until then the main thread writes.
 */
function becomeReady(): void {
  const reply = commit(JSON.stringify([{ name: "checkWritable", args: [] }] satisfies Batch));
  if ("fault" in reply) retry = setTimeout(becomeReady, RETRY_MS);
  else answer("ready");
}
const RETRY_MS = 1_000;
let retry: ReturnType<typeof setTimeout> | undefined;
becomeReady();
