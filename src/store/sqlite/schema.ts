/**
 * The tables in SQLite, from which `postgres/schema.ts` makes those of PostgreSQL. They do not check whether a text is JSON where bookings write one: the program writes nothing else,
 * and the check took an eighth of the time of a booking. Every booking writes a page of each index, so there are few.
 */
import type { Database } from "bun:sqlite";
import { SCHEMA_VERSION, statementsSince } from "../migrations.ts";
import { addSecret } from "../queries/secrets.ts";
import { runSteps } from "./run-steps.ts";

export const TABLES = `
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
    revoked_at INTEGER,
    network TEXT,
    -- Of a key that registered itself, to the day.
    last_used_at INTEGER
  ) STRICT;

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
    created_at INTEGER NOT NULL,
    forgotten_at INTEGER,
    request_scope TEXT,
    request_id TEXT,
    request_hash TEXT,
    request_answer TEXT,
    about TEXT GENERATED ALWAYS AS (lower(concat_ws(' ', name, email, phone,
      details ->> '$.vehicle_year', details ->> '$.vehicle_make', details ->> '$.vehicle_model'))) VIRTUAL
  ) STRICT;
  CREATE INDEX leads_by_phone ON leads (phone);
  CREATE INDEX leads_by_email ON leads (lower(email));
  CREATE UNIQUE INDEX leads_by_request ON leads (request_scope, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX leads_by_kind ON leads (status, kind, created_at DESC, id);
  -- Customers are searched in the index alone, without reading the details of every lead.
  CREATE INDEX leads_by_text ON leads (created_at DESC, about, phone) WHERE forgotten_at IS NULL;

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
    -- A caller's key, or the customer's phone for callers without one.
    request_scope TEXT,
    request_id TEXT,
    request_hash TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    -- The address in lower case: addresses are compared in this form.
    email_key TEXT,
    -- How often the customer changed the booking.
    changes INTEGER NOT NULL DEFAULT 0,
    cancel_reason TEXT,
    -- The shop's date of the customer's latest change, and their changes on that date.
    changed_on TEXT,
    changed_times INTEGER NOT NULL DEFAULT 0,
    paid INTEGER CHECK (paid >= 0),
    paid_by TEXT CHECK (paid_by IN ('cash', 'card', 'other')),
    -- The answer before the owner changed the booking.
    first_answer TEXT,
    answer TEXT NOT NULL DEFAULT '',
    CHECK ((request_scope IS NULL) = (request_id IS NULL) AND (request_id IS NULL) = (request_hash IS NULL))
  ) STRICT;
  CREATE UNIQUE INDEX bookings_by_request ON bookings (request_scope, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX bookings_by_network ON bookings (network, created_at) WHERE key_id IS NULL;
  CREATE INDEX bookings_by_key ON bookings (key_id, created_at) WHERE key_id IS NOT NULL;
  CREATE INDEX bookings_by_date ON bookings (date, start_at, created_at, id);
  CREATE INDEX bookings_by_length ON bookings (busy_until - start_at)
    WHERE status NOT IN ('cancelled_by_shop', 'cancelled_by_customer');
  CREATE INDEX bookings_held_by_email ON bookings (email_key, end_at) WHERE status = 'confirmed';
  CREATE INDEX bookings_by_age ON bookings (created_at);
  CREATE INDEX bookings_by_start ON bookings (start_at, busy_until, status);
  CREATE INDEX bookings_by_phone ON bookings (phone, end_at);

  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    lead_id TEXT NOT NULL REFERENCES leads (id),
    kind TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'done', 'lapsed', 'failed')),
    unless TEXT,
    due_at INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    claimed_until INTEGER,
    doubtful INTEGER NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1)),
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER,
    tried_ms INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    message_sid TEXT,
    created_at INTEGER NOT NULL,
    -- What became of a text that Twilio took, and when to ask next.
    arrival TEXT CHECK (arrival IN ('sent', 'delivered', 'undelivered')),
    ask_at INTEGER,
    -- When the job was last claimed, postponed or made due at once, by the clock of that time.
    touched_at INTEGER,
    payload TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX jobs_by_lead ON jobs (lead_id);
  CREATE UNIQUE INDEX jobs_by_message ON jobs (message_sid) WHERE message_sid IS NOT NULL;
  CREATE INDEX jobs_tried ON jobs (kind, due_at, id) WHERE status = 'waiting' AND attempts > 0;
  CREATE INDEX jobs_failed ON jobs (kind, due_at, id) WHERE status = 'failed';
  CREATE INDEX jobs_retries ON jobs (kind, next_at, id) WHERE status = 'waiting' AND attempts > 0;
  CREATE INDEX jobs_fresh ON jobs (kind, due_at, id) WHERE status = 'waiting' AND attempts = 0;
  -- The limits of texts count what was sent since a moment.
  CREATE INDEX jobs_touched ON jobs (kind, touched_at) WHERE touched_at IS NOT NULL;
  CREATE INDEX jobs_asked ON jobs (ask_at) WHERE ask_at IS NOT NULL;
  CREATE INDEX jobs_lapsed ON jobs (id) WHERE status = 'lapsed';

  -- The numbers of customers who want no more texts.
  CREATE TABLE text_stops (phone TEXT PRIMARY KEY, reason TEXT NOT NULL, at INTEGER NOT NULL) STRICT;

  -- For each alert to the owner: until when the cause lasts if nothing more happens.
  CREATE TABLE alerts (name TEXT PRIMARY KEY, lasts_until INTEGER NOT NULL) STRICT;
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL, made_at INTEGER NOT NULL) STRICT;
  CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
  INSERT INTO heartbeat VALUES (1, 0);
  `;

/** The version of the tables; 0 in an empty database. */
export function versionOf(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** Brings the tables to this program's version. Any number of processes may do so at once. @throws StoreTooNew, StoreTooOld */
export function migrate(db: Database): void {
  // Every command opens the database, so the usual case must not cost a write.
  if (versionOf(db) === SCHEMA_VERSION) return;
  db.transaction(() => {
    // Another process may have migrated meanwhile.
    const version = versionOf(db);
    for (const statements of statementsSince(version, "sqlite", TABLES)) db.run(statements);
    if (version === 0) runSteps(db, addSecret());
    db.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  }).immediate();
}
