/**
 * Writes made in a thread of its own: the commit waits for the disk there, and reads and prices go on here. The thread
 * runs the same functions on a connection of its own; `createWriteQueue` gives it one batch at a time.
 */
import { Worker } from "node:worker_threads";
import { codeOf } from "../../lib/reasons.ts";
import type { Write } from "../queries/writes.ts";
import { OutcomeUnknown, StoreUnavailable } from "../store.ts";
import type { Outcome } from "../write-queue.ts";

/** What the thread gets, as JSON, which is copied faster than objects: writes for one transaction. */
export type Batch = Write[];
/** What it answers, as JSON: first that it can write; then, of each batch, what was committed, or why nothing was stored. */
export type Reply = "ready" | { outcomes: ({ value: unknown } | { error: PlainError })[] } | { fault: PlainError };

/** An error as data: a message between threads keeps neither the class nor the code. */
interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
  code: string | undefined;
}

export interface Writer {
  /** Whether the thread can write. It cannot while it starts, and never when it failed to start. */
  isReady(): boolean;
  /**
   * Makes the writes, each as JSON, in one transaction. Call it when ready, and again only after the end of the call before.
   * @throws OutcomeUnknown
   */
  commit(writes: readonly string[]): Promise<Outcome[]>;
  /** Closes the thread's connection, and waits for the end of the thread. */
  stop(): Promise<void>;
}

/**
 * @param folder the folder of `tintdesk.db`, which exists
 * @param after when the thread starts; at once by default
 */
export function startWriter(folder: string, after: Promise<unknown> = Promise.resolve()): Writer {
  let isReady = false;
  let isStopping = false;
  let asked: PromiseWithResolvers<Outcome[]> | undefined;
  const ended = Promise.withResolvers<void>();
  let thread: Worker | undefined;
  void after.then(() => {
    if (!isStopping) thread = start();
  });

  function start(): Worker {
    const worker = new Worker(new URL("./writer-thread.ts", import.meta.url), { workerData: folder });
    worker.on("message", (text: string) => {
      const reply = JSON.parse(text) as Reply;
      if (reply === "ready") isReady = true;
      else if ("fault" in reply) asked?.reject(toError(reply.fault));
      else asked?.resolve(reply.outcomes.map((end) => ("error" in end ? { error: toError(end.error) } : end)));
    });
    // The end of the thread follows.
    worker.on("error", () => {});
    worker.on("exit", () => {
      const wasReady = isReady;
      isReady = false;
      asked?.reject(new OutcomeUnknown("the writer ended before it answered"));
      // A thread that could not start would fail again.
      if (wasReady && !isStopping) thread = start();
      else ended.resolve();
    });
    return worker;
  }

  return {
    isReady: () => isReady,
    commit(writes) {
      asked = Promise.withResolvers();
      thread?.postMessage(`[${writes.join(",")}]`);
      return asked.promise;
    },
    stop() {
      isStopping = true;
      if (thread) thread.postMessage("stop");
      else ended.resolve();
      return ended.promise;
    },
  };
}

export function toPlain(error: unknown): PlainError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, code: codeOf(error) };
}

function toError({ name, message, stack, code }: PlainError): Error {
  if (name === "StoreUnavailable") return new StoreUnavailable(message);
  return Object.assign(new Error(message), { name, stack, code });
}
