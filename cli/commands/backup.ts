/** `tint backup` and `tint restore`: a checked copy of the database, and back again. */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { Option } from "commander";
import { catalogFile, dataLocation } from "../../src/env/env.ts";
import { codeOf, explainCode, flush, makeFile, makePrivate, temporaryName } from "../../src/lib/files.ts";
import { type FolderLocation, theDatabase } from "../../src/store/location/location.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { FolderInUse } from "../../src/store/sqlite/file-lock.ts";
import { inspectDatabase, readDatabase } from "../../src/store/sqlite/inspect.ts";
import {
  litestreamNotes,
  noteBackup,
  type Restored,
  restoreDatabase,
  UnusableBackup,
} from "../../src/store/sqlite/restore.ts";
import type { Contact } from "../../src/store/store.ts";
import { StoreTooNew, StoreTooOld } from "../../src/store/store-errors.ts";
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
import { shopClock } from "../shop/clock.ts";
import { type CommonOptions, cannotUse, hasDatabase, withStore } from "../shop/database.ts";
import { actAsOwner, refuseUnreadable, writingTo } from "../shop/rights.ts";
import { canAsk, isAgreed } from "../terminal/asking.ts";
import type { Command } from "../terminal/command.ts";
import { numberBetween } from "../terminal/lists.ts";
import { CliError, clean, fileSize, jsonLine, print } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";

export const configure = { backup: configureBackup, restore: configureRestore };

function configureBackup(command: Command): void {
  const schedules = "for schedules: a copy named after the time in a folder, where only so many are kept";
  command
    .description(
      "Writes a consistent copy of the database to a file and checks it, with the catalog beside it. The server can keep running.",
    )
    .argument("<file>", "where the copy goes; with --keep a folder")
    .addOption(new Option("--keep <number>", schedules).argParser(numberBetween(1, 9999)).conflicts("force"))
    .option("--force", "replace an earlier copy with this name; no other file is replaced")
    .examples("tint backup tintdesk-monday.db", "tint backup --force latest.db", "tint backup --keep 14 backups")
    .addHelpText("after", "\nTo restore a copy: tint restore FILE\nPasswords in .env are not copied.")
    .jsonAction(backup);
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
    const progress = (step: string) => void (process.stderr.isTTY && process.stderr.write(`${step}\n`));
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
    const withIt = hasCatalog ? `, with the catalog in ${basename(beside)}` : `; ${catalog.name} is not there to copy`;
    process.stderr.write(`${given}: ${fileSize(bytes)}, checked${withIt}.\n`);
    const besideGiven = hasCatalog ? catalogBeside(given) : null;
    const about = { file: given, bytes, checked: true, catalog: besideGiven, dropped: dropped.length };
    if (options.json) await print(jsonLine(about));
  } catch (error) {
    const code = codeOf(error);
    throw code === undefined ? error : cannotWrite(given, code);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function refuseToCopy(location: FolderLocation, file: string): void {
  const source = databaseFile(location.folder);
  if (!hasDatabase(location))
    throw new CliError(`There is no database ${source} to copy. Name its folder with --data.`);
  try {
    if (isLive(file, source)) throw new CliError("The copy cannot take the place of the database itself.");
  } catch (error) {
    throw cannotUse(error, location);
  }
}

function configureRestore(command: Command): void {
  command
    .description(
      "Checks a copy made with tint backup and puts it in place of the database. The database that was there is kept beside it, under a name with the date. Stop the server first.",
    )
    .argument("<file>", "the copy")
    .examples("tint restore tintdesk-monday.db", "tint restore tintdesk-monday.db --data data")
    .addHelpText(
      "after",
      `
Bookings and leads that came after the copy are not in it; they are in the
database that is kept. To undo a restore, restore the kept database. People
erased after the copy was made are in it again: they are named, to be erased
again. Where there is no catalog, the one beside the copy is put in place.
With PostgreSQL, bring a copy into an empty database: tint data copy FILE URL.`,
    )
    .jsonAction(restore);
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
  const catalog = catalogFile(options.catalog);
  const beside = catalogBeside(file);
  if (existsSync(beside) && !existsSync(catalog)) {
    writingTo(catalog, () => makeFile(catalog, readFileSync(beside)), { more: ` Copy ${beside} there.` });
    process.stderr.write(`There was no catalog: ${catalog} is now the one of that day, ${relative(".", beside)}.\n`);
  } else if (existsSync(beside))
    process.stderr.write(
      `The catalog of that day is ${relative(".", catalogBeside(file))}; the one in use stays. To go back to it, copy it over the one in use.\n`,
    );
  if (kept) process.stderr.write(`The database that was there is kept as ${relative(".", kept)}.\n`);
  const forgotten = kept === null ? [] : forgottenSince(kept, database);
  if (forgotten.length > 0) await forgetAgain(forgotten, options);
  if (options.json) await print(jsonLine({ file: given, bytes, version, checked: true, kept }));
}

/** People in the restored database who were erased from the one that was there; none where that one is damaged. */
function forgottenSince(kept: string, restored: string): { name: string; contact: Contact; at: number }[] {
  const erasedIn = "SELECT id, forgotten_at AS at FROM leads WHERE forgotten_at IS NOT NULL";
  const stillIn = "SELECT name, phone, email FROM leads WHERE id = ? AND forgotten_at IS NULL";
  try {
    const erased = readDatabase(kept, (db) => db.query<{ id: string; at: number }, []>(erasedIn).all());
    return readDatabase(restored, (db) => {
      const find = db.query<{ name: string; phone: string; email: string }, [string]>(stillIn);
      const found = erased.flatMap(({ id, at }) => {
        const lead = find.get(id);
        if (!lead || lead.phone + lead.email === "") return [];
        const contact: Contact =
          lead.phone === "" ? { by: "email", value: lead.email } : { by: "phone", value: lead.phone };
        return [[contact.value, { name: lead.name, contact, at }] as const];
      });
      return [...new Map(found).values()];
    });
  } catch {
    return [];
  }
}

async function forgetAgain(forgotten: ReturnType<typeof forgottenSince>, options: CommonOptions): Promise<void> {
  const shop = shopClock(options.catalog);
  for (const { name, at } of forgotten)
    process.stderr.write(`${clean(name)} was erased on ${momentInWords(shop, at)}, and is in this copy again.\n`);
  const commands = forgotten.map(({ contact }) => `  tint forget ${clean(contact.value)}\n`).join("");
  if (!canAsk()) return void process.stderr.write(`To erase again:\n${commands}`);
  const later = `To erase later:\n${commands}`;
  if (!(await isAgreed(`Erase ${forgotten.length === 1 ? "this person" : "them"} again?`, later)))
    return void process.stderr.write(later);
  await withStore(options, async (store) => {
    const now = Temporal.Now.instant().epochMilliseconds;
    for (const { contact } of forgotten) await store.forget({ ...contact, isAlone: true }, now, true);
    await store.cleanFile();
  });
  process.stderr.write(`Erased again: ${clean(forgotten.map(({ name }) => name).join(", "))}.\n`);
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
  const wayOut = code === "SQLITE_CANTOPEN" ? "Copy it, with its -wal, to where you may write, and restore that." : "";
  return code === undefined
    ? error
    : new CliError(`${given} could not be restored: ${explainCode(code)}. ${unchanged} ${wayOut}`.trimEnd());
}
