/** Brings the tables of a PostgreSQL database to the version of this program, and tells how they differ from those of a version. */
import type { SQL } from "bun";
import { MINUTE_MS } from "../../lib/durations.ts";
import {
  type Entries,
  entriesDifference,
  entryKey,
  SCHEMA_VERSION,
  statementsSince,
  statementsUpTo,
  versionError,
} from "../migrations.ts";
import { addSecret } from "../queries/secrets.ts";
import { namesIn } from "../sqlite/inspect.ts";
import { StoreDiffers } from "../store-errors.ts";
import { clockAhead } from "./clock.ts";
import {
  answerWithin,
  createPool,
  ENDS_WITH_ITS_MACHINE,
  READ_MS,
  runSteps,
  type SqlConnection,
  sqlStateOf,
} from "./pool.ts";

/** The one row that every write updates first, so that writes of all machines come one after the other. */
export const SHOP = `
  -- "version" is the one of the tables. "writes" counts the writes, which tells the others that something changed.
  CREATE TABLE IF NOT EXISTS shop (id SMALLINT PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, writes BIGINT NOT NULL);
  INSERT INTO shop (id, version, writes) VALUES (1, 0, 0) ON CONFLICT (id) DO NOTHING`;

export async function versionOf(sql: SQL): Promise<number> {
  try {
    const [row] = await sql.unsafe("SELECT version FROM shop WHERE id = 1");
    return Number(row?.version ?? 0);
  } catch (error) {
    // There is no such table yet.
    if (sqlStateOf(error) === "42P01") return 0;
    throw error;
  }
}

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
  await using pool = createPool(url, 1);
  const version = await versionOf(pool.current());
  if (version === 0 || versionError(version)) return undefined;
  const found: { type: string; name: string }[] = await pool.current().unsafe(ENTRIES);
  return entriesDifference(toEntries(found), expectedTables(version));
}

const COLUMNS_AND_INDICES = `
  SELECT 'table' AS type, table_name AS name, column_name AS column FROM information_schema.columns
  WHERE table_schema = current_schema()
  UNION ALL SELECT 'index', indexname, '' FROM pg_indexes WHERE schemaname = current_schema()`;

/** What others made beside Tintdesk's own is no difference. Undefined also for a version that is refused elsewhere. */
async function ownDifference(sql: SqlConnection, version: number): Promise<string | undefined> {
  if (version === 0 || versionError(version)) return undefined;
  const found: { type: string; name: string; column: string }[] = await sql.unsafe(COLUMNS_AND_INDICES);
  const have = Map.groupBy(found, ({ type, name }) => entryKey(type, name));
  const columns = new Map([...have].map(([key, rows]) => [key, inOrder(rows.map(({ column }) => column))]));
  const { tables, indices } = namesIn(version);
  return entriesDifference(
    columns,
    new Map([
      // Those that only PostgreSQL has are to be there.
      ...[...expectedTables(version).keys()].map((key) => [key, columns.get(key) ?? ""] as const),
      ...[...tables].map(([name, names]) => [entryKey("table", name), inOrder(names)] as const),
      ...indices.map((name) => [entryKey("index", name), ""] as const),
    ]),
    true,
  );
}

function inOrder(names: readonly string[]): string {
  return names.toSorted().join();
}

function expectedTables(version: number): Entries {
  const sql = [SHOP, ...statementsUpTo(version, "postgres")].join("\n");
  const names = sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g);
  return toEntries([...names].map(([, name = ""]) => ({ type: "table", name })));
}

function toEntries(found: readonly { type: string; name: string }[]): Entries {
  return new Map(found.map(({ type, name }) => [entryKey(type, name), ""]));
}

/** SQLSTATEs that a process gets when another one has just made the same table. */
const MADE_TWICE = ["42P07", "23505", "42710"];

/** The longest that a large database may take to become one of this version, or that others wait for it. */
const MOST_MS = 15 * MINUTE_MS;

/** Brings the tables to this program's version. Any number of processes may do so at once. @throws StoreTooNew, StoreTooOld, StoreDiffers */
export async function migrate(sql: SQL): Promise<void> {
  // Every command opens the database, so the usual case must not cost a write.
  if ((await answerWithin(READ_MS, versionOf(sql))) === SCHEMA_VERSION) return;
  await answerWithin(READ_MS, makeShop(sql));
  const changed = sql.begin(async (tx) => {
    await tx.unsafe(ENDS_WITH_ITS_MACHINE);
    // Others wait here until the first has migrated.
    const [row] = await tx.unsafe("SELECT version FROM shop WHERE id = 1 FOR UPDATE");
    const version = Number(row?.version);
    if (version === SCHEMA_VERSION) return;
    const difference = await ownDifference(tx, version);
    if (difference !== undefined) throw new StoreDiffers(version, difference);
    for (const statements of statementsSince(version, "postgres")) await tx.unsafe(statements);
    if (version === 0) await runSteps(tx, addSecret());
    await tx.unsafe(`UPDATE shop SET version = ${SCHEMA_VERSION}, writes = writes + 1 WHERE id = 1`);
  });
  await answerWithin(MOST_MS, changed);
}

/** @returns whether there are tables @throws StoreTooNew, StoreTooOld */
export async function lookAtTables(sql: SQL): Promise<boolean> {
  const version = await answerWithin(READ_MS, versionOf(sql));
  const issue = versionError(version);
  if (issue) throw issue;
  return version > 0;
}

async function makeShop(sql: SQL): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await sql.unsafe(SHOP);
      return;
    } catch (error) {
      if (tries === 20 || !MADE_TWICE.includes(sqlStateOf(error) ?? "")) throw error;
    }
  }
}

/**
 * @returns `server`: the version of the server, like `15.18`; `aheadMs`: how far this machine's clock is ahead of the database's, in
 *   milliseconds; `version` of the tables, 0 in an empty database; `difference` of the tables from those of their version
 * @throws NoAnswer, or the error of a database that cannot be used
 */
export async function inspectPostgres(url: string) {
  await using pool = createPool(url, 1);
  const sql = pool.current();
  const look = async () => {
    const aheadMs = await clockAhead(sql, Date.now);
    const [row] = await sql.unsafe("SELECT current_setting('server_version') AS server");
    // Distributions add their own terms.
    const [server = ""] = String(row?.server).split(" ");
    const version = await versionOf(sql);
    return { server, aheadMs, version, difference: await ownDifference(sql, version) };
  };
  return await answerWithin(READ_MS, look());
}
