/** Compares the tables, indices, triggers and views of a file with those that this program makes. */
import { Database } from "bun:sqlite";
import { statementsUpTo } from "../migrations.ts";
import { readDatabase } from "./inspect.ts";
import { versionOf } from "./migrate.ts";
import { TABLES } from "./schema.ts";

interface Entry {
  type: string;
  name: string;
  sql: string;
}

/** Differences that are named. */
const MOST_NAMED = 3;

/**
 * How the schema of a file differs from that of its version, by name. A trigger or a view of a stranger would run with the
 * next booking. Call it for a version that `versionError` accepts.
 * @returns undefined when it does not differ
 * @throws SQLiteError when the file cannot be read
 */
export function schemaDifference(file: string): string | undefined {
  const [version, given] = readDatabase(file, (db) => [versionOf(db), entriesOf(db)] as const);
  const expected = expectedEntries(version);
  const keyOf = ({ type, name }: Entry) => `${type} ${JSON.stringify(name)}`;
  const [have, want] = [given, expected].map((entries) => new Map(entries.map((entry) => [keyOf(entry), entry.sql])));
  const differences = [
    ...[...(have ?? [])].flatMap(([key, sql]) => {
      const wanted = want?.get(key);
      if (wanted === undefined) return `it has the ${key}, which Tintdesk does not make`;
      return wanted === sql ? [] : `its ${key} is not as Tintdesk makes it`;
    }),
    ...[...(want?.keys() ?? [])].filter((key) => !have?.has(key)).map((key) => `it lacks the ${key}`),
  ];
  const more = differences.length - MOST_NAMED;
  const named = [...differences.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
  return named.length === 0 ? undefined : named.join("; ");
}

function expectedEntries(version: number): Entry[] {
  const db = new Database(":memory:", { strict: true });
  try {
    for (const statements of statementsUpTo(version, "sqlite", TABLES)) db.run(statements);
    return entriesOf(db);
  } finally {
    db.close();
  }
}

function entriesOf(db: Database): Entry[] {
  const all = db.query<{ type: string; name: string; sql: string | null }, []>(
    "SELECT type, name, sql FROM sqlite_schema",
  );
  return all
    .all()
    .filter(({ type, name }) => !isOfSqlite(type, name))
    .map(({ type, name, sql }) => ({ type, name, sql: plain(sql ?? "") }));
}

/** Indices of keys, and what SQLite counts for its planner. Nobody can make a trigger or a view of such a name. */
function isOfSqlite(type: string, name: string): boolean {
  return type === "index" ? name.startsWith("sqlite_autoindex_") : type === "table" && /^sqlite_stat[14]$/.test(name);
}

/** Without comments and line breaks, which say nothing. */
function plain(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
