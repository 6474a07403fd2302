/** `tint restore`: replaces the database by a backup. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { catalogFile, dataLocation } from "../../src/env/env.ts";
import { codeOf, explainCode, makeFile } from "../../src/lib/files.ts";
import { theDatabase } from "../../src/store/location/location.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { FolderInUse } from "../../src/store/sqlite/file-lock.ts";
import { readDatabase } from "../../src/store/sqlite/inspect.ts";
import { litestreamNotes, type Restored, restoreDatabase, UnusableBackup } from "../../src/store/sqlite/restore.ts";
import type { Contact } from "../../src/store/store.ts";
import { StoreTooNew, StoreTooOld } from "../../src/store/store-errors.ts";
import { catalogBeside, isLive } from "../shop/backup.ts";
import { shopClock } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { actAsOwner, refuseUnreadable } from "../shop/rights.ts";
import { canAsk, isAgreed } from "../terminal/asking.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, fileSize, jsonLine, print } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";

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
erased after the copy was made are in it again: they are named, to be erased
again. Where there is no catalog, the one beside the copy is put in place.
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
  const catalog = catalogFile(options.catalog);
  const beside = catalogBeside(file);
  if (existsSync(beside) && !existsSync(catalog)) {
    try {
      makeFile(catalog, readFileSync(beside));
    } catch (error) {
      throw new CliError(`${catalog} cannot be written: ${explainCode(codeOf(error))}. Copy ${beside} there.`);
    }
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

interface Forgotten {
  name: string;
  contact: Contact;
  at: number;
}

/** People in the restored database who were erased from the one that was there; none where that one is damaged. */
function forgottenSince(kept: string, restored: string): Forgotten[] {
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

/** Erases them again where the owner agrees, and otherwise says how. */
async function forgetAgain(forgotten: readonly Forgotten[], options: CommonOptions): Promise<void> {
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
