import {
  closeSync,
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
import { dataFolder } from "../../src/env.ts";
import { databaseFile } from "../../src/store/database.ts";
import { inspectDatabase } from "../../src/store/inspect.ts";
import { jsonLine, print } from "../output.ts";
import { Failure } from "../program.ts";
import { reasonOf } from "../reasons.ts";
import { type CommonOptions, withStore } from "../store.ts";
import { fileSize } from "../text.ts";

interface BackupOptions extends CommonOptions {
  force?: boolean;
}

export function configure(command: Command): void {
  command
    .description("Writes a consistent copy of the database to a file, and checks it. The server may go on running.")
    .argument("<file>", "where the copy goes")
    .option("--force", "replace a file that exists")
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
  if (existsSync(file) && !options.force)
    throw new Failure(`${given} exists already. Choose another name, or replace it with --force.`);

  // Beside the target, so that the rename is one step.
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    makePrivate(temporary);
    progress("Copying …");
    await withStore(options.data, (store) => store.copyTo(temporary));
    progress("Checking the copy …");
    const { faults, bytes } = inspectDatabase(temporary);
    if (faults.length > 0) throw new Failure(`The copy is faulty, so it was not kept: ${faults.join("; ")}`);
    flush(temporary);
    put(temporary, file, given, options.force ?? false);
    process.stderr.write(`${given}: ${fileSize(bytes)}, checked.\n`);
    if (options.json) await print(jsonLine({ file: given, bytes, checked: true }));
  } catch (error) {
    const { code } = Object(error) as { code?: unknown };
    throw typeof code === "string"
      ? new Failure(`${given} cannot be written: ${reasonOf(code)}. Nothing was kept.`)
      : error;
  } finally {
    rmSync(temporary, { force: true });
  }
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

/** Without force, a file that came to be in the meantime is not replaced either: a link never overwrites. */
function put(temporary: string, file: string, given: string, force: boolean): void {
  try {
    if (force) renameSync(temporary, file);
    else linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new Failure(`${given} exists already. Choose another name, or replace it with --force.`);
    // Some file systems have no links.
    renameSync(temporary, file);
  }
}

function progress(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${step}\n`);
}
