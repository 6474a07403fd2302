import { findKey, listKeys } from "../queries/api-keys.ts";
import { contactOf } from "../queries/booking-changes.ts";
import {
  busyBetween,
  codesInUse,
  findBooking,
  findEarlier,
  listBookings,
  quotaUse,
  upcoming,
} from "../queries/bookings.ts";
import { hasDueJobs } from "../queries/claims.ts";
import { customer, findCustomers } from "../queries/customers.ts";
import { tracesOf } from "../queries/forget.ts";
import { countDueJobs, jobsThat, lapsedJobs, settledMessages } from "../queries/jobs.ts";
import { findEarlierLead, findLead, listLeads, referencesInUse } from "../queries/leads.ts";
import { calendarLink, lockSecret } from "../queries/secrets.ts";
import { perform, type Write, writesTo } from "../queries/writes.ts";
import type { Store } from "../store.ts";
import { type Commit, createWriteQueue } from "../write-queue.ts";
import { checkInPlace, cleanFile, closeDatabase, commitTogether, openDatabase, type Upgrade } from "./database.ts";
import { startWriter } from "./writer.ts";

export interface SqliteOptions {
  /** Where writes are made. A thread pays for a server, but not for a command that writes once. */
  writer?: "here" | "thread";
  /** When the thread starts; at once by default. Until it can write, writes are made here. */
  threadAfter?: Promise<unknown>;
  /** Told of every transaction: how long it took, and how many writes shared it. */
  onCommit?: ((ms: number, writes: number) => void) | undefined;
  /** Told when a database of an earlier version was changed to this one. */
  onUpgrade?: (upgrade: Upgrade) => void;
}

/** The store in one SQLite file. @param folder the folder of `tintdesk.db`, or `:memory:`, which has no thread */
export function openSqliteStore(
  folder: string,
  { writer: where = "here", threadAfter, onCommit, onUpgrade }: SqliteOptions = {},
): Store {
  const db = openDatabase(folder, onUpgrade);
  const writer = where === "thread" && folder !== ":memory:" ? startWriter(folder, threadAfter) : undefined;
  const commit = (batch: Write[]) => {
    if (writer?.isReady()) {
      // A thread that starts after the file was replaced has opened another one.
      checkInPlace(db);
      return writer.commit(batch);
    }
    return commitTogether(
      db,
      batch.map((write) => () => perform(db, write)),
    );
  };
  const queue = createWriteQueue(onCommit ? timed(commit, onCommit) : commit);
  const writes = writesTo(queue.add);
  return {
    ...writes,
    findEarlier: async (scope, id) => findEarlier(db, scope, id),
    quotaUse: async (quotas) => quotaUse(db, quotas),
    busyBetween: async (from, until) => busyBetween(db, from, until),
    bookings: async (dates, limit, after) => listBookings(db, dates, limit, after),
    codesInUse: async (codes) => codesInUse(db, codes),
    findBooking: async (code) => findBooking(db, code),
    contactOf: async (code) => contactOf(db, code),
    upcoming: async (after, statuses) => upcoming(db, after, statuses),
    leads: async (statuses, limit, after, kinds) => listLeads(db, statuses, limit, after, kinds),
    findCustomers: async (texts, limit) => findCustomers(db, texts, limit),
    customer: async (phone) => customer(db, phone),
    referencesInUse: async (references) => referencesInUse(db, references),
    findEarlierLead: async (scope, id) => findEarlierLead(db, scope, id),
    findLead: async (name) => findLead(db, name),
    findKey: async (hash) => findKey(db, hash),
    keys: async () => listKeys(db),
    calendarLink: async () => calendarLink(db),
    lockSecret: async () => lockSecret(db),
    waitingJobs: async (limit, filter) => jobsThat(db, "waiting", limit, filter),
    lapsedJobs: async (kinds, limit) => lapsedJobs(db, kinds, limit),
    failedJobs: async (limit) => jobsThat(db, "failed", limit),
    countDueJobs: async (kinds, now) => countDueJobs(db, kinds, now),
    claimJobs: async (claim) => (hasDueJobs(db, claim) ? writes.claimJobs(claim) : []),
    settledMessages: async (sids) => settledMessages(db, sids),
    tracesOf: async (contact, now) => tracesOf(db, contact, now),
    cleanFile: async (mostBytes) => cleanFile(db, mostBytes),
    dataVersion: async () => db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0,
    copyTo: async (file) => void db.query("VACUUM INTO ?").run(file),
    async close() {
      await queue.idle();
      await writer?.stop();
      closeDatabase(db);
    },
  };
}

function timed(commit: Commit<Write>, onCommit: NonNullable<SqliteOptions["onCommit"]>): Commit<Write> {
  return async (batch) => {
    const startedAt = performance.now();
    const outcomes = await commit(batch);
    onCommit(performance.now() - startedAt, batch.length);
    return outcomes;
  };
}
