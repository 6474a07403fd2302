/**
 * `bun test/store/schemas/make.ts` writes a database of the present version as SQL text. Run it before a migration is
 * added, so that databases of every version ever released are tested. A file that is there stays as it is.
 */
import { Database } from "bun:sqlite";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_VERSION, MIGRATIONS } from "../../../src/store/sqlite/migrations.ts";

/** A customer who booked, a quote request whose text waits, and a key, in the columns of the first version. */
const ROWS = `
  INSERT INTO api_keys (id, hash, prefix, name, email, email_key, created_at)
    VALUES ('key_old', 'hash', 'tint_live_ab', 'Assistant', 'agent@example.com', 'agent@example.com', 1);
  INSERT INTO leads (id, reference, kind, name, phone, email, service_type, details, key_id, created_at)
    VALUES ('lead_old', 'B-OLD001', 'booking', 'Pat', '+14045550111', 'Pat@Example.com', 'automotive', '{"vehicle_make":"Honda"}', 'key_old', 5);
  INSERT INTO leads (id, reference, kind, name, phone, email, service_type, details, created_at)
    VALUES ('lead_ask', 'Q-OLD002', 'quote_request', 'Robin', '+14045550112', 'robin@example.com', 'commercial', '{}', 6);
  INSERT INTO lead_events (lead_id, status, at) VALUES ('lead_ask', 'contacted', 7);
  INSERT INTO bookings (id, confirmation_code, service, date, time, start_at, end_at, busy_until, lead_id, phone, network, answer, created_at)
    VALUES ('book_old', 'A1B2C3D4', 'automotive', '2026-11-24', '09:00', 1795528800000, 1795539600000, 1795540500000, 'lead_old', '+14045550111', '192.0.2.1', '{"data":{}}', 5);
  INSERT INTO jobs (lead_id, kind, payload, due_at, next_at, created_at)
    VALUES ('lead_ask', 'notify_shop_sms', '{"to":"+14045550142","text":"hello"}', 5, 7, 5);
`;

/** A database of a version, as text. */
export function schemaText(version: number): string {
  const db = new Database(":memory:", { strict: true });
  for (const statements of MIGRATIONS.slice(0, version)) db.run(statements);
  db.run(ROWS);
  const objects = db
    .query<{ sql: string }, []>(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all()
    .map(({ sql }) => `${sql};`);
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
    .all();
  const rows = tables.flatMap(({ name }) => rowsOf(db, name));
  db.close();
  return `${[...objects, ...rows, `PRAGMA user_version = ${version};`].join("\n")}\n`;
}

function rowsOf(db: Database, table: string): string[] {
  // table_info leaves generated columns out.
  const columns = db
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => name);
  const quoted = columns.map((name) => `quote(${name})`).join(" || ', ' || ");
  return db
    .query<{ row: string }, []>(`SELECT ${quoted} AS row FROM ${table}`)
    .all()
    .map(({ row }) => `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${row});`);
}

export function schemaFile(version: number): string {
  return join(import.meta.dir, `${String(version).padStart(2, "0")}.sql`);
}

if (import.meta.main && !existsSync(schemaFile(DATABASE_VERSION)))
  writeFileSync(schemaFile(DATABASE_VERSION), schemaText(DATABASE_VERSION));
