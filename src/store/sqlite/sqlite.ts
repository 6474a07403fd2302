/** The store in SQLite: one file, written in this thread or one of its own; and its tables as rows, for copies. */
import { constants, Database } from "bun:sqlite";
import { BATCH, type CopiedTable, type RowSource, type RowTarget, type TableRow } from "../copy-rows.ts";
import { readsAndWrites } from "../queries/reads-and-writes.ts";
import type { Store } from "../store.ts";
import type { WriteTimes } from "../write-queue.ts";
import {
  cleanFile,
  closeDatabase,
  createSqliteQueue,
  knownOf,
  openDatabase,
  readSteps,
  type Upgrade,
} from "./database.ts";
import { copyInto, migrate, runSteps, schemaVersion } from "./migrate.ts";
import { startWriter } from "./writer.ts";

export interface SqliteOptions {
  /** Where writes are made. A thread is worth its start in a server, but not in a command that writes once. */
  writer?: "here" | "thread";
  /** When the thread starts; at once by default. Until it can write, writes are made here. */
  threadAfter?: Promise<unknown>;
  onCommit?: WriteTimes;
  /** Called when a database of an earlier version was brought to this one. */
  onUpgrade?: (upgrade: Upgrade) => void;
}

/** The store in one SQLite file. @param folder the folder of `tintdesk.db`, or `:memory:`, which has no thread */
export function openSqliteStore(
  folder: string,
  { writer: where = "here", threadAfter, onCommit, onUpgrade }: SqliteOptions = {},
): Store {
  const db = openDatabase(folder, { onUpgrade });
  const queue = createSqliteQueue(db, onCommit);
  const threadOptions = { meanwhile: queue.add, after: threadAfter, onCommit };
  const known = knownOf(db);
  const writer = where === "thread" && known ? startWriter({ folder, known }, threadOptions) : undefined;
  const version = db.query<{ data_version: number }, []>("PRAGMA data_version");
  return {
    ...readsAndWrites({ read: async (steps) => readSteps(db, steps), write: (writer ?? queue).add }),
    cleanFile: async (mostBytes) => cleanFile(db, mostBytes),
    clockAhead: async () => 0,
    dataVersion: async () => version.get()?.data_version ?? 0,
    copyTo: async (file) => copyInto(db, file),
    async close() {
      await queue.idle();
      await writer?.stop();
      closeDatabase(db);
    },
  };
}

/** Reads a file as it is at this moment; other programs can write meanwhile. @throws SQLiteError */
export async function readSqliteRows<Result>(
  file: string,
  work: (from: RowSource) => Promise<Result>,
): Promise<Result> {
  using db = new Database(file, constants.SQLITE_OPEN_READONLY);
  db.run("PRAGMA busy_timeout = 4000");
  db.run("BEGIN");
  return await work(sourceOf(db));
}

/** Makes the tables in an empty file and fills them. @throws any error of the work; the file is useless then */
export async function fillSqliteFile<Result>(file: string, work: (to: RowTarget) => Promise<Result>): Promise<Result> {
  using db = new Database(file, { readwrite: true, strict: true });
  migrate(db);
  db.run("PRAGMA foreign_keys = ON");
  db.run("BEGIN IMMEDIATE");
  const result = await work(targetOf(db));
  db.run("COMMIT");
  return result;
}

function sourceOf(db: Database): RowSource {
  return {
    version: schemaVersion(db),
    tables: tablesOf(db),
    async *rows({ name, columns, key }) {
      const query = db.query<TableRow, []>(`SELECT ${columns.join(", ")} FROM ${name} ORDER BY ${key.join(", ")}`);
      let batch: TableRow[] = [];
      for (const row of query.iterate()) {
        batch.push(row);
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
  };
}

function targetOf(db: Database): RowTarget {
  return {
    ...sourceOf(db),
    async add({ name, columns }, rows) {
      const places = columns.map(() => "?").join(", ");
      const insert = db.query(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${places})`);
      for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
    },
    clear: async ({ name }) => void db.run(`DELETE FROM ${name}`),
    // SQLite gives the id after the highest one by itself.
    advanceIds: async () => {},
    perform: async (steps) => runSteps(db, steps),
  };
}

function tablesOf(db: Database): CopiedTable[] {
  const names = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  // Columns with another `hidden` are generated. `pk`: the place in the primary key, from 1; 0 outside of it.
  const columns = db.query<{ name: string; pk: number }, [string]>(
    "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid",
  );
  const others = db.query<{ name: string }, [string]>(
    'SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list(?)',
  );
  return names.map(({ name }) => {
    const all = columns.all(name);
    const key = all.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    return {
      name,
      columns: all.map((column) => column.name),
      key: key.map((column) => column.name),
      refersTo: others.all(name).map((other) => other.name),
    };
  });
}
