/**
 * The store in PostgreSQL: waiting writes share one transaction, and transactions of all machines run one after the other; its tables as rows.
 */
import type { ReservedSQL, SQL } from "bun";
import { DAY_MS } from "../../lib/durations.ts";
import { BATCH, type CopiedTable, type RowSource, type RowTarget, type TableRow } from "../copy-rows.ts";
import { SCHEMA_VERSION } from "../migrations.ts";
import { readsAndWrites, stepsOf, type Write } from "../queries/reads-and-writes.ts";
import type { Store } from "../store.ts";
import { OutcomeUnknown, StoreUnavailable } from "../store-errors.ts";
import { type Commit, createWriteQueue, type WriteResult, type WriteTimes } from "../write-queue.ts";
import { ClockSkewed, clockAhead, MOST_SKEW_MS } from "./clock.ts";
import { migrate, versionOf } from "./migrate.ts";
import {
  answerWithin,
  createPool,
  createReader,
  ENDS_WITH_ITS_MACHINE,
  IDLE_MS,
  isPassing,
  type Pool,
  READ_MS,
  RETRY_PAUSE_MS,
  runSteps,
  type SqlConnection,
  sqlStateOf,
  withAdvice,
  withNumbers,
} from "./pool.ts";

const OPEN_MS = 8_000;
/** `/readyz` knows within a second, and reuses an answer for a part of that. */
const CHECK_MS = 600;
/** Other machines wait for the end of a transaction. */
const MOST_WRITES_TOGETHER = 32;

export interface PostgresOptions {
  /** Connections for reading; the driver opens all of them at the first query. A command needs only one. */
  readers?: number;
  onCommit?: WriteTimes;
  /** This machine's clock, which is compared with the database's. */
  now?: (() => number) | undefined;
}

/** For any number of processes and machines. Throws StoreTooNew, StoreTooOld, ClockSkewed, or the database's error. */
export async function openPostgresStore(
  url: string,
  { readers: connections = 1, onCommit, now = Date.now }: PostgresOptions = {},
): Promise<Omit<Store, "copyTo">> {
  const readers = createPool(url, connections);
  // Writes have a connection of their own: while they wait for other machines, they would hold up reads behind them.
  const writer = createPool(url, 1);
  const close = async () => void (await Promise.allSettled([readers.close(), writer.close()]));
  try {
    await prepareOnceReady();
  } catch (error) {
    await close();
    throw withAdvice(error);
  }

  /** A database that starts up together with this program is waited for. */
  async function prepareOnceReady(): Promise<void> {
    const deadline = performance.now() + OPEN_MS;
    for (;;) {
      try {
        return await prepare();
      } catch (error) {
        if (!isNotReadyYet(error) || performance.now() + RETRY_PAUSE_MS > deadline) throw error;
        await Bun.sleep(RETRY_PAUSE_MS);
      }
    }
  }

  async function prepare(): Promise<void> {
    const ahead = await answerWithin(OPEN_MS, clockAhead(readers.current(), now));
    if (Math.abs(ahead) > MOST_SKEW_MS) throw new ClockSkewed(ahead);
    await migrate(readers.current());
    const forgotten = readers.current().unsafe("DELETE FROM writers WHERE at < $1", [Date.now() - DAY_MS]);
    await answerWithin(READ_MS, forgotten);
  }

  const { read, ask } = createReader(readers);
  const queue = createWriteQueue(createCommit(writer), {
    mayRetry: (error) => error instanceof NotStored,
    unavailable: "the database does not answer",
    pauseMs: RETRY_PAUSE_MS,
    mostTogether: MOST_WRITES_TOGETHER,
    leastMs: LEAST_MS,
    onCommit,
  });
  return {
    ...readsAndWrites({ read, write: queue.add }),
    /** Asks a connection for reads, so that it does not wait for the writes of other machines. */
    async checkWritable() {
      const text = `UPDATE heartbeat SET beats = beats + 1 WHERE EXISTS (SELECT FROM shop WHERE ${OF_THIS_VERSION})`;
      const [beats] = await ask([{ text, values: [], gives: "changes" }], CHECK_MS);
      if (beats === 0) throw ofAnotherVersion();
    },
    cleanFile: (mostBytes) => rewriteTables(readers.current(), mostBytes),
    clockAhead: () => answerWithin(READ_MS, clockAhead(readers.current(), now)),
    async dataVersion() {
      const [[row]] = (await ask(
        [{ text: "SELECT writes FROM shop WHERE id = 1", values: [], gives: "rows" }],
        READ_MS,
      )) as [[{ writes: number }]];
      return row.writes;
    },
    async close() {
      await queue.idle();
      await close();
    },
  };
}

