/** The tables of both engines, their version, the changes from one to the next, and how those of a database differ. */
import { StoreTooNew, StoreTooOld } from "./store-errors.ts";

/** The version that `TABLES` makes in an empty database. No earlier one was released. */
const BASELINE = 13;

/** The changes since the baseline in order, each to the next version. Never edit one that was released. */
const MIGRATIONS: readonly Template[] = [
  // What the customer of a won lead pays.
  ({ int, text }) =>
    `ALTER TABLE leads ADD COLUMN won_cents ${int}; ALTER TABLE leads ADD COLUMN won_currency ${text};`,
  // Work that is done before its planned end gives its bay back: the search for free bays reads when, in the index alone.
  () => `DROP INDEX bookings_by_start;
    CREATE INDEX bookings_by_start ON bookings (start_at, busy_until, status, ended_at);`,
  // Where a quote request came from: wrong guesses at its id never shut that network out.
  ({ text }) => `ALTER TABLE leads ADD COLUMN request_network ${text};`,
  // Filters of carriers counted as a customer's STOP. The rows stay, so that doctor can say how many numbers were freed.
  ({ int, now }) => `ALTER TABLE text_stops ADD COLUMN freed_at ${int};
    UPDATE text_stops SET freed_at = ${now} WHERE reason LIKE '%(30007:%' OR reason LIKE '%(30004:%';
    CREATE INDEX text_stops_freed ON text_stops (freed_at) WHERE freed_at IS NOT NULL;`,
  // The extension of a customer's phone, beside the number by which they are known.
  ({ text }) => `ALTER TABLE leads ADD COLUMN phone_extension ${text} NOT NULL DEFAULT '';`,
  // By what a booking is known that is made a second time under another id.
  ({ text }) => `ALTER TABLE bookings ADD COLUMN same_hash ${text};`,
  // Payments are records. One of before has the end of the work as its time, and no moment at which it was written down.
  ({ int, text, serial, strict }) => `CREATE TABLE payments (
      id ${serial},
      lead_id ${text} NOT NULL REFERENCES leads (id),
      amount ${int} NOT NULL CHECK (amount >= 0),
      paid_by ${text} NOT NULL CHECK (paid_by IN ('cash', 'card', 'other')),
      kind ${text} NOT NULL CHECK (kind IN ('deposit', 'payment', 'tip', 'refund')),
      paid_at ${int} NOT NULL,
      recorded_at ${int},
      undone_at ${int},
      taken_by ${text},
      note ${text},
      reference ${text}
    )${strict};
    INSERT INTO payments (lead_id, amount, paid_by, kind, paid_at)
      SELECT lead_id, paid, coalesce(paid_by, 'other'), 'payment', CASE WHEN ended_at < end_at THEN ended_at ELSE end_at END
      FROM bookings WHERE paid IS NOT NULL ORDER BY end_at, id;
    CREATE INDEX payments_by_lead ON payments (lead_id);
    CREATE INDEX payments_by_time ON payments (paid_at);
    CREATE UNIQUE INDEX payments_by_reference ON payments (reference) WHERE reference IS NOT NULL;
    ALTER TABLE bookings DROP COLUMN paid;
    ALTER TABLE bookings DROP COLUMN paid_by;`,
  // What the customer of a lead was quoted.
  ({ int, text }) =>
    `ALTER TABLE leads ADD COLUMN quoted_cents ${int}; ALTER TABLE leads ADD COLUMN quoted_currency ${text};`,
  // Customers whom nothing told of a change.
  ({ text, int, strict }) => `CREATE TABLE calls (
      booking_id ${text} PRIMARY KEY REFERENCES bookings (id),
      known_at ${int} NOT NULL,
      since ${int} NOT NULL
    )${strict};`,
  // A time that is held, until when, and a hold that ended. A new column, because SQLite cannot change the check of an old one.
  ({ int, text, indexed }) => `DROP INDEX bookings_by_start;
    DROP INDEX bookings_by_length;
    DROP INDEX bookings_held_by_email;
    ALTER TABLE bookings ADD COLUMN state ${text} NOT NULL DEFAULT 'confirmed' CHECK (state IN
      ('held', 'confirmed', 'completed', 'no_show', 'cancelled_by_shop', 'cancelled_by_customer', 'expired'));
    UPDATE bookings SET state = status WHERE status <> 'confirmed';
    ALTER TABLE bookings DROP COLUMN status;
    ALTER TABLE bookings RENAME COLUMN state TO status;
    ALTER TABLE bookings ADD COLUMN held_until ${int} CHECK (status <> 'held' OR held_until IS NOT NULL);
    CREATE INDEX bookings_by_start ON bookings (start_at, busy_until, status, ended_at, held_until);
    CREATE INDEX bookings_by_length ON bookings (${indexed("busy_until - start_at")})
      WHERE status NOT IN ('cancelled_by_shop', 'cancelled_by_customer', 'expired');
    CREATE INDEX bookings_held_by_email ON bookings (email_key, end_at) WHERE status IN ('confirmed', 'held');
    CREATE INDEX bookings_held ON bookings (held_until) WHERE status = 'held';`,
  // What is paid before a booking is certain. `ask_at`: when the payment service is asked next.
  ({ int, text, strict }) => `CREATE TABLE deposits (
      booking_id ${text} PRIMARY KEY REFERENCES bookings (id),
      amount ${int} NOT NULL CHECK (amount > 0),
      currency ${text} NOT NULL,
      state ${text} NOT NULL DEFAULT 'open'
        CHECK (state IN ('open', 'paid', 'expired', 'owed', 'refunded', 'kept', 'waived')),
      page_id ${text} NOT NULL UNIQUE,
      url ${text} NOT NULL,
      pay_until ${int} NOT NULL,
      refund_hours ${int} NOT NULL,
      payment_intent ${text},
      created_at ${int} NOT NULL,
      ask_at ${int},
      last_error ${text}
    )${strict};
    CREATE INDEX deposits_to_ask ON deposits (ask_at) WHERE ask_at IS NOT NULL;`,
  // The code of the booking that won a lead, which the note of a step told before.
  ({ text }) => `ALTER TABLE leads ADD COLUMN won_by ${text};
    UPDATE leads SET won_by = (SELECT confirmation_code FROM lead_events
        JOIN bookings ON note = 'booked as ' || confirmation_code
      WHERE lead_events.lead_id = leads.id AND lead_events.status = 'won' ORDER BY lead_events.id DESC LIMIT 1)
      WHERE kind = 'quote_request';
    CREATE INDEX leads_by_winner ON leads (won_by) WHERE won_by IS NOT NULL;`,
  // When the payment service was asked to give a deposit back: without an answer it may have done so.
  ({ int }) => `ALTER TABLE deposits ADD COLUMN refund_asked_at ${int};`,
  // The start that a customer who must be called knows, none where they know of no booking; and since when a message tells them.
  ({ int }) => `ALTER TABLE calls ADD COLUMN known_start ${int};
    ALTER TABLE calls ADD COLUMN told_at ${int};
    UPDATE calls SET known_start = known_at;
    ALTER TABLE calls DROP COLUMN known_at;`,
];

