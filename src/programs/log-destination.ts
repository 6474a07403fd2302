/** Where the log goes. Nothing that happens to it may reach a request, or keep the program from stopping. */
import { fstatSync } from "node:fs";
import { pino } from "pino";
import { rawSettings } from "../env/env.ts";

/**
 * Lines are written in Bun's thread pool, so a reader that stalls holds up no request. While the log cannot be written, lines
 * wait up to a bound; further ones are dropped, and their number is logged later.
 */
export function createLogDestination({ fd = 2, maxBytes = 1_048_576 } = {}) {
  // At 0 the library does not flush.
  const stream = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: maxBytes });
  let dropped = 0;
  let droppedInAll = 0;
  stream.on("drop", () => {
    dropped += 1;
    droppedInAll += 1;
  });
  // The disk is full, or nobody reads: the lines wait, and the next one tries again.
  stream.on("error", () => {});
  stream.on("drain", () => {
    if (dropped === 0) return;
    const fields = { level: 40, time: Date.now(), dropped, msg: `${dropped} log lines were dropped` };
    dropped = 0;
    stream.write(`${JSON.stringify(fields)}\n`);
  });
  return {
    /** One line, with its newline. */
    write: (line: string) => void stream.write(line),
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

/**
 * A line of pino's with its priority in front, which the journal takes off again, so that `journalctl -p err` finds errors.
 * Source: sd-daemon(3).
 */
export function withPriority(line: string): string {
  const priority = PRIORITIES[/^\{"level":(\d+)/.exec(line)?.[1] ?? ""];
  return priority === undefined ? line : `<${priority}>${line}`;
}
