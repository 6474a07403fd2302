/** Brings the tables of a SQLite database to the version of this program. */
import type { Database } from "bun:sqlite";
import { SCHEMA_VERSION, statementsSince } from "../migrations.ts";
import { addSecret } from "../queries/secrets.ts";
import { runSteps } from "./run-steps.ts";

/** The version of the tables; 0 in an empty database. */
export function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** Brings the tables to this program's version. Any number of processes may do so at once. @throws StoreTooNew, StoreTooOld */
export function migrate(db: Database): void {
  // Every command opens the database, so the usual case must not cost a write.
  if (schemaVersion(db) === SCHEMA_VERSION) return;
  db.transaction(() => {
    // Another process may have migrated meanwhile.
    const version = schemaVersion(db);
    for (const statements of statementsSince(version, "sqlite")) db.run(statements);
    if (version === 0) runSteps(db, addSecret());
    db.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  }).immediate();
}
