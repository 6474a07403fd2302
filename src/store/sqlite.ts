import { addKey, findKey, listKeys, revokeKey, rotateKey } from "./api-keys.ts";
import { moveBooking, reopenBooking } from "./booking-moves.ts";
import {
  book,
  busyBetween,
  codesInUse,
  findBooking,
  findEarlier,
  listBookings,
  quotaUse,
  upcoming,
} from "./bookings.ts";
import { claimJobs, hasDueJobs } from "./claims.ts";
import { cleanFile, closeDatabase, inTransaction, openDatabase } from "./database.ts";
import { forget, forgetOld, tracesOf } from "./forget.ts";
import { countDueJobs, jobsThat, retryJob, settledMessages, settleJob } from "./jobs.ts";
import { findLead, insertLead, listLeads, moveLead, referencesInUse } from "./leads.ts";
import type { Store } from "./store.ts";
import { emptyLog } from "./wal.ts";

/** The store in one SQLite file. @param folder the folder of `tintdesk.db`, or `:memory:` */
export function openSqliteStore(folder: string): Store {
  const db = openDatabase(folder);
  return {
    findEarlier: async (scope, id) => findEarlier(db, scope, id),
    quotaUse: async (quotas) => quotaUse(db, quotas),
    busyBetween: async (from, until) => busyBetween(db, from, until),
    book: (booking, bays, quotas) => inTransaction(db, () => book(db, booking, bays, quotas)),
    bookings: async (dates, limit, after) => listBookings(db, dates, limit, after),
    codesInUse: async (codes) => codesInUse(db, codes),
    findBooking: async (code) => findBooking(db, code),
    moveBooking: (code, to, at) => inTransaction(db, () => moveBooking(db, code, to, at)),
    moveBookings: (codes, to, at) => inTransaction(db, () => codes.map((code) => moveBooking(db, code, to, at))),
    reopenBookings: (codes, bays) => inTransaction(db, () => codes.map((code) => reopenBooking(db, code, bays))),
    upcoming: async (after, statuses) => upcoming(db, after, statuses),
    addLead: (lead) => inTransaction(db, () => insertLead(db, lead)),
    leads: async (statuses, limit, after) => listLeads(db, statuses, limit, after),
    referencesInUse: async (references) => referencesInUse(db, references),
    findLead: async (name) => findLead(db, name),
    moveLead: (id, to, note, at) => inTransaction(db, () => moveLead(db, id, to, note, at)),
    addKey: (key) => inTransaction(db, () => addKey(db, key)),
    findKey: async (hash) => findKey(db, hash),
    keys: async () => listKeys(db),
    revokeKey: (id, at) => inTransaction(db, () => revokeKey(db, id, at)),
    rotateKey: (id, key) => inTransaction(db, () => rotateKey(db, id, key)),
    waitingJobs: async (limit, filter) => jobsThat(db, "waiting", limit, filter),
    failedJobs: async (limit) => jobsThat(db, "failed", limit),
    countDueJobs: async (kinds, now) => countDueJobs(db, kinds, now),
    claimJobs: async (claim) => (hasDueJobs(db, claim) ? inTransaction(db, () => claimJobs(db, claim)) : []),
    settleJobs: (settled) =>
      inTransaction(db, () => {
        for (const job of settled) settleJob(db, job);
      }),
    settledMessages: async (sids) => settledMessages(db, sids),
    retryJob: (id, at) => inTransaction(db, () => retryJob(db, id, at)),
    tracesOf: async (contact, now) => tracesOf(db, contact, now),
    async forget(contact, at, evenIfBooked) {
      const outcome = await inTransaction(db, () => forget(db, contact, at, evenIfBooked));
      return outcome.kind === "forgotten" ? { ...outcome, isFileClean: cleanFile(db) } : outcome;
    },
    async forgetOld(before, limit, at) {
      const forgotten = await inTransaction(db, () => forgetOld(db, before, limit, at));
      if (forgotten > 0) emptyLog(db);
      return forgotten;
    },
    dataVersion: async () => db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0,
    copyTo: async (file) => void db.query("VACUUM INTO ?").run(file),
    checkWritable: () => inTransaction(db, () => void db.run("UPDATE heartbeat SET beats = beats + 1")),
    close: async () => closeDatabase(db),
  };
}
