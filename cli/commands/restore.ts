/** `tint restore`: replaces the database by a backup. */
import { existsSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { dataLocation } from "../../src/env/env.ts";
import { codeOf, explainCode } from "../../src/lib/os-errors.ts";
import { theDatabase } from "../../src/store/location/location.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { FolderInUse } from "../../src/store/sqlite/folder-lock.ts";
import { litestreamNotes, type Restored, restoreDatabase, UnusableBackup } from "../../src/store/sqlite/restore.ts";
import { StoreTooNew, StoreTooOld } from "../../src/store/store-errors.ts";
import { catalogBeside, isLive } from "../shop/backup.ts";
import type { CommonOptions } from "../shop/database.ts";
import { actAsOwner, refuseUnreadable } from "../shop/rights.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, fileSize, jsonLine, print } from "../terminal/output.ts";

export function configure(command: Command): void {
  command
    .description(
      "Checks a copy made with tint backup and puts it in place of the database. The database that was there is kept beside it, under a name with the date. Stop the server first.",
    )
    .argument("<file>", "the copy")
    .option("--json", "print JSON")
    .examples("tint restore tintdesk-monday.db", "tint restore tintdesk-monday.db --data data")
    .addHelpText(
      "after",
      `
Bookings and leads that came after the copy are not in it; they are in the
database that is kept. To undo a restore, restore the kept database. People
erased after the copy was made are in it again: see tint forget.
With PostgreSQL, bring a copy into an empty database: tint data copy FILE URL.`,
    )
    .action(restore);
}

async function restore(given: string, options: CommonOptions): Promise<void> {
  const location = dataLocation(options.data);
  if (location.kind === "url")
    throw new CliError(
      `${theDatabase(location)} cannot be replaced by a copy. Bring the copy into an empty database with tint data copy ${given} URL, and name that database in TINT_DATA.`,
    );
  const { folder } = location;
  const database = databaseFile(folder);
  const file = resolve(given);
  if (!existsSync(file)) throw new CliError(`There is no file ${given}.`);
  if (statSync(file).isDirectory()) throw new CliError(`${given} is a folder. Name the copy in it.`);
  if (existsSync(database) && isLive(file, database)) throw new CliError(`${given} is the database itself.`);
  const notes = litestreamNotes(database);
  if (existsSync(notes))
    throw new CliError(
      `Litestream copies this database, and would go on with the restored one as if it were the same. Stop it first (sudo systemctl stop tintdesk-litestream), remove its notes (rm -r ${notes}), and try again; start it afterwards, and it copies the whole database anew. Nothing was changed.`,
    );
  actAsOwner(folder);
  refuseUnreadable(file);
  let restored: Restored;
  try {
    restored = restoreDatabase(file, database);
  } catch (error) {
    throw restoreFailure(error, given, folder);
  }
  const { bytes, version, kept } = restored;
  process.stderr.write(`${given}: ${fileSize(bytes)}, checked, is now the database in ${folder}.\n`);
  if (existsSync(catalogBeside(file)))
    process.stderr.write(
      `The catalog of that day is ${relative(".", catalogBeside(file))}; the one in use stays. To go back to it, copy it over the one in use.\n`,
    );
  if (kept) process.stderr.write(`The database that was there is kept as ${relative(".", kept)}.\n`);
  if (options.json) await print(jsonLine({ file: given, bytes, version, checked: true, kept }));
}

function restoreFailure(error: unknown, given: string, folder: string): unknown {
  const unchanged = "Nothing was changed.";
  if (error instanceof FolderInUse)
    return new CliError(
      `The database in ${folder} is in use. Stop the server, and close tint mcp and every screen of tint, then try again. ${unchanged}`,
    );
  if (error instanceof UnusableBackup || error instanceof StoreTooNew || error instanceof StoreTooOld)
    return new CliError(`${given} cannot be restored: ${error.message}. ${unchanged}`);
  const code = codeOf(error);
  return code === undefined
    ? error
    : new CliError(`${given} could not be restored: ${explainCode(code)}. ${unchanged}`);
}
