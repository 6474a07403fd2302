/** The version of the tables, which is the same in both engines. */
import { StoreTooNew, StoreTooOld } from "./store-errors.ts";

/** The version that the `TABLES` of both engines make in an empty database. No earlier one was released. */
const BASELINE = 13;

/** A change of the tables, in the SQL of each engine. */
interface Migration {
  sqlite: string;
  postgres: string;
}

/** The changes since the baseline in order, each to the next version. Never edit one that was released. */
const MIGRATIONS: readonly Migration[] = [
  // What the customer of a won lead pays.
  {
    sqlite: "ALTER TABLE leads ADD COLUMN won_cents INTEGER; ALTER TABLE leads ADD COLUMN won_currency TEXT;",
    postgres: 'ALTER TABLE leads ADD COLUMN won_cents BIGINT, ADD COLUMN won_currency TEXT COLLATE "C";',
  },
  // Work that is done before its planned end gives its bay back: the search for free bays reads when, in the index alone.
  {
    sqlite:
      "DROP INDEX bookings_by_start; CREATE INDEX bookings_by_start ON bookings (start_at, busy_until, status, ended_at);",
    postgres:
      "DROP INDEX bookings_by_start; CREATE INDEX bookings_by_start ON bookings (start_at, busy_until, status, ended_at);",
  },
  // Where a quote request came from: wrong guesses at its id never shut that network out.
  {
    sqlite: "ALTER TABLE leads ADD COLUMN request_network TEXT;",
    postgres: 'ALTER TABLE leads ADD COLUMN request_network TEXT COLLATE "C";',
  },
  // Filters of carriers counted as a customer's STOP. The rows stay, so that doctor can say how many numbers were freed.
  {
    sqlite: `ALTER TABLE text_stops ADD COLUMN freed_at INTEGER;
      UPDATE text_stops SET freed_at = unixepoch() * 1000 WHERE reason LIKE '%(30007:%' OR reason LIKE '%(30004:%';
      CREATE INDEX text_stops_freed ON text_stops (freed_at) WHERE freed_at IS NOT NULL;`,
    postgres: `ALTER TABLE text_stops ADD COLUMN freed_at BIGINT;
      UPDATE text_stops SET freed_at = (extract(epoch FROM now()) * 1000)::bigint
      WHERE reason LIKE '%(30007:%' OR reason LIKE '%(30004:%';
      CREATE INDEX text_stops_freed ON text_stops (freed_at) WHERE freed_at IS NOT NULL;`,
  },
  // The extension of a customer's phone, beside the number by which they are known.
  {
    sqlite: "ALTER TABLE leads ADD COLUMN phone_extension TEXT NOT NULL DEFAULT '';",
    postgres: `ALTER TABLE leads ADD COLUMN phone_extension TEXT COLLATE "C" NOT NULL DEFAULT '';`,
  },
  // By what a booking is known that is made a second time under another id.
  {
    sqlite: "ALTER TABLE bookings ADD COLUMN same_hash TEXT;",
    postgres: 'ALTER TABLE bookings ADD COLUMN same_hash TEXT COLLATE "C";',
  },
];

/** The version of the tables that this program works with. */
export const SCHEMA_VERSION = BASELINE + MIGRATIONS.length;

/**
 * @param version of a database; 0 of an empty one, in which the tables are still to be made
 * @returns why this program cannot work with it and cannot bring it up to date; undefined when it can
 */
export function versionError(version: number): StoreTooNew | StoreTooOld | undefined {
  if (version > SCHEMA_VERSION) return new StoreTooNew(version, SCHEMA_VERSION);
  if (version > 0 && version < BASELINE) return new StoreTooOld(version, BASELINE);
  return undefined;
}

/** The statements that make an empty database of a version that `versionError` accepts. */
export function statementsUpTo(version: number, engine: keyof Migration, tables: string): string[] {
  return [tables, ...changesIn(engine).slice(0, version - BASELINE)];
}

/** The statements that bring a database of a version to this program's. @throws StoreTooNew, StoreTooOld */
export function statementsSince(version: number, engine: keyof Migration, tables: string): string[] {
  const issue = versionError(version);
  if (issue) throw issue;
  const changes = changesIn(engine);
  return version === 0 ? [tables, ...changes] : changes.slice(version - BASELINE);
}

function changesIn(engine: keyof Migration): string[] {
  return MIGRATIONS.map((migration) => migration[engine]);
}