export const SCHEMA_VERSION = BASELINE + MIGRATIONS.length;

/** Why this program can neither work with a version of the tables nor bring it up to date. 0: tables are still to be made. */
export function versionError(version: number): StoreTooNew | StoreTooOld | undefined {
  if (version > SCHEMA_VERSION) return new StoreTooNew(version, SCHEMA_VERSION);
  if (version > 0 && version < BASELINE) return new StoreTooOld(version, BASELINE);
  return undefined;
}

type Engine = keyof typeof DIALECTS;

/** The statements that make an empty database of a version that `versionError` accepts. */
export function statementsUpTo(version: number, engine: Engine): string[] {
  return [TABLES, ...MIGRATIONS.slice(0, version - BASELINE)].map((template) => template(DIALECTS[engine]));
}

/** The statements that bring a database of a version to this program's. @throws StoreTooNew, StoreTooOld */
export function statementsSince(version: number, engine: Engine): string[] {
  const issue = versionError(version);
  if (issue) throw issue;
  const all = statementsUpTo(SCHEMA_VERSION, engine);
  return version === 0 ? all : all.slice(version - BASELINE + 1);
}

const SQLITE = {
  int: "INTEGER",
  text: "TEXT",
  serial: "INTEGER PRIMARY KEY",
  strict: " STRICT",
  /** Epoch milliseconds. */
  now: "unixepoch() * 1000",
  check: (condition: string) => ` CHECK (${condition})`,
  indexed: (expression: string) => expression,
  /** What customers are searched by, in the index alone, without reading the details of every lead. */
  searched: "created_at DESC, about, phone",
  about: `GENERATED ALWAYS AS (lower(concat_ws(' ', name, email, phone,
      details ->> '$.vehicle_year', details ->> '$.vehicle_make', details ->> '$.vehicle_model'))) VIRTUAL`,
  /** The tables that this engine alone has. */
  own: "",
};

type Dialect = typeof SQLITE;

/**
 * JSON is kept as TEXT: JSONB would order the keys anew, and a repeated request gets the very answer of the first. Nothing
 * here is peculiar to PostgreSQL itself, so that databases with its protocol stay possible: no triggers, no procedures, no
 * advisory locks, no exclusion constraints.
 */
