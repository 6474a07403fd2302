/** The version of the tables, which is the same in both engines, and the changes from one to the next. */
import { StoreTooNew, StoreTooOld } from "./store-errors.ts";
import { DIALECTS, TABLES, type Template } from "./tables.ts";

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
