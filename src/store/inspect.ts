/** Examines a database file without changing it, for `tint doctor` and `tint backup`. */
import { constants, Database } from "bun:sqlite";
import { DATABASE_VERSION, versionOf } from "./migrations.ts";

export interface DatabaseFacts {
  bytes: number;
  version: number;
  /** The version this program works with. */
  expectedVersion: number;
  /** Damage that SQLite finds in the file; empty when the file is sound. */
  faults: string[];
  /** Creation time of the newest lead; null without leads. A time in the future shows that a clock was wrong. */
  newestAt: number | null;
}

const FAULTS_NAMED = 10;

/** @throws SQLiteError when the file is not a database or cannot be read */
export function inspectDatabase(file: string): DatabaseFacts {
  const db = new Database(file, constants.SQLITE_OPEN_READONLY);
  try {
    db.run("PRAGMA busy_timeout = 4000");
    const integrity = db.query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${FAULTS_NAMED})`).all();
    const orphans = db.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all();
    const version = versionOf(db);
    // The size of the file leaves out the write-ahead log.
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
          .map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`),
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

/** Whether a file is a database of this program or a copy of one. */
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
    // Not a database.
    return false;
  }
}
