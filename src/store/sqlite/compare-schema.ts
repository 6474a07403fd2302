/** Compares the tables, indices, triggers and views of a file with those that this program makes. */
import { Database } from "bun:sqlite";
import { statementsUpTo } from "../migrations.ts";
import { type Entries, entriesDifference, entryKey } from "../schema-entries.ts";
import { readDatabase } from "./inspect.ts";
import { versionOf } from "./migrate.ts";
import { TABLES } from "./schema.ts";

/**
 * How the schema of a file differs from that of its version, by name. A trigger or a view of a stranger would run with the
 * next booking. Call it for a version that `versionError` accepts.
 * @returns undefined when it does not differ
 * @throws SQLiteError when the file cannot be read
 */
export function schemaDifference(file: string): string | undefined {
  const [version, given] = readDatabase(file, (db) => [versionOf(db), entriesOf(db)] as const);
  return entriesDifference(given, expectedEntries(version));
}

function expectedEntries(version: number): Entries {
  const db = new Database(":memory:", { strict: true });
  try {
    for (const statements of statementsUpTo(version, "sqlite", TABLES)) db.run(statements);
    return entriesOf(db);
  } finally {
    db.close();
  }
}

function entriesOf(db: Database): Entries {
  const all = db.query<{ type: string; name: string; sql: string | null }, []>(
    "SELECT type, name, sql FROM sqlite_schema",
  );
  const made = all.all().filter((entry) => !isOfSqlite(entry));
  return new Map(made.map(({ type, name, sql }) => [entryKey(type, name), plain(sql ?? "")]));
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
function plain(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
