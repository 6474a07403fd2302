/** `tint backup`: a checked copy of the database. */
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { Option } from "commander";
import { dataLocation } from "../../src/env/env.ts";
import { codeOf, flush, makePrivate, temporaryName } from "../../src/lib/files.ts";
import type { DataLocation } from "../../src/store/location/location.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { inspectDatabase } from "../../src/store/sqlite/inspect.ts";
import { noteBackup } from "../../src/store/sqlite/restore.ts";
import {
  cannotWrite,
  catalogBeside,
  copyCatalog,
  dropOldest,
  isLive,
  nameTarget,
  nextCopy,
  putInPlace,
  refuseToReplace,
} from "../shop/backup.ts";
import { catalogSource } from "../shop/catalog.ts";
import { type CommonOptions, cannotUse, hasDatabase, withStore } from "../shop/database.ts";
import { actAsOwner } from "../shop/rights.ts";
import type { Command } from "../terminal/command.ts";
import { numberBetween } from "../terminal/lists.ts";
import { CliError, fileSize, jsonLine, print } from "../terminal/output.ts";

export function configure(command: Command): void {
  command
    .description(
      "Writes a consistent copy of the database to a file and checks it, with the catalog beside it. The server can keep running.",
    )
    .argument("<file>", "where the copy goes; with --keep a folder")
    .addOption(
      new Option(
        "--keep <number>",
        "for schedules: a copy named after the time in a folder, where only so many are kept",
      )
        .argParser(numberBetween(1, 9999))
        .conflicts("force"),
    )
    .option("--force", "replace an earlier copy with this name; no other file is replaced")
    .option("--json", "print JSON")
    .examples("tint backup tintdesk-monday.db", "tint backup --force latest.db", "tint backup --keep 14 backups")
    .addHelpText("after", "\nTo restore a copy: tint restore FILE\nPasswords in .env are not copied.")
    .action(backup);
}

async function backup(where: string, options: CommonOptions & { force?: boolean; keep?: number }): Promise<void> {
  const location = dataLocation(options.data);
  // With PostgreSQL only the place of the copy may be somebody's.
  actAsOwner(location.kind === "folder" ? location.folder : dirname(resolve(where)));
  const given = options.keep === undefined ? where : nextCopy(where);
  const file = resolve(given);
  if (location.kind === "folder") refuseToCopy(location, file);
  if (existsSync(file)) refuseToReplace(file, given, options.force ?? false);
  const catalog = catalogSource(options);
  const beside = catalogBeside(file);
  if (existsSync(beside) && !options.force) throw new CliError(`${beside} exists already. Choose another name.`);

  const temporary = temporaryName(file);
  try {
    makePrivate(temporary);
    progress("Copying …");
    await withStore(options, (store) =>
      store.copyTo(temporary).catch((error: unknown) => {
        throw nameTarget(error, given);
      }),
    );
    progress("Checking the copy …");
    const { issues, bytes } = inspectDatabase(temporary);
    if (issues.length > 0)
      throw new CliError(`The copy is faulty, so it was not kept: ${issues.join("; ")}. Run tint doctor.`);
    flush(temporary);
    putInPlace(temporary, file, given, options.force ?? false);
    const hasCatalog = copyCatalog(catalog, beside);
    if (options.keep !== undefined && location.kind === "folder") noteBackup(location.folder);
    const dropped = options.keep === undefined ? [] : dropOldest(file, options.keep);
    const withCatalog = hasCatalog
      ? `, with the catalog in ${basename(beside)}`
      : `; ${catalog.name} is not there to copy`;
    process.stderr.write(`${given}: ${fileSize(bytes)}, checked${withCatalog}.\n`);
    const about = {
      file: given,
      bytes,
      checked: true,
      catalog: hasCatalog ? catalogBeside(given) : null,
      dropped: dropped.length,
    };
    if (options.json) await print(jsonLine(about));
  } catch (error) {
    const code = codeOf(error);
    throw code === undefined ? error : cannotWrite(given, code);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** @throws CliError */
function refuseToCopy(location: Extract<DataLocation, { kind: "folder" }>, file: string): void {
  const source = databaseFile(location.folder);
  if (!hasDatabase(location))
    throw new CliError(`There is no database ${source} to copy. Name its folder with --data.`);
  try {
    if (isLive(file, source)) throw new CliError("The copy cannot take the place of the database itself.");
  } catch (error) {
    throw cannotUse(error, location);
  }
}

function progress(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${step}\n`);
}
