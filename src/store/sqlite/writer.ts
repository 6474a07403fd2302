/** Writes in a worker thread: the commit waits for the disk there. What arrives meanwhile goes into its next transaction. */
import { Worker } from "node:worker_threads";
import { codeOf } from "../../lib/files.ts";
import type { Write } from "../queries/reads-and-writes.ts";
import { OutcomeUnknown, StoreUnavailable } from "../store-errors.ts";
import type { WriteTimes } from "../write-queue.ts";
import type { Known } from "./same-file.ts";

export interface WorkerSettings {
  /** The folder of `tintdesk.db`. */
  folder: string;
  known: Known;
}

/** `askedAt`, epoch milliseconds: a write may wait in the port, which takes three times as long to copy objects as JSON. */
export type Asked = "stop" | { id: number; askedAt: number; name: Write["name"]; args: string };

/** From the worker: once it can write; how a write ended; after each transaction, how long it took. */
export type Reply =
  | "ready"
  | { id: number; value: unknown }
  | { id: number; error: PlainError }
  | { commit: Parameters<WriteTimes> };

/** An error as data: a message between threads keeps neither the class nor the code. */
interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
  code: string | undefined;
}

interface WriterOptions {
  /** Makes the writes for which no worker is ready: while it starts, and always when it failed to start. */
  meanwhile: (write: Write) => Promise<unknown>;
  /** When the worker starts; at once by default. */
  after?: Promise<unknown>;
  onCommit?: WriteTimes;
}

export function startWriter(
  settings: WorkerSettings,
  { meanwhile, after = Promise.resolve(), onCommit }: WriterOptions,
) {
  let isReady = false;
  let isStopping = false;
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  const ended = Promise.withResolvers<void>();
  let worker: Worker | undefined;
  void after.then(() => {
    if (!isStopping) start();
  });

  function start(): void {
    worker = new Worker(new URL("./writer-thread.ts", import.meta.url), { workerData: settings });
    worker.on("message", hear);
    // An exit follows every error.
    worker.on("error", () => {});
    worker.on("exit", () => {
      const wasReady = isReady;
      isReady = false;
      worker = undefined;
      for (const { reject } of asked.values()) reject(new OutcomeUnknown("the writer ended before it answered"));
      asked.clear();
      // A worker that could not start would fail again.
      if (wasReady && !isStopping) start();
      else ended.resolve();
    });
  }

  function hear(reply: Reply): void {
    if (reply === "ready") {
      // The exit may be reported before it.
      isReady = worker !== undefined;
      return;
    }
    if ("commit" in reply) {
      onCommit?.(...reply.commit);
      return;
    }
    const write = asked.get(reply.id);
    asked.delete(reply.id);
    if ("error" in reply) write?.reject(toError(reply.error));
    else write?.resolve(reply.value);
  }

  return {
    add(write: Write): Promise<unknown> {
      if (!isReady) return meanwhile(write);
      const { name, args } = write;
      // JSON would make a null of them, which takes the place of a default.
      while (args.length > 0 && args.at(-1) === undefined) args.pop();
      const end = Promise.withResolvers<unknown>();
      lastId += 1;
      asked.set(lastId, end);
      worker?.postMessage({ id: lastId, askedAt: Date.now(), name, args: JSON.stringify(args) } satisfies Asked);
      return end.promise;
    },
    /** Closes the worker's connection, and waits for the end of the worker. */
    async stop() {
      isStopping = true;
      // The exit may be reported before the worker's last message.
      await Promise.allSettled([...asked.values()].map(({ promise }) => promise));
      if (worker) worker.postMessage("stop" satisfies Asked);
      else ended.resolve();
      await ended.promise;
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
