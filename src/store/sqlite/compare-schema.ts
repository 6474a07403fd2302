/** Compares the tables, indices, triggers and views of a file with those that this program makes. */
import { Database } from "bun:sqlite";
import { statementsUpTo, versionError } from "../migrations.ts";
import { type Entries, entriesDifference, entryKey } from "../schema-entries.ts";
import { StoreDiffers } from "../store-errors.ts";
import { foreignError, readDatabase } from "./inspect.ts";
import { schemaVersion } from "./migrate.ts";

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

/**
 * Indices of keys have no statement. The name alone proves nothing, because an edited file can give it to a stranger's
 * index.
 */
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
