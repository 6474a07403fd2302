/** The thread of `startWriter`: commits the writes that it gets, many in one transaction. */
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { closeDatabase, openDatabase } from "./database.ts";
import { createSqliteQueue } from "./queue.ts";
import { type Asked, type End, type Reply, type ThreadData, toPlain } from "./writer.ts";

const { folder, port, signal } = workerData as ThreadData;
const db = openDatabase(folder);

/** How long an open transaction waits for the next of the writes that it expects. */
const GATHER_MS = 1;
let ends: End[] = [];
let commits: [ms: number, writes: number][] = [];
/** The next transaction should have about as many writes as the last ones, because callers who just heard ask again. */
let expected = 1;

const queue = createSqliteQueue(db, {
  gather(count) {
    for (;;) {
      const seen = Atomics.load(signal, 0);
      let hasCome = false;
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
        hasCome = true;
        take(next.message);
      }
      if (hasCome || count >= expected) return;
      if (Atomics.wait(signal, 0, seen, GATHER_MS) === "timed-out") return;
    }
  },
  onCommit(ms, writes) {
    expected = Math.max(writes, expected / 2);
    commits.push([ms, writes]);
  },
});

function take(text: string): void {
  if (text === "stop") {
    void queue.idle().then(stop);
    return;
  }
  const [id, askedAt, write] = JSON.parse(text) as Asked;
  queue.add(write, Date.now() - askedAt).then(
    (value) => tell({ id, value }),
    (error: unknown) => tell({ id, error: toPlain(error) }),
  );
}

/** Writes of one transaction end in the same turn, and share a message. */
function tell(end: End): void {
  if (ends.push(end) > 1) return;
  queueMicrotask(() => {
    answer({ ends, commits });
    ends = [];
    commits = [];
  });
}

function answer(reply: Reply): void {
  port.postMessage(JSON.stringify(reply));
}

function stop(): void {
  // A timer would keep the thread alive.
  clearTimeout(retry);
  closeDatabase(db);
  port.close();
}
port.on("message", take);
/**
 * Says that the thread can write once it has written. SQLite opens some files only to write, which fails while the process
 * is out of file handles; until then the main thread writes.
 */
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
