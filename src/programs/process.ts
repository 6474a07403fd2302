/** Logging, signals and draining, for programs that run until they are stopped. */
import { type Logger, pino } from "pino";
import type { WatchEvents } from "../catalog/load/watch.ts";
import { codeOf, HOW_TO_REPAIR, meansDamage } from "../lib/os-errors.ts";
import { createLogDestination, isJournal, withPriority } from "./log-destination.ts";

/** Lines of JSON for people, some of which are counted for a moment before they are written. */
export interface ReadableLog {
  write: (line: string) => void;
  /** Writes what is counted so far. */
  flush: () => void;
}

/** Requests and jobs that have not ended by then are cut off. */
export const DRAIN_MS = 10_000;
/**
 * How long a server among several goes on after SIGTERM while `/readyz` says that it stops: longer than a proxy takes to ask
 * again. Caddy up to 2.11.1 answers 502 to a request with a body that meets a closed port, instead of asking another server.
 */
export const NOTICE_MS = 2_000;
/** How long a program that ends waits for its log. */
const FLUSH_MS = 1_000;

/**
 * Runs a program with a log on standard error; standard output belongs to data and to protocols. The log is flushed when
 * the program ends, and when an error that nobody caught ends it.
 * @param readable writes the lines of JSON for people; a program without it logs JSON
 */
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
