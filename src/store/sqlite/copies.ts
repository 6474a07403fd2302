/** Copies of the database beside it, which `tint forget` leaves as they are. */
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { holds } from "../queries/forget.ts";
import type { Contact } from "../store.ts";
import { isOurDatabase, readDatabase } from "./inspect.ts";
import { isReplacedDatabase } from "./restore.ts";
import { runSteps } from "./run-steps.ts";

/**
 * Other databases of this program in the folder of the database that hold a person: backups, and databases that a restore
 * kept. One that cannot be read counts, because the person can be in it.
 */
export function copiesThatHold(file: string, contact: Contact): string[] {
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => name !== basename(file) && !/-(wal|shm|journal)$/.test(name))
    .map((name) => join(folder, name))
    .filter((copy) => (isReplacedDatabase(copy) || isOurDatabase(copy)) && canHold(copy, contact))
    .sort();
}

function canHold(copy: string, contact: Contact): boolean {
  try {
    return readDatabase(copy, (db) => runSteps(db, holds(contact)));
  } catch {
    // Damaged, or of a version with other columns.
    return true;
  }
}
