/** The files of a backup: the copy of the database, the catalog beside it, and the earlier copies in its folder. */
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { NoCatalog } from "../../src/catalog/load/document.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { codeOf, explainCode, flush, makeFolder, replacePrivately } from "../../src/lib/files.ts";
import { isOurDatabase } from "../../src/store/sqlite/inspect.ts";
import { CliError } from "../terminal/output.ts";

/** The catalog that was copied with a database: `monday.db` and `monday.catalog.yaml`. */
export function catalogBeside(file: string): string {
  return `${file.replace(/\.db$/, "")}.catalog.yaml`;
}

/** @returns false when there is no catalog @throws CatalogError when it cannot be read */
export function copyCatalog(source: CatalogSource, copy: string): boolean {
  try {
    replacePrivately(copy, source.read().bytes);
    return true;
  } catch (error) {
    if (error instanceof NoCatalog) return false;
    throw error;
  }
}

/** `tintdesk-20261122T020000000Z.db`. */
const SCHEDULED = /^tintdesk-\d{8}T\d{9}Z\.db$/;

/** The name of a new copy in a folder, which is made. @throws CliError when it cannot be made */
export function nextCopy(folder: string): string {
  try {
    makeFolder(folder);
  } catch (error) {
    throw cannotWrite(folder, codeOf(error) ?? "");
  }
  return join(folder, `tintdesk-${new Date().toISOString().replace(/[-:.]/g, "")}.db`);
}

/** The names of the copies that `nextCopy` named, the oldest first. @throws the system's error for a folder that cannot be read */
export function scheduledCopies(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => SCHEDULED.test(name))
    .sort();
}

/** Removes the oldest copies until `keep` are left. The newest is not the last by name when the clock went back. @returns their names */
export function dropOldest(newest: string, keep: number): string[] {
  const folder = dirname(newest);
  const others = scheduledCopies(folder).filter((name) => name !== basename(newest));
  const dropped = others.slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of dropped) {
    rmSync(join(folder, name), { force: true });
    rmSync(catalogBeside(join(folder, name)), { force: true });
  }
  return dropped;
}

/** Only an earlier copy may be replaced, and only with --force. @throws CliError */
export function refuseToReplace(file: string, given: string, force: boolean): void {
  if (statSync(file).isDirectory()) throw new CliError(`${given} is a folder. Name a file in it.`);
  const why = `${given} is there already and is not a copy made with tint backup, so it stays. Choose another name.`;
  if (!isOurDatabase(file)) throw new CliError(why);
  if (existsSync(`${file}-wal`)) throw new CliError(`${given} is a database in use, so it stays. Choose another name.`);
  if (!force) throw alreadyThere(given);
}

function alreadyThere(given: string): CliError {
  return new CliError(`${given} exists already. Choose another name, or replace it with --force.`);
}

/** SQLite codes that are about the target while it copies. Other codes are about the database. */
const TARGET_ERRORS = ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY"];

/** An issue of copying: a CliError that names the target when the target is the cause. */
export function nameTarget(error: unknown, given: string): unknown {
  const issue = TARGET_ERRORS.find((one) => codeOf(error)?.startsWith(one));
  return issue ? cannotWrite(given, issue) : error;
}

export function cannotWrite(given: string, code: string): CliError {
  return new CliError(`${given} cannot be written: ${explainCode(code)}. Nothing was kept.`);
}

/** Whether a file is the database or one that SQLite keeps beside it, also by a link or another name. */
export function isLive(file: string, database: string): boolean {
  const places = ["", "-wal", "-shm", "-journal"].flatMap((end) => [database + end, realpathSync(database) + end]);
  return places.some((place) => realPath(place) === realPath(file) || isSameFile(place, file));
}

/** The path without links. For a file that does not exist yet, its folder without links. */
function realPath(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const folder = dirname(resolve(file));
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : resolve(file);
}

/** True for hard links, and for names that differ in case on a disk that ignores case. */
function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false;
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

/** Gives the finished copy its name. Without force, a file that appeared in the meantime is not replaced. @throws CliError */
export function putInPlace(temporary: string, file: string, given: string, force: boolean): void {
  try {
    if (force) renameSync(temporary, file);
    else linkOrCopy(temporary, file);
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? alreadyThere(given) : error;
  }
}

const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP"];

/** Neither a link nor the copy overwrites. */
function linkOrCopy(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    // Some file systems have no links.
    if (!NO_LINKS.includes(codeOf(error) ?? "")) throw error;
    copyFileSync(temporary, file, constants.COPYFILE_EXCL);
    flush(file);
  }
}
