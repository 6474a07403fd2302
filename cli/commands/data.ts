/** `tint data copy`: the data of a shop, from one location to another, and the catalog that goes along. */
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { readText } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { EditError } from "../../src/catalog/source.ts";
import { catalogFile, dataLocation } from "../../src/env/env.ts";
import { spaced } from "../../src/lib/text.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { type CatalogStore, openStoredCatalog } from "../../src/store/catalog/stored-catalog.ts";
import { type Copied, CopyRefused, type Progress } from "../../src/store/copy-rows.ts";
import { CopyError, type CopySource, copyData } from "../../src/store/location/copy.ts";
import { type DataLocation, locationIssue, locationOf, shownLocation } from "../../src/store/location/location.ts";
import { openCatalogStore } from "../../src/store/location/open.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { FolderInUse } from "../../src/store/sqlite/file-lock.ts";
import { catalogBeside, copyCatalog } from "../shop/backup.ts";
import { user } from "../shop/catalog.ts";
import { type CommonOptions, cannotUse, isFile } from "../shop/database.ts";
import { actAsOwner, refuseUnreadable } from "../shop/rights.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";

export function configure(command: Command): void {
  command.examples("tint data copy data postgres://tint@db.example.com/shop");
  command
    .subcommand("copy", "copy all data to another place")
    .description(
      "Copies all data to an empty place and compares every row afterwards: from SQLite to PostgreSQL, or back. The catalog goes along: into the database, or out of it into a file beside the data. Bookings that come meanwhile are not in the copy, so stop the server first.",
    )
    .argument("<from>", "a folder, a copy made with tint backup, or postgres://…")
    .argument("<to>", "a folder without a database, or an empty database: postgres://…")
    .examples(
      "tint data copy data postgres://tint@db.example.com/shop",
      "tint data copy tintdesk-monday.db postgres://tint@db.example.com/shop",
      "tint data copy postgres://tint@db.example.com/shop data",
    )
    .addHelpText(
      "after",
      `
The word ${SETTING} in place of FROM or TO stands for the place of that
setting, so that a URL with a password is in .env and in no list of processes.
tint setup writes it there.`,
    )
    .jsonAction(copy);
}

/** Stands for the location that the setting names. */
const SETTING = "TINT_DATA";

async function copy(typedFrom: string, typedTo: string, options: CommonOptions): Promise<void> {
  const from = copySource(typedFrom);
  const to = readLocation("to", typedTo);
  const shown = { from: from.kind === "file" ? from.file : shownLocation(from), to: shownLocation(to) };
  actAsOwner(...[from, to].flatMap((location) => (location.kind === "folder" ? location.folder : [])));
  if (from.kind === "file") refuseUnreadable(from.file);
  // Issues of the file are said before anything is copied.
  const file = from.kind === "file" ? catalogBeside(from.file) : catalogFile(options.catalog);
  const source = from.kind !== "url" && to.kind === "url" && existsSync(file) ? fileSource(file) : null;
  if (source) loadCatalog(source);
  const catalog = source && { text: readText(source), file };
  let copied: Copied;
  try {
    copied = await copyData(from, to, process.stderr.isTTY ? showProgress() : undefined);
  } catch (error) {
    throw copyInWords(error, { from, to }, shown);
  } finally {
    if (process.stderr.isTTY) process.stderr.write("\u001b[K");
  }
  const note = await bringCatalog(from, to, catalog);
  const counts = Object.entries(copied).map(([table, rows]) => `${spaced(table)} ${rows}`);
  process.stderr.write(
    `Copied from ${clean(shown.from)} to ${clean(shown.to)}, and every row compared: ${counts.join(", ")}.\n${note}To use the copy, set ${SETTING} to its location: tint setup ${SETTING}=-\n`,
  );
  if (options.json) await print(jsonLine({ ...shown, rows: copied }));
}

/** @returns a line about the catalog; empty where it stays as it is @throws CliError */
async function bringCatalog(from: CopySource, to: DataLocation, catalog: { text: string; file: string } | null) {
  // Between two folders the file stays, and between two databases the versions are rows like all others.
  const database = from.kind !== "url" ? to : from;
  if (database.kind !== "url" || (from.kind === "url" && to.kind === "url")) return "";
  let store: CatalogStore | undefined;
  try {
    store = await openCatalogStore(database);
    if (to.kind === "url" && (await store.latest()) > 0)
      return "The catalog that the database has already is in force.\n";
    const source = await openStoredCatalog(store, { location: shownLocation(database), by: user() });
    if (to.kind === "folder") {
      const file = catalogBeside(databaseFile(to.folder));
      return copyCatalog(source, file)
        ? `The catalog is in ${file}. To use it, copy it to the catalog file of that machine.\n`
        : "The database has no catalog.\n";
    }
    if (!catalog) return "There was no catalog to copy. To put one there: tint catalog import FILE\n";
    const { text, file } = catalog;
    await source.save(() => ({ was: "", text, changed: true }), { create: true, note: `copy of ${file}` });
    return `The catalog is in the database now, as it is in ${file}.\n`;
  } catch (error) {
    const known = error instanceof EditError ? error : cannotUse(error, database);
    if (!(known instanceof EditError || known instanceof CliError)) throw error;
    throw new CliError(`The data are copied, but not the catalog. ${known.message}`);
  } finally {
    await store?.close();
  }
}

function copySource(typed: string): CopySource {
  const location = readLocation("from", typed);
  if (location.kind === "url") return location;
  if (!existsSync(location.folder)) throw new CliError(`There is no folder or file ${typed}.`);
  return statSync(location.folder).isDirectory() ? location : { kind: "file", file: location.folder };
}

function readLocation(name: string, typed: string): DataLocation {
  if (typed === SETTING) return dataLocation();
  const issue = locationIssue(typed);
  if (issue !== undefined) throw new UsageError(`<${name}> ${issue}.`);
  const location = locationOf(typed);
  if (name === "to" && location.kind === "folder" && isFile(location.folder))
    throw new UsageError(`${typed} is a file. Name a folder; for a copy in one file: tint backup FILE`);
  return location;
}

/** Long copies show how far they are on one line, twice a second. */
function showProgress(): Progress {
  process.stderr.write("Checking …\r");
  let shownAt = 0;
  return (step, table, rows) => {
    const now = performance.now();
    if (now - shownAt < 500) return;
    shownAt = now;
    process.stderr.write(`\u001b[K${spaced(table)}: ${rows.toLocaleString("en-US")} rows ${step}\r`);
  };
}

function copyInWords(
  error: unknown,
  locations: { from: CopySource; to: DataLocation },
  shown: { from: string; to: string },
): unknown {
  const unchanged = "Nothing was copied.";
  if (error instanceof CopyRefused)
    return new CliError(
      error.at === "from"
        ? `${shown.from} cannot be copied: ${error.message}. ${unchanged}`
        : `${shown.to} cannot take the copy: ${error.message}. Name an empty database, or a folder without one. ${unchanged}`,
    );
  if (!(error instanceof CopyError)) return error;
  const { cause } = error;
  if (cause instanceof FolderInUse)
    return new CliError(`${shown[error.at]} is in use. Stop the programs that use it. ${unchanged}`);
  const location = locations[error.at];
  const known = cannotUse(cause, location.kind === "file" ? locationOf(dirname(location.file)) : location);
  return known instanceof CliError ? new CliError(`${known.message} ${unchanged}`) : cause;
}
