/** A PostgreSQL database as tables of rows. */
import type { SQL } from "bun";
import { BATCH, type CopiedTable, type RowSource, type RowTarget, type TableRow } from "../copy-rows.ts";
import { migrate, versionOf } from "./migrate.ts";
import { createPool, type SqlConnection, withNumbers } from "./pool.ts";

/** As it is at this moment; other programs can write meanwhile. */
export function readPostgresRows<Result>(url: string, work: (from: RowSource) => Promise<Result>): Promise<Result> {
  const opening = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  return withConnection(url, versionOf, opening, async (sql, version) => work(await sourceOf(sql, version)));
}

/** A copy whose machine vanishes ends after this time without a row. */
const COPY_IDLE_MS = 60_000;

/** Makes the tables and fills them, all or nothing. Writes of other programs wait meanwhile. */
export async function fillPostgres<Result>(url: string, work: (to: RowTarget) => Promise<Result>): Promise<Result> {
  // Every write of any program begins with this row.
  const opening = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${COPY_IDLE_MS};
    UPDATE shop SET writes = writes + 1 WHERE id = 1`;
  const prepare = async (sql: SQL) => {
    await migrate(sql);
    return versionOf(sql);
  };
  return withConnection(url, prepare, opening, async (sql, version) => {
    const result = await work(await targetOf(sql, version));
    // Until it has counted the rows, PostgreSQL chooses wrong indices.
    await sql.unsafe("ANALYZE");
    return result;
  });
}

/** @param prepare runs before the transaction that the opening begins, and gives the version of the tables */
async function withConnection<Result>(
  url: string,
  prepare: (sql: SQL) => Promise<number>,
  opening: string,
  work: (sql: SqlConnection, version: number) => Promise<Result>,
): Promise<Result> {
  // Its end ends an open transaction, too.
  await using pool = createPool(url, 1);
  const version = await prepare(pool.current());
  const sql = await pool.current().reserve();
  await sql.unsafe(opening);
  const result = await work(sql, version);
  const { command } = await sql.unsafe("COMMIT");
  if (command !== "COMMIT") throw new Error("PostgreSQL rolled the transaction back");
  return result;
}

async function sourceOf(sql: SqlConnection, version: number): Promise<RowSource> {
  let cursors = 0;
  return {
    version,
    tables: await tablesOf(sql),
    async *rows({ name, columns, key }) {
      const cursor = `rows_${++cursors}`;
      const select = `SELECT ${columns.join(", ")} FROM ${name} ORDER BY ${key.join(", ")}`;
      await sql.unsafe(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${select}`);
      for (;;) {
        // Safe, because every column is a text or an integer.
        const batch = withNumbers(await sql.unsafe(`FETCH ${BATCH} FROM ${cursor}`)) as TableRow[];
        if (batch.length > 0) yield batch;
        if (batch.length < BATCH) break;
      }
      await sql.unsafe(`CLOSE ${cursor}`);
    },
  };
}

async function targetOf(sql: SqlConnection, version: number): Promise<RowTarget> {
  return {
    ...(await sourceOf(sql, version)),
    async add({ name, columns }, rows) {
      const list = columns.join(", ");
      // As text first, because the driver would encode a value for a JSON parameter again.
      const records = `json_populate_recordset(CAST(NULL AS ${name}), CAST(CAST($1 AS text) AS json))`;
      await sql.unsafe(`INSERT INTO ${name} (${list}) SELECT ${list} FROM ${records}`, [JSON.stringify(rows)]);
    },
    clear: async ({ name }) => void (await sql.unsafe(`DELETE FROM ${name}`)),
    async advanceIds() {
      const counted = await sql.unsafe(
        "SELECT table_name AS name, column_name AS id FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'",
      );
      for (const { name, id } of counted)
        await sql.unsafe(
          `SELECT setval(pg_get_serial_sequence('${name}', '${id}'), coalesce(max(${id}), 0) + 1, false) FROM ${name}`,
        );
    },
  };
}

interface Constrained {
  kind: "PRIMARY KEY" | "FOREIGN KEY";
  table: string;
  column: string;
  /** The table that a foreign key refers to. */
  other: string;
}

async function tablesOf(sql: SqlConnection): Promise<CopiedTable[]> {
  const columns: { table: string; column: string }[] = await sql.unsafe(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_generated = 'NEVER' ORDER BY table_name, ordinal_position`,
  );
  const constrained: Constrained[] = await sql.unsafe(
    `SELECT c.constraint_type AS kind, c.table_name AS table, k.column_name AS column, o.table_name AS other
     FROM information_schema.table_constraints c
     JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name)
     JOIN information_schema.constraint_column_usage o USING (constraint_schema, constraint_name)
     WHERE c.table_schema = current_schema() AND c.constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
     ORDER BY k.ordinal_position`,
  );
  const distinct = (of: (one: Constrained) => string, table: string, kind: Constrained["kind"]) => [
    ...new Set(constrained.filter((one) => one.table === table && one.kind === kind).map(of)),
  ];
  return [...Map.groupBy(columns, ({ table }) => table)].map(([name, of]) => ({
    name,
    columns: of.map(({ column }) => column),
    key: distinct(({ column }) => column, name, "PRIMARY KEY"),
    refersTo: distinct(({ other }) => other, name, "FOREIGN KEY"),
  }));
}
