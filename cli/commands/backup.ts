import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { dataFolder } from "../../src/env/env.ts";
import { reasonOf } from "../../src/lib/reasons.ts";
import { databaseFile } from "../../src/store/database.ts";
import { inspectDatabase, isOurDatabase } from "../../src/store/inspect.ts";
import { Failure } from "../failure.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { fileSize } from "../terminal/text.ts";

interface BackupOptions extends CommonOptions {
  force?: boolean;
}

export function configure(command: Command): void {
  command
    .description("Writes a consistent copy of the database to a file, and checks it. The server may go on running.")
    .argument("<file>", "where the copy goes")
    .option("--force", "replace an earlier copy of that name; never anything else")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  tint backup tintdesk-monday.db\n  tint backup --force latest.db\n\nTo restore: stop the server, put the copy in the data folder as tintdesk.db, and remove tintdesk.db-wal and tintdesk.db-shm.",
    )
    .action((file: string, _options: object, self: Command) => backup(file, self.optsWithGlobals<BackupOptions>()));
}

async function backup(given: string, options: BackupOptions): Promise<void> {
  const file = resolve(given);
  const source = databaseFile(dataFolder(options.data));
  if (!existsSync(source)) throw new Failure(`There is no database ${source} to copy. Name its folder with --data.`);
  if (isLive(file, source)) throw new Failure("The copy cannot take the place of the database itself.");
  if (existsSync(file)) refuseToReplace(file, given, options.force ?? false);

  // Beside the target, so that the rename is one step.
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    makePrivate(temporary);
    progress("Copying …");
    await withStore(options.data, (store) => store.copyTo(temporary).catch(nameTarget(given)));
    progress("Checking the copy …");
    const { faults, bytes } = inspectDatabase(temporary);
    if (faults.length > 0) throw new Failure(`The copy is faulty, so it was not kept: ${faults.join("; ")}`);
    flush(temporary);
    put(temporary, file, given, options.force ?? false);
    process.stderr.write(`${given}: ${fileSize(bytes)}, checked.\n`);
    if (options.json) await print(jsonLine({ file: given, bytes, checked: true }));
  } catch (error) {
    const { code } = Object(error) as { code?: unknown };
    throw typeof code === "string" ? cannotWrite(given, code) : error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Only an earlier copy may go, and that only when the owner says so. @throws Failure */
function refuseToReplace(file: string, given: string, force: boolean): void {
  if (statSync(file).isDirectory()) throw new Failure(`${given} is a folder. Name a file in it.`);
  if (!isOurDatabase(file))
    throw new Failure(
      `${given} is there already and is no copy made with tint backup, so it stays. Choose another name.`,
    );
  if (existsSync(`${file}-wal`)) throw new Failure(`${given} is a database in use, so it stays. Choose another name.`);
  if (!force) throw alreadyThere(given);
}

function alreadyThere(given: string): Failure {
  return new Failure(`${given} exists already. Choose another name, or replace it with --force.`);
}

/** Codes of SQLite that, of a copy, speak of where it goes; others speak of the database itself. */
const TARGET_FAULTS = ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY"];

function nameTarget(given: string): (error: unknown) => never {
  return (error) => {
    const { code } = Object(error) as { code?: unknown };
    const fault = TARGET_FAULTS.find((one) => String(code).startsWith(one));
    throw fault ? cannotWrite(given, fault) : error;
  };
}

function cannotWrite(given: string, code: string): Failure {
  return new Failure(`${given} cannot be written: ${reasonOf(code)}. Nothing was kept.`);
}

/** Whether a copy would take the place of the database or of a file that SQLite keeps beside it, by any way there. */
function isLive(file: string, database: string): boolean {
  const places = [database, realpathSync(database)].flatMap((one) =>
    ["", "-wal", "-shm", "-journal"].map((ending) => one + ending),
  );
  return places.some((place) => realPlace(place) === realPlace(file) || isSameFile(place, file));
}

/** The path without links; of a file that is not there yet, the folder's. */
function realPlace(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const folder = dirname(resolve(file));
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : resolve(file);
}

/** A second name of the same file, or a name in other letters where case does not count. */
function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false;
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

/** Customers' names and numbers are in it: for the owner's eyes only. SQLite fills an empty file. */
function makePrivate(file: string): void {
  closeSync(openSync(file, "w", 0o600));
}

/** SQLite leaves it to the system when a copy reaches the disk. */
function flush(file: string): void {
  const handle = openSync(file, "r+");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Without force, a file that came to be in the meantime is not replaced either: neither a link nor the copy overwrites. */
function put(temporary: string, file: string, given: string, force: boolean): void {
  try {
    if (force) renameSync(temporary, file);
    else place(temporary, file);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? alreadyThere(given) : error;
  }
}

const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP"];

function place(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    // Some file systems have no links.
    if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    copyFileSync(temporary, file, constants.COPYFILE_EXCL);
    flush(file);
  }
}

function progress(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${step}\n`);
}
