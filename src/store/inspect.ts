/** What can be said of a database file without changing it: for `tint doctor`, and for checking a fresh copy. */
import { constants, Database } from "bun:sqlite";
import { DATABASE_VERSION, versionOf } from "./migrations.ts";

export interface DatabaseFacts {
  bytes: number;
  version: number;
  /** The version this program works with. */
  expectedVersion: number;
  /** Faults that SQLite finds in the file; empty when it is sound. */
  faults: string[];
  /** When the newest lead was written, by the clock of that time; null when there is none. */
  newestAt: number | null;
}

const FAULTS_NAMED = 10;

/** @throws SQLiteError when the file is no database or cannot be read */
export function inspectDatabase(file: string): DatabaseFacts {
  const db = new Database(file, constants.SQLITE_OPEN_READONLY);
  try {
    db.run("PRAGMA busy_timeout = 4000");
    const integrity = db.query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${FAULTS_NAMED})`).all();
    const orphans = db.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all();
    const version = versionOf(db);
    // The file's own size leaves out what still stands in the write-ahead log.
    const size = db
      .query<{ bytes: number }, []>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
      .get();
    return {
      bytes: size?.bytes ?? 0,
      version,
      expectedVersion: DATABASE_VERSION,
      faults: [
        ...integrity.map((row) => row.integrity_check).filter((line) => line !== "ok"),
        ...orphans
          .slice(0, FAULTS_NAMED)
          .map(({ table, parent }) => `a row of ${table} names one of ${parent} that is missing`),
      ],
      newestAt:
        version === 0
          ? null
          : (db.query<{ at: number | null }, []>("SELECT max(created_at) AS at FROM leads").get()?.at ?? null),
    };
  } finally {
    db.close();
  }
}

/** Whether a file holds a database of this program, such as a copy of it. */
export function isOurDatabase(file: string): boolean {
  try {
    const db = new Database(file, constants.SQLITE_OPEN_READONLY);
    try {
      const tables =
        "SELECT count(*) AS found FROM sqlite_schema WHERE type = 'table' AND name IN ('leads', 'bookings', 'jobs', 'api_keys')";
      return db.query<{ found: number }, []>(tables).get()?.found === 4;
    } finally {
      db.close();
    }
  } catch {
    // No database at all.
    return false;
  }
}