const POSTGRES: Dialect = {
  int: "BIGINT",
  // Compared byte by byte, as in SQLite, whatever the language of the database.
  text: 'TEXT COLLATE "C"',
  serial: "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
  strict: "",
  now: "(extract(epoch FROM now()) * 1000)::bigint",
  // The database could refuse as JSON what a caller sent.
  check: () => "",
  indexed: (expression) => `(${expression})`,
  // Without the text: an index has no room for the longest.
  searched: "created_at DESC",
  // Cut out of the text, for the same reason as in `check`. Regular expressions take ten times as long.
  about: `GENERATED ALWAYS AS (lower(name || ' ' || email || ' ' || phone
      || coalesce(' ' || nullif(replace(btrim(left(split_part(details, '"vehicle_year":', 2), 5), '",}'), 'null', ''), ''), '')
      || coalesce(' ' || nullif(split_part(split_part(details, '"vehicle_make":"', 2), '"', 1), ''), '')
      || coalesce(' ' || nullif(split_part(split_part(details, '"vehicle_model":"', 2), '"', 1), ''), ''))) STORED`,
  own: `
  -- Only where several machines share the database: the last transaction that each process committed. It tells a process
  -- whose COMMIT got no answer whether it took effect.
  CREATE TABLE writers (id TEXT COLLATE "C" PRIMARY KEY, last BIGINT NOT NULL, at BIGINT NOT NULL);

  -- The versions of catalog.yaml, which is a file where one machine has the shop. The last is in force.
  CREATE TABLE catalogs (
    version BIGINT PRIMARY KEY,
    text TEXT COLLATE "C" NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    made_at BIGINT NOT NULL,
    made_by TEXT COLLATE "C" NOT NULL,
    note TEXT COLLATE "C" NOT NULL
  );
`,
};

const DIALECTS = { sqlite: SQLITE, postgres: POSTGRES };

type Template = (say: Dialect) => string;

