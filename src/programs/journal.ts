/** Priorities for systemd's journal, so that `journalctl -p err` finds errors. */
import { fstatSync } from "node:fs";
import { rawSettings } from "../env/env.ts";

/** The priorities of syslog(3) by pino's levels. */
const PRIORITIES: Readonly<Record<string, number>> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 };

/** Whether standard error is the journal's: systemd names its device and inode, which a child with another output inherits. */
export function isJournal(stream = rawSettings().JOURNAL_STREAM): boolean {
  const { dev, ino } = fstatSync(2);
  return stream === `${dev}:${ino}`;
}

/** A line of pino's with its priority in front, which the journal takes off again. Source: sd-daemon(3). */
export function withPriority(line: string): string {
  const priority = PRIORITIES[/^\{"level":(\d+)/.exec(line)?.[1] ?? ""];
  return priority === undefined ? line : `<${priority}>${line}`;
}