const TABLES_WITH_PEOPLE = ["leads", "lead_events", "bookings", "jobs", "api_keys", "text_stops"];

/** Erased rows stay in the files of the tables until these are rewritten. Backups and the log of the database keep them longer. */
async function rewriteTables(sql: SqlConnection, mostBytes = Number.POSITIVE_INFINITY): Promise<boolean> {
  try {
    const sizes = TABLES_WITH_PEOPLE.map((table) => `pg_total_relation_size('${table}')`).join(" + ");
    const [row] = await sql.unsafe(`SELECT ${sizes} AS bytes`);
    if (Number(row?.bytes) > mostBytes) return false;
    await sql.unsafe(`VACUUM (FULL) ${TABLES_WITH_PEOPLE.join(", ")}`);
    return true;
  } catch {
    return false;
  }
}

/** The row of the shop, while no program of another version has changed the tables. */
const OF_THIS_VERSION = `id = 1 AND version = ${SCHEMA_VERSION}`;

function ofAnotherVersion(): StoreUnavailable {
  return new StoreUnavailable("its tables are of another version by now; update this program, or restart it");
}

/** A transaction that stored nothing and may be tried again. */
class NotStored extends Error {
  override readonly name = "NotStored";
}

/** The part of the deadline that is kept for a COMMIT and for finding out its outcome. */
const COMMIT_MS = 500;
/** A transaction with less time than this is not begun. */
const LEAST_MS = COMMIT_MS + 50;
/** A connection without an answer for this long is lost, because no transaction holds up the others for longer. */
const PATIENCE_MS = IDLE_MS + 500;
/** After this time without an answer to COMMIT, another connection asks for the outcome. */
const COMMIT_PATIENCE_MS = 1_500;