const TABLES: Template = ({ int, text, serial, strict, check, indexed, searched, about, own }) => `${own}
  CREATE TABLE api_keys (
    id ${text} PRIMARY KEY,
    hash ${text} NOT NULL UNIQUE,
    prefix ${text} NOT NULL,
    name ${text} NOT NULL,
    email ${text} NOT NULL,
    email_key ${text} NOT NULL UNIQUE,
    use_case ${text},
    rate_per_minute ${int} CHECK (rate_per_minute > 0),
    created_at ${int} NOT NULL,
    revoked_at ${int},
    network ${text},
    -- Of a key that registered itself, to the day.
    last_used_at ${int}
  )${strict};

  CREATE TABLE leads (
    id ${text} PRIMARY KEY,
    reference ${text} NOT NULL UNIQUE,
    kind ${text} NOT NULL CHECK (kind IN ('booking', 'quote_request')),
    status ${text} NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'contacted', 'quoted', 'won', 'lost')),
    name ${text} NOT NULL,
    phone ${text} NOT NULL,
    email ${text} NOT NULL,
    service_type ${text} NOT NULL,
    details ${text} NOT NULL${check("json_valid(details)")},
    consent ${text}${check("consent IS NULL OR json_valid(consent)")},
    key_id ${text} REFERENCES api_keys (id),
    agent_class ${text},
    user_agent ${text},
    created_at ${int} NOT NULL,
    forgotten_at ${int},
    request_scope ${text},
    request_id ${text},
    request_hash ${text},
    request_answer ${text},
    about ${text} ${about}
  )${strict};
  CREATE INDEX leads_by_phone ON leads (phone);
  CREATE INDEX leads_by_email ON leads (lower(email));
  CREATE UNIQUE INDEX leads_by_request ON leads (request_scope, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX leads_by_kind ON leads (status, kind, created_at DESC, id);
  CREATE INDEX leads_by_text ON leads (${searched}) WHERE forgotten_at IS NULL;

  CREATE TABLE lead_events (
    id ${serial},
    lead_id ${text} NOT NULL REFERENCES leads (id),
    status ${text} NOT NULL CHECK (status IN ('new', 'contacted', 'quoted', 'won', 'lost')),
    note ${text},
    at ${int} NOT NULL
  )${strict};
  CREATE INDEX lead_events_by_lead ON lead_events (lead_id);

  CREATE TABLE bookings (
    id ${text} PRIMARY KEY,
    confirmation_code ${text} NOT NULL UNIQUE,
    status ${text} NOT NULL DEFAULT 'confirmed'
      CHECK (status IN ('confirmed', 'completed', 'no_show', 'cancelled_by_shop', 'cancelled_by_customer')),
    service ${text} NOT NULL,
    date ${text} NOT NULL,
    time ${text} NOT NULL,
    start_at ${int} NOT NULL,
    end_at ${int} NOT NULL CHECK (end_at > start_at),
    busy_until ${int} NOT NULL CHECK (busy_until >= end_at),
    lead_id ${text} NOT NULL UNIQUE REFERENCES leads (id),
    phone ${text} NOT NULL,
    network ${text} NOT NULL,
    key_id ${text} REFERENCES api_keys (id),
    -- A caller's key, or the customer's phone for callers without one.
    request_scope ${text},
    request_id ${text},
    request_hash ${text},
    created_at ${int} NOT NULL,
    ended_at ${int},
    -- The address in lower case: addresses are compared in this form.
    email_key ${text},
    -- How often the customer changed the booking.
    changes ${int} NOT NULL DEFAULT 0,
    cancel_reason ${text},
    -- The shop's date of the customer's latest change, and their changes on that date.
    changed_on ${text},
    changed_times ${int} NOT NULL DEFAULT 0,
    paid ${int} CHECK (paid >= 0),
    paid_by ${text} CHECK (paid_by IN ('cash', 'card', 'other')),
    -- The answer before the owner changed the booking.
    first_answer ${text},
    answer ${text} NOT NULL DEFAULT '',
    CHECK ((request_scope IS NULL) = (request_id IS NULL) AND (request_id IS NULL) = (request_hash IS NULL))
  )${strict};
  CREATE UNIQUE INDEX bookings_by_request ON bookings (request_scope, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX bookings_by_network ON bookings (network, created_at) WHERE key_id IS NULL;
  CREATE INDEX bookings_by_key ON bookings (key_id, created_at) WHERE key_id IS NOT NULL;
  CREATE INDEX bookings_by_date ON bookings (date, start_at, created_at, id);
  CREATE INDEX bookings_by_length ON bookings (${indexed("busy_until - start_at")})
    WHERE status NOT IN ('cancelled_by_shop', 'cancelled_by_customer');
  CREATE INDEX bookings_held_by_email ON bookings (email_key, end_at) WHERE status = 'confirmed';
  CREATE INDEX bookings_by_age ON bookings (created_at);
  CREATE INDEX bookings_by_start ON bookings (start_at, busy_until, status);
  CREATE INDEX bookings_by_phone ON bookings (phone, end_at);

  CREATE TABLE jobs (
    id ${serial},
    lead_id ${text} NOT NULL REFERENCES leads (id),
    kind ${text} NOT NULL,
    status ${text} NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'done', 'lapsed', 'failed')),
    unless ${text},
    due_at ${int} NOT NULL,
    next_at ${int} NOT NULL,
    claimed_until ${int},
    doubtful ${int} NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1)),
    attempts ${int} NOT NULL DEFAULT 0,
    first_tried_at ${int},
    tried_ms ${int} NOT NULL DEFAULT 0,
    last_error ${text},
    message_sid ${text},
    created_at ${int} NOT NULL,
    -- What became of a text that Twilio took, and when to ask next.
    arrival ${text} CHECK (arrival IN ('sent', 'delivered', 'undelivered')),
    ask_at ${int},
    -- When the job was last claimed, postponed or made due at once, by the clock of that time.
    touched_at ${int},
    payload ${text} NOT NULL DEFAULT ''
  )${strict};
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
  CREATE TABLE text_stops (phone ${text} PRIMARY KEY, reason ${text} NOT NULL, at ${int} NOT NULL)${strict};

  -- For each alert to the owner: until when the cause lasts if nothing more happens.
  CREATE TABLE alerts (name ${text} PRIMARY KEY, lasts_until ${int} NOT NULL)${strict};
  CREATE TABLE secrets (name ${text} PRIMARY KEY, value ${text} NOT NULL, made_at ${int} NOT NULL)${strict};
  CREATE TABLE heartbeat (id ${int} PRIMARY KEY CHECK (id = 1), beats ${int} NOT NULL)${strict};
  INSERT INTO heartbeat VALUES (1, 0);
`;

/** The SQL that made an entry, by its type and name. */
export type Entries = ReadonlyMap<string, string>;

/** Differences that are named. */
const MOST_NAMED = 3;

export function entryKey(type: string, name: string): string {
  return `${type} ${JSON.stringify(name)}`;
}

/** `mayHaveMore`: what others added, like the tables of a program that copies, is no difference. */
export function entriesDifference(have: Entries, want: Entries, mayHaveMore = false): string | undefined {
  const differences = [
    ...[...have].flatMap(([key, sql]) => {
      const wanted = want.get(key);
      if (wanted === undefined) return mayHaveMore ? [] : `it has the ${key}, which Tintdesk does not make`;
      return wanted === sql ? [] : `its ${key} is not as Tintdesk makes it`;
    }),
    ...[...want.keys()].filter((key) => !have.has(key)).map((key) => `it lacks the ${key}`),
  ];
  const more = differences.length - MOST_NAMED;
  const named = [...differences.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
  return named.length === 0 ? undefined : named.join("; ");
}
