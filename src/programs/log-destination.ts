/** Where the log goes. Nothing that happens to it may reach a request, or keep the program from stopping. */
import { fstatSync, write } from "node:fs";
import { rawSettings } from "../env/env.ts";

interface DestinationOptions {
  /** Writes some of the bytes, and calls back with how many. */
  writeBytes?: (bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, written: number) => void) => void;
  /** Lines beyond this much text in memory are dropped. The batch on its way out may be as large again. */
  maxCharacters?: number;
  batchMs?: number;
  /** How long to wait after a write that failed: the disk is full, or nobody reads. */
  retryMs?: number;
}

/**
 * A line after a pause is written at once, further lines in batches. There is one write at a time, in Bun's thread pool, so a
 * reader that stalls holds up only that write. While the log cannot be written, lines wait up to a bound; further ones are
 * dropped, and their number is logged later.
 */
export function createLogDestination({
  writeBytes = (bytes, done) => write(2, bytes, 0, bytes.byteLength, null, done),
  maxCharacters = 1_048_576,
  batchMs = 50,
  retryMs = 1_000,
}: DestinationOptions = {}) {
  let waiting: string[] = [];
  let characters = 0;
  let dropped = 0;
  let droppedInAll = 0;
  /** The unwritten rest of the batch on its way out. */
  let batch: Uint8Array | undefined;
  let isWriting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** On the clock of performance.now. */
  let lastSent = Number.NEGATIVE_INFINITY;
  const flushes: ((isDone: boolean) => void)[] = [];

  const endFlushes = (isDone: boolean) => {
    for (const end of flushes.splice(0)) end(isDone);
  };

  const add = (line: string) => {
    waiting.push(line);
    characters += line.length;
  };

  const addDropped = () => {
    if (dropped === 0) return;
    const fields = { level: 40, time: Date.now(), dropped, msg: `${dropped} log lines were dropped` };
    dropped = 0;
    add(`${JSON.stringify(fields)}\n`);
  };

  const schedule = (ms: number) => {
    if (isWriting || timer !== undefined) return;
    timer = setTimeout(send, ms);
    // The timer must not keep the program alive, which flushes at its end.
    timer.unref();
  };

  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (!batch) {
      if (waiting.length === 0) return endFlushes(true);
      batch = Buffer.from(waiting.join(""));
      waiting = [];
      characters = 0;
    }
    isWriting = true;
    lastSent = performance.now();
    writeBytes(batch, sent);
  };

  const sent = (error: NodeJS.ErrnoException | null, written: number) => {
    isWriting = false;
    if (error) {
      // EAGAIN: the pipe is full for the moment. After any other error, waiting at the end of the program is useless.
      const isBusy = error.code === "EAGAIN";
      if (!isBusy) endFlushes(false);
      return schedule(isBusy ? batchMs : retryMs);
    }
    batch = batch?.subarray(written);
    if (batch?.byteLength === 0) batch = undefined;
    if (!batch) addDropped();
    if (flushes.length > 0 || batch) send();
    else if (waiting.length > 0) schedule(batchMs);
  };

  return {
    /** One line, with its newline. Returns at once and never throws. */
    write(line: string) {
      if (characters + line.length > maxCharacters) {
        dropped += 1;
        droppedInAll += 1;
        return;
      }
      addDropped();
      add(line);
      // While a failed write waits for its next try, the timer is set already.
      if (timer === undefined && performance.now() - lastSent >= batchMs) send();
      else schedule(batchMs);
    },
    /** Writes all waiting lines. @returns whether that succeeded within the time */
    flush(withinMs: number) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const deadline = setTimeout(() => resolve(false), withinMs);
      flushes.push(resolve);
      send();
      return promise.finally(() => clearTimeout(deadline));
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

/**
 * A line of pino's with its priority in front, which the journal takes off again, so that `journalctl -p err` finds errors.
 * Source: sd-daemon(3).
 */
export function withPriority(line: string): string {
  const priority = PRIORITIES[/^\{"level":(\d+)/.exec(line)?.[1] ?? ""];
  return priority === undefined ? line : `<${priority}>${line}`;
}
