import type { Database } from "bun:sqlite";
import { addSecret } from "../queries/secrets.ts";
import { StoreTooNew } from "../store.ts";
import { perform } from "./perform.ts";

/** Schema changes in order. `PRAGMA user_version` counts the applied ones. Never edit a change that was released. */
export const MIGRATIONS = [
  `
  CREATE TABLE leads (
    id TEXT PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('booking', 'quote_request')),
    status TEXT NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'contacted', 'quoted', 'won', 'lost')),
    name TEXT NOT NULL,
    phone TEXT NOT NULL,
    email TEXT NOT NULL,
    service_type TEXT NOT NULL,
    details TEXT NOT NULL CHECK (json_valid(details)),
    consent TEXT CHECK (consent IS NULL OR json_valid(consent)),
    key_id TEXT REFERENCES api_keys (id),
    agent_class TEXT,
    user_agent TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX leads_by_age ON leads (status, created_at);

  CREATE TABLE lead_events (
    id INTEGER PRIMARY KEY,
    lead_id TEXT NOT NULL REFERENCES leads (id),
    status TEXT NOT NULL CHECK (status IN ('new', 'contacted', 'quoted', 'won', 'lost')),
    note TEXT,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX lead_events_by_lead ON lead_events (lead_id);

  CREATE TABLE bookings (
    id TEXT PRIMARY KEY,
    confirmation_code TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL DEFAULT 'confirmed'
      CHECK (status IN ('confirmed', 'completed', 'no_show', 'cancelled_by_shop', 'cancelled_by_customer')),
    service TEXT NOT NULL,
    date TEXT NOT NULL,
    time TEXT NOT NULL,
    start_at INTEGER NOT NULL,
    end_at INTEGER NOT NULL CHECK (end_at > start_at),
    busy_until INTEGER NOT NULL CHECK (busy_until >= end_at),
    lead_id TEXT NOT NULL UNIQUE REFERENCES leads (id),
    phone TEXT NOT NULL,
    network TEXT NOT NULL,
    key_id TEXT REFERENCES api_keys (id),
    request_scope TEXT,
    request_id TEXT,
    request_hash TEXT,
    answer TEXT NOT NULL CHECK (json_valid(answer)),
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    CHECK ((request_scope IS NULL) = (request_id IS NULL) AND (request_id IS NULL) = (request_hash IS NULL))
  ) STRICT;
  CREATE UNIQUE INDEX bookings_by_request ON bookings (request_scope, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX bookings_occupying ON bookings (busy_until, start_at)
    WHERE status NOT IN ('cancelled_by_shop', 'cancelled_by_customer');
  CREATE INDEX bookings_by_date ON bookings (date);
  CREATE INDEX bookings_by_network ON bookings (network, created_at) WHERE key_id IS NULL;
  CREATE INDEX bookings_by_phone ON bookings (phone, created_at) WHERE key_id IS NULL;
  CREATE INDEX bookings_by_key ON bookings (key_id, created_at) WHERE key_id IS NOT NULL;

  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    lead_id TEXT NOT NULL REFERENCES leads (id),
    kind TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'done', 'lapsed', 'failed')),
    unless TEXT,
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    due_at INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    claimed_until INTEGER,
    doubtful INTEGER NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1)),
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER,
    tried_ms INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    message_sid TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX jobs_waiting ON jobs (due_at) WHERE status = 'waiting';
  CREATE INDEX jobs_next ON jobs (kind, next_at) WHERE status = 'waiting';
  CREATE INDEX jobs_failed ON jobs (due_at) WHERE status = 'failed';
  CREATE INDEX jobs_by_lead ON jobs (lead_id);
  CREATE UNIQUE INDEX jobs_by_message ON jobs (message_sid) WHERE message_sid IS NOT NULL;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    use_case TEXT,
    rate_per_minute INTEGER CHECK (rate_per_minute > 0),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;

  CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
  INSERT INTO heartbeat VALUES (1, 0);
  `,
  // Indices in the order of each list, so that no query reads more rows than it returns.
  `
  DROP INDEX leads_by_age;
  CREATE INDEX leads_by_age ON leads (status, created_at DESC, id);

  DROP INDEX bookings_by_date;
  CREATE INDEX bookings_by_date ON bookings (date, start_at, created_at, id);
  DROP INDEX bookings_occupying;
  CREATE INDEX bookings_occupying ON bookings (start_at, busy_until)
    WHERE status NOT IN ('cancelled_by_shop', 'cancelled_by_customer');
  CREATE INDEX bookings_by_length ON bookings (busy_until - start_at)
    WHERE status NOT IN ('cancelled_by_shop', 'cancelled_by_customer');

  -- When the job was last claimed, postponed or made due at once, by the clock of that time.
  ALTER TABLE jobs ADD COLUMN touched_at INTEGER;
  CREATE INDEX jobs_touched ON jobs (touched_at) WHERE status = 'waiting' AND touched_at IS NOT NULL;
  DROP INDEX jobs_waiting;
  CREATE INDEX jobs_waiting ON jobs (kind, due_at, id) WHERE status = 'waiting';
  CREATE INDEX jobs_tried ON jobs (kind, due_at, id) WHERE status = 'waiting' AND attempts > 0;
  DROP INDEX jobs_failed;
  CREATE INDEX jobs_failed ON jobs (kind, due_at, id) WHERE status = 'failed';
  DROP INDEX jobs_next;
  CREATE INDEX jobs_fresh ON jobs (kind, next_at, id) WHERE status = 'waiting' AND attempts = 0;
  CREATE INDEX jobs_retries ON jobs (kind, next_at, id) WHERE status = 'waiting' AND attempts > 0;
  `,
  // How many future bookings a customer holds, how many were made within an hour, who registered a key, and lists of the
  // bookings to come by state.
  `
  ALTER TABLE api_keys ADD COLUMN network TEXT;

  ALTER TABLE bookings ADD COLUMN email_key TEXT;
  UPDATE bookings SET email_key = (SELECT lower(email) FROM leads WHERE leads.id = lead_id);
  CREATE INDEX bookings_held_by_phone ON bookings (phone, end_at) WHERE status = 'confirmed';
  CREATE INDEX bookings_held_by_email ON bookings (email_key, end_at) WHERE status = 'confirmed';
  CREATE INDEX bookings_by_age ON bookings (created_at);
  CREATE INDEX bookings_by_status ON bookings (status, start_at, created_at, id);

  -- For each alert to the owner: until when the cause lasts if nothing more happens.
  CREATE TABLE alerts (name TEXT PRIMARY KEY, lasts_until INTEGER NOT NULL) STRICT;
  `,
  // The limits of texts count what was sent since a moment.
  `
  CREATE INDEX jobs_sent ON jobs (kind, touched_at) WHERE touched_at IS NOT NULL;
  `,
  // Erasing people.
  `
  ALTER TABLE leads ADD COLUMN forgotten_at INTEGER;
  CREATE INDEX leads_by_phone ON leads (phone);
  CREATE INDEX leads_by_email ON leads (lower(email));
  CREATE INDEX leads_remembered ON leads (created_at) WHERE forgotten_at IS NULL;
  -- A message that was delivered or lapsed is never sent again.
  UPDATE jobs SET payload = '{}' WHERE status IN ('done', 'lapsed');
  `,
  // Changes that customers make to their own bookings.
  `
  ALTER TABLE bookings ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE bookings ADD COLUMN cancel_reason TEXT;
  `,
  // Request ids of callers without a key belong to the customer's phone. Quote requests are repeated like bookings.
  `
  UPDATE bookings SET request_scope = phone WHERE request_scope = '';

  ALTER TABLE leads ADD COLUMN request_scope TEXT;
  ALTER TABLE leads ADD COLUMN request_id TEXT;
  ALTER TABLE leads ADD COLUMN request_hash TEXT;
  ALTER TABLE leads ADD COLUMN request_answer TEXT;
  CREATE UNIQUE INDEX leads_by_request ON leads (request_scope, request_id) WHERE request_id IS NOT NULL;
  `,
  // Finding customers: the newest leads first, without reading their details.
  `
  ALTER TABLE leads ADD COLUMN about TEXT GENERATED ALWAYS AS (lower(concat_ws(' ', name, email, phone,
    details ->> '$.vehicle_year', details ->> '$.vehicle_make', details ->> '$.vehicle_model'))) VIRTUAL;
  CREATE INDEX leads_by_text ON leads (created_at DESC, about, phone);
  `,
  // The secret that signs estimates; `migrate` makes it.
  `
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL, made_at INTEGER NOT NULL) STRICT;
  `,
  // The payment, the answer before the owner changed the booking, and lists of leads without those of bookings.
  `
  ALTER TABLE bookings ADD COLUMN paid INTEGER CHECK (paid >= 0);
  ALTER TABLE bookings ADD COLUMN paid_by TEXT CHECK (paid_by IN ('cash', 'card', 'other'));
  ALTER TABLE bookings ADD COLUMN first_answer TEXT;
  CREATE INDEX leads_by_kind ON leads (status, kind, created_at DESC, id);
  `,
  // Fewer indices: every booking writes a page of each one.
  `
  DROP INDEX leads_by_age;
  DROP INDEX leads_remembered;
  DROP INDEX leads_by_text;
  CREATE INDEX leads_by_text ON leads (created_at DESC, about, phone) WHERE forgotten_at IS NULL;

  DROP INDEX bookings_occupying;
  DROP INDEX bookings_by_status;
  CREATE INDEX bookings_by_start ON bookings (start_at, busy_until, status);
  DROP INDEX bookings_by_phone;
  DROP INDEX bookings_held_by_phone;
  CREATE INDEX bookings_by_phone ON bookings (phone, end_at);

  -- A job that was never tried is due at the moment of the next attempt.
  UPDATE jobs SET due_at = next_at WHERE status = 'waiting' AND attempts = 0 AND due_at <> next_at;
  DROP INDEX jobs_waiting;
  DROP INDEX jobs_fresh;
  CREATE INDEX jobs_fresh ON jobs (kind, due_at, id) WHERE status = 'waiting' AND attempts = 0;
  DROP INDEX jobs_sent;
  DROP INDEX jobs_touched;
  CREATE INDEX jobs_touched ON jobs (kind, touched_at) WHERE touched_at IS NOT NULL;
  `,
  // The messages that were never sent, the newest first.
  `
  CREATE INDEX jobs_lapsed ON jobs (id) WHERE status = 'lapsed';
  `,
  // Without the check that a text is JSON: the program writes nothing else, and the check took an eighth of the time of a
  // booking. A check can only be dropped with its column.
  `
  ALTER TABLE bookings ADD COLUMN new_answer TEXT NOT NULL DEFAULT '';
  UPDATE bookings SET new_answer = answer;
  ALTER TABLE bookings DROP COLUMN answer;
  ALTER TABLE bookings RENAME COLUMN new_answer TO answer;

  ALTER TABLE jobs ADD COLUMN new_payload TEXT NOT NULL DEFAULT '';
  UPDATE jobs SET new_payload = payload;
  ALTER TABLE jobs DROP COLUMN payload;
  ALTER TABLE jobs RENAME COLUMN new_payload TO payload;
  `,
];

/** The schema version that this program works with. */
export const DATABASE_VERSION = MIGRATIONS.length;

export function versionOf(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** @throws StoreTooNew */
export function migrate(db: Database): void {
  // Every command opens the database, so the usual case must not cost a write.
  if (versionOf(db) === DATABASE_VERSION) return;
  db.transaction(() => {
    // Another process may have migrated meanwhile.
    const version = versionOf(db);
    if (version > DATABASE_VERSION) throw new StoreTooNew(version, DATABASE_VERSION);
    for (const statements of MIGRATIONS.slice(version)) db.run(statements);
    perform(db, addSecret());
    db.run(`PRAGMA user_version = ${DATABASE_VERSION}`);
  }).immediate();
}
