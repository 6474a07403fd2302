/** Tables, columns and indices of a database, in one form for both engines. */
import type { Database } from "bun:sqlite";
import type { SQL } from "bun";

export interface Tables {
  /** The columns of each table with their types; a `!` says that one is never null. */
  columns: Record<string, Record<string, string>>;
  indices: Index[];
}

export interface Index {
  /** Null where the engine names it. */
  name: string | null;
  table: string;
  isUnique: boolean;
  isPartial: boolean;
  /** Null where it is no column. */
  columns: (string | null)[];
}

export function tablesOfSqlite(db: Database): Tables {
  const all = <Row>(sql: string) => db.query<Row, []>(sql).all();
  const tables = all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
  ).map(({ name }) => name);
  const columnsOf = (table: string) =>
    all<{ name: string; type: string; notnull: number; pk: number }>(`PRAGMA table_xinfo(${table})`).map(
      ({ name, type, notnull, pk }) => [name, typeOf(TYPES[type.replace(" GENERATED ALWAYS", "")], notnull + pk > 0)],
    );
  const indicesOf = (table: string) =>
    all<{ name: string; unique: number; partial: number }>(`PRAGMA index_list(${table})`).map(
      ({ name, unique, partial }): Index => ({
        name: name.startsWith("sqlite") ? null : name,
        table,
        isUnique: unique === 1,
        isPartial: partial === 1,
        columns: all<{ name: string | null; key: number }>(`PRAGMA index_xinfo(${name})`)
          .filter(({ key }) => key === 1)
          .map((column) => column.name),
      }),
    );
  return {
    columns: Object.fromEntries(tables.map((table) => [table, Object.fromEntries(columnsOf(table).sort())])),
    indices: tables.flatMap(indicesOf).sort(byName),
  };
}

/** The types of both engines by the names of SQLite. */
const TYPES: Record<string, string> = { TEXT: "text", INTEGER: "bigint" };

function typeOf(type: string | undefined, isNeverNull: boolean): string {
  return `${type}${isNeverNull ? "!" : ""}`;
}

export async function tablesOfPostgres(sql: SQL): Promise<Tables> {
  const columns: { table: string; name: string; type: string; nullable: string }[] = await sql`
    SELECT table_name AS table, column_name AS name, data_type AS type, is_nullable AS nullable
    FROM information_schema.columns WHERE table_schema = 'public'`;
  const indices: (Index & { isPrimary: boolean; isConstraint: boolean })[] = await sql`
    SELECT one.relname AS name, tables.relname AS table, indisunique AS "isUnique", indpred IS NOT NULL AS "isPartial",
      indisprimary AS "isPrimary", EXISTS (SELECT FROM pg_constraint WHERE conindid = one.oid) AS "isConstraint",
      ARRAY(SELECT attname::text FROM unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
        LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = key.number AND key.number > 0
        ORDER BY place) AS columns
    FROM pg_index JOIN pg_class AS one ON one.oid = indexrelid JOIN pg_class AS tables ON tables.oid = indrelid
    WHERE tables.relnamespace = 'public'::regnamespace`;
  const typeAt = (table: string, name: string | null) =>
    columns.find((column) => column.table === table && column.name === name)?.type;
  const byTable = Map.groupBy(columns, ({ table }) => table);
  return {
    columns: Object.fromEntries(
      [...byTable].map(([table, its]) => [
        table,
        Object.fromEntries(its.map(({ name, type, nullable }) => [name, typeOf(type, nullable === "NO")]).sort()),
      ]),
    ),
    indices: indices
      // SQLite has no index for a number that is the key.
      .filter(({ isPrimary, table, columns: [key = ""] }) => !isPrimary || typeAt(table, key) === "text")
      .map(({ name, table, isUnique, isPartial, isConstraint, columns }) => ({
        name: isConstraint ? null : name,
        table,
        isUnique,
        isPartial,
        columns: [...columns],
      }))
      .sort(byName),
  };
}

function byName(one: Index, other: Index): number {
  const text = ({ name, table, columns }: Index) => `${table} ${name ?? "~"} ${columns.join()}`;
  return text(one) < text(other) ? -1 : 1;
}
