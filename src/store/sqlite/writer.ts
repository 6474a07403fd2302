/**
 * Writes made in a thread of its own: the commit waits for the disk there, and reads and prices go on here. The thread
 * runs the same functions on a connection of its own. Each write is sent at once, so the thread performs one booking
 * while the main thread reads the request for the next.
 */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { codeOf } from "../../lib/reasons.ts";
import type { Write } from "../queries/writes.ts";
import { OutcomeUnknown, StoreUnavailable } from "../store.ts";
import type { WriteTimes } from "../write-queue.ts";

/** The thread's `workerData`. */
export interface ThreadData {
  /** The folder of `tintdesk.db`. */
  folder: string;
  /** Each `Asked` and "stop" go in, each `Reply` comes back, as JSON, which is copied faster than objects. */
  port: MessagePort;
  /** One number that grows with each write: a thread inside a transaction waits for it. */
  signal: Int32Array;
}

/** A write, and when it was asked for, epoch milliseconds: it may wait in the port while the thread commits. */
export type Asked = [id: number, askedAt: number, write: Write];

/** "ready" once the thread can write. After that, for each transaction, how its writes ended and how long it took. */
export type Reply = "ready" | { ends: End[]; commits: Parameters<WriteTimes>[] };
export type End = { id: number } & ({ value: unknown } | { error: PlainError });

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
   * Makes a write. Call it when ready.
   * @throws OutcomeUnknown
   */
  add(write: Write): Promise<unknown>;
  /** Closes the thread's connection, and waits for the end of the thread. */
  stop(): Promise<void>;
}

interface WriterOptions {
  /** When the thread starts; at once by default. */
  after?: Promise<unknown>;
  /** Asked once the thread can write. False keeps it unused, because the file was replaced meanwhile. */
  isUsable: () => boolean;
  onCommit?: WriteTimes;
}

/** How many callers hear of a commit before the next requests are read. */
const TOLD_AT_ONCE = 8;

/** @param folder the folder of `tintdesk.db`, which exists */
export function startWriter(folder: string, { after = Promise.resolve(), isUsable, onCommit }: WriterOptions): Writer {
  let isReady = false;
  let isStopping = false;
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  const ended = Promise.withResolvers<void>();
  let port: MessagePort | undefined;
  void after.then(() => {
    if (!isStopping) start();
  });

  function start(): void {
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port1.on("message", hear);
    const thread = new Worker(new URL("./writer-thread.ts", import.meta.url), {
      workerData: { folder, port: port2, signal } satisfies ThreadData,
      transferList: [port2],
    });
    // An exit follows every error.
    thread.on("error", () => {});
    thread.on("exit", () => {
      const wasReady = isReady;
      isReady = false;
      port1.close();
      for (const { reject } of asked.values()) reject(new OutcomeUnknown("the writer ended before it answered"));
      asked.clear();
      // A thread that could not start would fail again.
      if (wasReady && !isStopping) start();
      else ended.resolve();
    });
  }

  function hear(text: string): void {
    const reply = JSON.parse(text) as Reply;
    if (reply === "ready") {
      isReady = isUsable();
      return;
    }
    for (const times of reply.commits) onCommit?.(...times);
    tell(reply.ends);
  }

  /** In groups: the callers who heard ask again, and the thread begins with them while the others hear. */
  function tell(ends: End[]): void {
    for (const end of ends.splice(0, TOLD_AT_ONCE)) {
      const write = asked.get(end.id);
      asked.delete(end.id);
      if ("error" in end) write?.reject(toError(end.error));
      else write?.resolve(end.value);
    }
    if (ends.length > 0) setImmediate(tell, ends);
  }

  function send(text: string): void {
    port?.postMessage(text);
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  }

  return {
    isReady: () => isReady,
    add(write) {
      const end = Promise.withResolvers<unknown>();
      lastId += 1;
      asked.set(lastId, end);
      send(JSON.stringify([lastId, Date.now(), write] satisfies Asked));
      return end.promise;
    },
    async stop() {
      isStopping = true;
      // The exit may be reported before the thread's last message.
      await Promise.allSettled([...asked.values()].map(({ promise }) => promise));
      if (port) send("stop");
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