/** All in one transaction before the deadline. Throws NotStored or OutcomeUnknown. Call it again only after its end. */
function createCommit(pool: Pool): Commit<Write> {
  const writer = crypto.randomUUID();
  let number = 0;

  return async (given, deadline) => {
    const writes = [...given];
    try {
      return await attempt(writes, deadline, false);
    } catch (error) {
      if (error instanceof NotStored || error instanceof OutcomeUnknown || error instanceof StoreUnavailable)
        throw error;
      // A write failed, and its transaction with it. Each gets a savepoint now, so that the others stay.
      return attempt(writes, deadline, true);
    }
  };

  async function attempt(writes: Write[], deadline: number, withSavepoints: boolean): Promise<WriteResult[]> {
    number += 1;
    const token = number;
    const sql = pool.current();
    let connection: ReservedSQL | undefined;
    let outcomes: WriteResult[];
    try {
      const end = Math.min(deadline - COMMIT_MS, performance.now() + PATIENCE_MS);
      const left = () => end - performance.now();
      const reserved = sql.reserve();
      // A connection that comes too late belongs to a pool that is closed.
      reserved.catch(() => {});
      connection = await answerWithin(left(), reserved);
      outcomes = await answerWithin(left(), runAll(connection, writes, withSavepoints, opening(token, left())));
    } catch (error) {
      if (isPassing(error)) {
        pool.replace();
        throw new NotStored("the transaction failed", { cause: error });
      }
      await rollBack(connection);
      throw error;
    }
    try {
      const left = Math.max(deadline - performance.now(), COMMIT_MS);
      const { command } = await answerWithin(Math.min(left, COMMIT_PATIENCE_MS), connection.unsafe("COMMIT"));
      connection.release();
      if (command === "COMMIT") return outcomes;
    } catch (error) {
      pool.replace();
      if (await tookEffect(token, deadline + COMMIT_MS, error)) return outcomes;
    }
    throw new NotStored("the database rolled the transaction back");
  }

  /** One round trip: begins, bounds how long the server waits, takes the turn among all machines, and notes the transaction. */
  function opening(token: number, left: number): string {
    const ms = Math.max(Math.round(left), 1);
    return `BEGIN ISOLATION LEVEL READ COMMITTED;
      SET LOCAL statement_timeout = ${ms}; ${ENDS_WITH_ITS_MACHINE};
      UPDATE shop SET writes = writes + 1 WHERE ${OF_THIS_VERSION};
      INSERT INTO writers (id, last, at) VALUES ('${writer}', ${token}, ${Date.now()})
        ON CONFLICT (id) DO UPDATE SET last = excluded.last, at = excluded.at`;
  }

  async function rollBack(connection: ReservedSQL | undefined): Promise<void> {
    try {
      if (connection) await answerWithin(COMMIT_MS, connection.unsafe("ROLLBACK"));
      connection?.release();
    } catch {
      pool.replace();
    }
  }

  /** Whether a transaction whose COMMIT got no answer was committed. @throws OutcomeUnknown when the database cannot be asked */
  async function tookEffect(token: number, until: number, cause: unknown): Promise<boolean> {
    for (;;) {
      const left = until - performance.now();
      if (left <= 0) throw new OutcomeUnknown("the database did not answer the commit", { cause });
      try {
        return await answerWithin(left, askFor(token, left));
      } catch (error) {
        if (!isPassing(error)) throw new OutcomeUnknown("the database did not answer the commit", { cause: error });
        pool.replace();
        await Bun.sleep(Math.min(RETRY_PAUSE_MS, Math.max(left, 0)));
      }
    }
  }

  async function askFor(token: number, left: number): Promise<boolean> {
    // The row of the shop is free once the transaction in doubt has ended.
    return pool.current().begin(async (tx) => {
      await tx.unsafe(`SET LOCAL statement_timeout = ${Math.max(Math.round(left), 1)}; ${ENDS_WITH_ITS_MACHINE}`);
      await tx.unsafe("SELECT writes FROM shop WHERE id = 1 FOR UPDATE");
      const [row] = await tx.unsafe("SELECT last FROM writers WHERE id = $1", [writer]);
      return Number(row?.last) === token;
    });
  }
}

async function runAll(
  on: ReservedSQL,
  writes: Write[],
  withSavepoints: boolean,
  opening: string,
): Promise<WriteResult[]> {
  const opened: { command: string; count: number }[] = await on.unsafe(opening);
  if (opened.some(({ command, count }) => command === "UPDATE" && count === 0)) throw ofAnotherVersion();
  const outcomes: WriteResult[] = [];
  for (const write of writes) {
    if (withSavepoints) await on.unsafe("SAVEPOINT one");
    try {
      outcomes.push({ value: await runSteps(on, stepsOf(write)) });
    } catch (error) {
      if (!withSavepoints || isPassing(error)) throw error;
      await on.unsafe("ROLLBACK TO SAVEPOINT one");
      outcomes.push({ error });
    }
  }
  return outcomes;
}

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
    perform: (steps) => runSteps(sql, steps),
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

/** Whether the server is there but takes no connection yet: it starts up, or has too many. */
function isNotReadyYet(error: unknown): boolean {
  return ["57P03", "53300"].includes(sqlStateOf(error) ?? "");
}
