/** The worker of `startWriter`: commits the writes that it gets, those that wait together in one transaction. */
import { parentPort, workerData } from "node:worker_threads";
import { closeDatabase, createSqliteQueue, openDatabase } from "./database.ts";
import { type Asked, type Reply, toPlain, type WorkerSettings } from "./writer.ts";

const { folder, known } = workerData as WorkerSettings;
const db = openDatabase(folder, { known });
const answer = (reply: Reply) => parentPort?.postMessage(reply);
const queue = createSqliteQueue(db, (ms, writes) => answer({ commit: [ms, writes] }));

parentPort?.on("message", async (asked: Asked) => {
  if (asked === "stop") {
    await queue.idle();
    stop();
    return;
  }
  const { id, askedAt, name, args } = asked;
  try {
    answer({ id, value: await queue.add({ name, args: JSON.parse(args) }, Date.now() - askedAt) });
  } catch (error) {
    answer({ id, error: toPlain(error) });
  }
});

function stop(): void {
  // A timer would keep the worker alive.
  clearTimeout(retry);
  closeDatabase(db);
  parentPort?.close();
}

/** Once it has written: files that SQLite opens only to write fail while the process is out of handles. */
async function becomeReady(): Promise<void> {
  try {
    await queue.add({ name: "checkWritable", args: [] });
    answer("ready");
  } catch {
    retry = setTimeout(becomeReady, RETRY_MS);
  }
}
const RETRY_MS = 1_000;
let retry: ReturnType<typeof setTimeout> | undefined;
await becomeReady();
