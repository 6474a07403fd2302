/** Brings the tables of a SQLite database to the version of this program. */
import { Database, type Statement as Prepared } from "bun:sqlite";
import { randomInt } from "node:crypto";
import { SCHEMA_VERSION, statementsSince } from "../migrations.ts";
import { addSecret, newSecret, rotateLockSecret } from "../queries/secrets.ts";
import type { Statement, Steps } from "../queries/steps.ts";

export function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** The number by which a program knows its database again, in the header of the file; 0 before it has one. */
export function markOf(db: Database): number {
  return db.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id ?? 0;
}

function markAnew(db: Database): void {
  db.run(`PRAGMA application_id = ${randomInt(1, 2 ** 31)}`);
}

/** A whole copy in one file, with a mark of its own: put in the place of the database, it is noticed. */
export function copyInto(db: Database, file: string): void {
  db.query("VACUUM INTO ?").run(file);
  using copy = new Database(file, { readwrite: true, strict: true });
  markAnew(copy);
}

/** Brings the tables to this program's version. Any number of processes may do so at once. @throws StoreTooNew, StoreTooOld */
export function migrate(db: Database): void {
  // Every command opens the database, so the usual case must not cost a write.
  if (schemaVersion(db) === SCHEMA_VERSION && markOf(db) !== 0) return;
  db.transaction(() => {
    // Another process may have migrated meanwhile.
    const version = schemaVersion(db);
    for (const statements of statementsSince(version, "sqlite")) db.run(statements);
    if (version === 0) runSteps(db, addSecret());
    db.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    if (markOf(db) === 0) markAnew(db);
  }).immediate();
}

/** A new database as bytes. Made once: examples, tries and tests open many. */
let made: Uint8Array | undefined;

/** A database in memory, with a secret and a mark of its own. */
export function newInMemory(): Database {
  if (!made) {
    using first = new Database(":memory:", { strict: true });
    migrate(first);
    made = first.serialize();
  }
  const db = Database.deserialize(made, { strict: true });
  db.transaction(() => {
    runSteps(db, rotateLockSecret(newSecret(), 0));
    markAnew(db);
  }).immediate();
  return db;
}

// Bun keeps 20 statements by default, and prepares any further one anew each time, which takes ten times as long as running it.
Database.MAX_QUERY_CACHE_SIZE = 500;

/** The prepared statements of each database by their texts: `db.query` searches a list. */
const prepared = new WeakMap<Database, Map<string, Prepared>>();

/** Performs all statements of a function without a pause, so that nothing else uses the connection meanwhile. */
export function runSteps<Result>(db: Database, steps: Steps<Result>): Result {
  const known = prepared.get(db) ?? new Map<string, Prepared>();
  prepared.set(db, known);
  const resultOf = ({ text, values, gives }: Statement): unknown => {
    const statement = known.get(text) ?? db.query(text);
    known.set(text, statement);
    if (gives === "rows") return statement.all(...values);
    return gives === "row" ? statement.get(...values) : statement.run(...values).changes;
  };
  let turn = steps.next();
  while (!turn.done) turn = steps.next(turn.value.map(resultOf));
  return turn.value;
}
