/** Examines a database file without changing it: its damage, its records, and its tables against this program's. */
import { constants, Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { LEAD_KINDS } from "../../constants.ts";
import { LEAD_STATUSES, type LeadStatus } from "../../domain/lifecycle.ts";
import { codeOf, meansDamage } from "../../lib/files.ts";
import { type Entries, entriesDifference, entryKey, statementsUpTo, versionError } from "../migrations.ts";
import type { NewLead } from "../store.ts";
import { StoreDamaged, StoreDiffers, StoreForeign } from "../store-errors.ts";
import { schemaVersion } from "./migrate.ts";

/** Reads a file without changing it. @throws SQLiteError when it is not a database or cannot be read */
export function readDatabase<Result>(file: string, read: (db: Database) => Result): Result {
  using db = new Database(file, constants.SQLITE_OPEN_READONLY);
  return read(db);
}

export type DatabaseFacts = ReturnType<typeof inspectDatabase>;

/** Larger databases are not read through at a start or by `tint doctor`, because that takes seconds per gigabyte. */
export const MOST_CHECKED = 64 * 1024 ** 2;
/** The most kinds of damage that are named. */
const ERRORS_NAMED = 3;
/** The most errors that SQLite looks for: a badly damaged file has one in every row. */
const ERRORS_SOUGHT = 100;

/** A database over `mostBytes` is not checked for damage. Throws SQLiteError when the file is none, or cannot be read. */
export function inspectDatabase(file: string, mostBytes = Number.POSITIVE_INFINITY) {
  return readDatabase(file, (db) => {
    db.run("PRAGMA busy_timeout = 4000");
    const version = schemaVersion(db);
    const bytes = fileBytes(db);
    const isChecked = bytes <= mostBytes;
    return {
      bytes,
      version,
      isChecked,
      /** Damage that SQLite finds in the file; empty when the file is sound. */
      issues: isChecked ? integrityIssues(db) : [],
      /** Creation time of the newest lead; null without leads. A time in the future shows that a clock was wrong. */
      newestAt: version === 0 ? null : newestLeadAt(db),
    };
  });
}

/** As a server does before it takes bookings; one over `mostBytes` is not checked. Throws StoreDamaged, SQLiteError. */
export function refuseDamaged(file: string, mostBytes = MOST_CHECKED): void {
  readDatabase(file, (db) => {
    db.run("PRAGMA busy_timeout = 4000");
    if (fileBytes(db) > mostBytes) return;
    const found = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()?.quick_check;
    if (found !== "ok") throw new StoreDamaged(found);
  });
}

/** The size with the write-ahead log, which the size of the file leaves out. */
function fileBytes(db: Database): number {
  const size = db
    .query<{ bytes: number }, []>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get();
  return size?.bytes ?? 0;
}

function integrityIssues(db: Database): string[] {
  const integrity = db.query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${ERRORS_SOUGHT})`).all();
  const orphans = db
    .query<{ child: string; parent: string; count: number }, []>(
      'SELECT "table" AS child, parent, count(*) AS count FROM pragma_foreign_key_check GROUP BY "table", parent',
    )
    .all();
  const kinds = [
    ...damageInWords(integrity.map((row) => row.integrity_check)),
    ...orphans.map(({ child, parent, count }) =>
      count === 1
        ? `a row of ${child} refers to a missing row of ${parent}`
        : `${count} rows of ${child} refer to missing rows of ${parent}`,
    ),
  ];
  const more = kinds.length - ERRORS_NAMED;
  return [...kinds.slice(0, ERRORS_NAMED), ...(more > 0 ? [`and ${more} more of other kinds`] : [])];
}

/** One line for each kind of damage. Errors that differ only in the numbers of rows and pages are one kind. */
function damageInWords(found: readonly string[]): string[] {
  const lines = found
    .flatMap((text) => text.split("\n"))
    .filter((line) => line !== "ok" && !/^(\*\*\*.*)?$/.test(line));
  const kinds = Map.groupBy(lines, (line) => line.replace(/\d+/g, "0"));
  return [...kinds.values()].map(
    ([first = "", ...rest]) => first + (rest.length > 0 ? ` (and ${rest.length} like it)` : ""),
  );
}

/** One query per state and kind, because the index on leads begins with them. */
function newestLeadAt(db: Database): number | null {
  const newest = db.query<{ at: number }, [LeadStatus, NewLead["kind"]]>(
    "SELECT created_at AS at FROM leads WHERE status = ? AND kind = ? ORDER BY created_at DESC LIMIT 1",
  );
  const dates = LEAD_STATUSES.flatMap((status) => LEAD_KINDS.flatMap((kind) => newest.get(status, kind)?.at ?? []));
  return dates.length === 0 ? null : Math.max(...dates);
}

const OUR_TABLES = ["leads", "bookings", "jobs", "api_keys"];

function ourTablesIn(file: string): number {
  const tables = `SELECT count(*) AS found FROM sqlite_schema WHERE type = 'table' AND name IN ('${OUR_TABLES.join("', '")}')`;
  return readDatabase(file, (db) => db.query<{ found: number }, []>(tables).get()?.found ?? 0);
}

/** @throws SQLiteError when it cannot be opened: as on a disk that can only be read, where SQLite opens no file that a server used */
export function hasOurTables(file: string): boolean {
  try {
    return ourTablesIn(file) === OUR_TABLES.length;
  } catch (error) {
    if (meansDamage(codeOf(error))) return false;
    throw error;
  }
}

export function isOurDatabase(file: string): boolean {
  try {
    return hasOurTables(file);
  } catch {
    return false;
  }
}

/** Ours are made whole, so one without tables is none of them. @throws SQLiteError when it cannot be read */
export function foreignError(file: string): StoreForeign | undefined {
  const isNew = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  return isNew || ourTablesIn(file) > 0 ? undefined : new StoreForeign();
}

/**
 * How the schema of a file differs from that of its version, by name. A trigger or a view of a stranger would run with the
 * next booking. Call it for a version that `versionError` accepts.
 * @param mayHaveMore what others added is no difference
 * @returns undefined when it does not differ
 * @throws SQLiteError when the file cannot be read
 */
export function schemaDifference(file: string, mayHaveMore = false): string | undefined {
  const [version, given] = readDatabase(file, (db) => [schemaVersion(db), entriesOf(db)] as const);
  return entriesDifference(given, ofVersion(version, entriesOf), mayHaveMore);
}

/** Why this program cannot work with the tables of a file, or bring them up to date. @throws SQLiteError when it cannot be read */
export function tablesError(file: string): ReturnType<typeof versionError | typeof foreignError> | StoreDiffers {
  const foreign = foreignError(file);
  if (foreign) return foreign;
  const version = readDatabase(file, schemaVersion);
  const issue = versionError(version);
  if (issue || version === 0) return issue;
  const difference = schemaDifference(file, true);
  return difference === undefined ? undefined : new StoreDiffers(version, difference);
}

/** The names of the columns of each table, and those of the indices, in a version; PostgreSQL has the same. */
export function namesIn(version: number): { tables: Map<string, string[]>; indices: string[] } {
  const names = (type: string) => `SELECT name FROM sqlite_schema WHERE type = '${type}' AND sql IS NOT NULL`;
  return ofVersion(version, (db) => {
    const all = (query: string) => db.query<{ name: string }, []>(query).all();
    const columns = (table: string) => all(`SELECT name FROM pragma_table_xinfo('${table}')`).map(({ name }) => name);
    const tables = all(names("table")).map(({ name }) => [name, columns(name)] as const);
    return { tables: new Map(tables), indices: all(names("index")).map(({ name }) => name) };
  });
}

function ofVersion<Result>(version: number, read: (db: Database) => Result): Result {
  using db = new Database(":memory:", { strict: true });
  for (const statements of statementsUpTo(version, "sqlite")) db.run(statements);
  return read(db);
}

function entriesOf(db: Database): Entries {
  const all = db.query<{ type: string; name: string; sql: string | null }, []>(
    "SELECT type, name, sql FROM sqlite_schema",
  );
  const made = all.all().filter((entry) => !isOfSqlite(entry));
  return new Map(made.map(({ type, name, sql }) => [entryKey(type, name), plainSql(sql ?? "")]));
}

/** Tables in which SQLite counts for its planner. */
const STATISTICS: ReadonlySet<string | null> = new Set([
  "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
  "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
]);

/** Indices of keys have no statement. The name alone proves nothing: an edited file can give it to a stranger's index. */
function isOfSqlite({ type, sql }: { type: string; sql: string | null }): boolean {
  return type === "index" ? sql === null : STATISTICS.has(sql);
}

/** Without comments and line breaks, which say nothing. */
function plainSql(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
