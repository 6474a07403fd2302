/** Compares the tables, triggers, rules and views of a PostgreSQL database with those that this program makes. */
import { statementsUpTo, versionError } from "../migrations.ts";
import { type Entries, entriesDifference, entryKey } from "../schema-entries.ts";
import { versionOf } from "./migrate.ts";
import { createPool } from "./pool.ts";
import { SHOP, TABLES } from "./schema.ts";

/** What extensions made is theirs. Each view has a rule of its own, which is no difference more. */
const ENTRIES = `
  WITH ours AS (
    SELECT oid, relname, relkind FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'f', 'v', 'm')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'))
  SELECT CASE WHEN relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS type, relname AS name FROM ours
  UNION ALL SELECT 'trigger', tgname FROM pg_trigger JOIN ours ON ours.oid = tgrelid WHERE NOT tgisinternal
  UNION ALL SELECT 'rule', rulename FROM pg_rewrite JOIN ours ON ours.oid = ev_class WHERE rulename <> '_RETURN'
  ORDER BY type, name`;

/**
 * How the schema of a database differs from that of its version, by name: the values that a stranger's view shows, or that
 * a trigger changed, are not the shop's. The columns are compared while rows are copied.
 * @returns undefined when it does not differ, or when the version is refused later
 */
export async function postgresDifference(url: string): Promise<string | undefined> {
  const pool = createPool(url, 1);
  try {
    const version = await versionOf(pool.current());
    if (version === 0 || versionError(version)) return undefined;
    const found: { type: string; name: string }[] = await pool.current().unsafe(ENTRIES);
    return entriesDifference(toEntries(found), expectedTables(version));
  } finally {
    await pool.close();
  }
}

function expectedTables(version: number): Entries {
  const sql = [SHOP, ...statementsUpTo(version, "postgres", TABLES)].join("\n");
  const names = sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g);
  return toEntries([...names].map(([, name = ""]) => ({ type: "table", name })));
}

function toEntries(found: readonly { type: string; name: string }[]): Entries {
  return new Map(found.map(({ type, name }) => [entryKey(type, name), ""]));
}
