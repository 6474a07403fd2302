/** Logging, signals and draining. Nothing that happens to the log may reach a request, or keep the program from stopping. */
import { fstatSync } from "node:fs";
import { type Logger, pino } from "pino";
import type { WatchEvents } from "../catalog/load/watch.ts";
import { rawSettings } from "../env/env.ts";
import { codeOf, HOW_TO_REPAIR, meansDamage } from "../lib/files.ts";

/** Lines of JSON for people, some of which are counted for a moment before they are written. */
export interface ReadableLog {
  write: (line: string) => void;
  /** Writes what is counted so far. */
  flush: () => void;
}

/** Requests and jobs that have not ended by then are cut off. */
export const DRAIN_MS = 10_000;
/** How long a program that ends waits for its log. */
const FLUSH_MS = 1_000;

/** The log goes to standard error, flushed at the end and after an error that nobody caught; `readable` writes it for people. */
export async function runProgram(
  level: string,
  program: (log: Logger, droppedLines: () => number) => Promise<void>,
  readable?: (write: (text: string) => void) => ReadableLog,
): Promise<void> {
  const destination = createLogDestination();
  const people = readable?.(destination.write);
  const lines =
    people ?? (isJournal() ? { write: (line: string) => destination.write(withPriority(line)) } : destination);
  const log = pino({ level, base: null, serializers: { err: errorFields } }, lines);
  const fail = async (error: unknown) => {
    log.fatal({ err: error }, "the program failed");
    people?.flush();
    await destination.flush(FLUSH_MS);
    process.exit(1);
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  let status = 1;
  try {
    await program(log, destination.droppedLines);
    status = 0;
  } finally {
    process.off("uncaughtException", fail);
    process.off("unhandledRejection", fail);
    people?.flush();
    // A write that hangs would keep the process alive.
    if (!(await destination.flush(FLUSH_MS))) process.exit(status);
  }
}

/** The fields of an error that are logged. Other fields may be circular, or quote a caller. */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = codeOf(error);
  return {
    type: name,
    message,
    stack,
    ...(code && { code }),
    ...(meansDamage(code) && { fix: `the database is damaged: ${HOW_TO_REPAIR}` }),
    ...(cause !== undefined && { cause: errorFields(cause) }),
  };
}

export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
}

/** Takes no new requests, and waits for those in flight. */
export async function drain(server: { stop: (abrupt?: boolean) => Promise<void> }): Promise<void> {
  const cutOff = setTimeout(() => void server.stop(true), DRAIN_MS);
  await server.stop();
  clearTimeout(cutOff);
}

/** What a program that watches the catalog logs. @param refused is told whether its file was refused when it was last read */
export function catalogReports(log: Logger, refused: (isRefused: boolean) => void = () => {}): WatchEvents {
  return {
    startedWithLastGood({ issues }) {
      log.error(
        { issues },
        "the catalog is faulty; started with the last good one. Mend it, and it is taken over without a restart",
      );
      refused(true);
    },
    reloaded({ hash, changed, notes }) {
      log[notes.length > 0 ? "warn" : "info"](
        { hash: hash.slice(0, 12), changed, ...(notes.length > 0 && { notes }) },
        "catalog reloaded",
      );
      refused(false);
    },
    unchanged: () => refused(false),
    refused({ issues }) {
      log.error({ issues }, "catalog refused; the last good one stays in force");
      refused(true);
    },
  };
}

/** In Bun's thread pool, so a stalled reader holds up no request. Lines wait up to a bound; further ones are counted and dropped. */
export function createLogDestination({ fd = 2, maxBytes = 1_048_576 } = {}) {
  // At 0 the library does not flush.
  const stream = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: maxBytes });
  let dropped = 0;
  let droppedInAll = 0;
  stream.on("drop", () => {
    if (dropped === 0) stream.once("drain", countDropped);
    dropped += 1;
    droppedInAll += 1;
  });
  // The disk is full, or nobody reads: the lines wait, and the next one tries again.
  stream.on("error", () => {});
  const countDropped = () => {
    const fields = { level: 40, time: Date.now(), dropped, msg: `${dropped} log lines were dropped` };
    dropped = 0;
    stream.write(`${JSON.stringify(fields)}\n`);
  };
  return {
    write: stream.write.bind(stream),
    /** Writes all waiting lines, or gives them up: at the exit the library would wait for them. @returns whether they were written in time */
    async flush(withinMs: number) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const deadline = setTimeout(() => resolve(false), withinMs);
      stream.once("drain", () => resolve(true));
      stream.once("error", () => resolve(false));
      stream.flush();
      const isDone = await promise;
      clearTimeout(deadline);
      if (!isDone) stream.destroy();
      return isDone;
    },
    /** Since the start. */
    droppedLines: () => droppedInAll,
  };
}

/** The priorities of syslog(3) by pino's levels. */
const PRIORITIES: Readonly<Record<string, number>> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 };

/** Whether standard error is the journal's: systemd names its device and inode, which a child with another output inherits. */
export function isJournal(stream = rawSettings().JOURNAL_STREAM): boolean {
  const { dev, ino } = fstatSync(2);
  return stream === `${dev}:${ino}`;
}

/** With its priority in front, which the journal takes off again, so that `journalctl -p err` finds errors. Source: sd-daemon(3). */
export function withPriority(line: string): string {
  const priority = PRIORITIES[/^\{"level":(\d+)/.exec(line)?.[1] ?? ""];
  return priority === undefined ? line : `<${priority}>${line}`;
}
