/** Checks the age of the newest scheduled backup. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../src/lib/durations.ts";
import { scheduledCopies } from "../backup/set.ts";
import { age } from "../terminal/times.ts";
import { type Finding, ok, warning } from "./finding.ts";

const NAME = "backups";
/** One night may fail, as when the machine is off. */
const OLDEST_MS = 2 * DAY_MS;

/** @param folder of `tint backup --keep`, beside the catalog @returns no finding where nobody may look, or without one */
export function checkBackups(folder: string, now: Temporal.Instant): Finding[] {
  try {
    const newest = scheduledCopies(folder).at(-1);
    const old = now.epochMilliseconds - statSync(newest === undefined ? folder : join(folder, newest)).mtimeMs;
    const message =
      newest === undefined ? `there is none in ${folder} yet` : `the newest in ${folder} is ${age(old)} old`;
    if (old <= OLDEST_MS) return [ok(NAME, message)];
    const fix = `journalctl -u tintdesk-backup says why; tint backup --keep 14 ${folder} makes one now`;
    return [warning(NAME, message, fix)];
  } catch {
    return [];
  }
}
