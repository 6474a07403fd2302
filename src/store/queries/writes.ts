/** The functions that write, named as in `Store`. Each runs inside a transaction. */
import type { Database } from "bun:sqlite";
import type { BookingStatus } from "../../domain/lifecycle.ts";
import type { NewJob, Settled } from "../store.ts";
import { addKey, revokeKey, rotateKey } from "./api-keys.ts";
import { cancelBooking, editBooking, rescheduleBooking } from "./booking-changes.ts";
import { moveBooking, reopenBooking } from "./booking-moves.ts";
import { book } from "./bookings.ts";
import { claimJobs } from "./claims.ts";
import { forget, forgetOld } from "./forget.ts";
import { dropJob, retryJob, settleJob } from "./jobs.ts";
import { addLead, moveLead } from "./leads.ts";
import { addMessage } from "./rewording.ts";
import { rotateLockSecret, setCalendarLink } from "./secrets.ts";

const WRITES = {
  book,
  moveBooking,
  moveBookings: (
    db: Database,
    codes: readonly string[],
    to: BookingStatus,
    at: number,
    jobs: Readonly<Record<string, readonly NewJob[]>> = {},
  ) => codes.map((code) => moveBooking(db, code, to, at, { jobs: jobs[code] })),
  reopenBookings: (db: Database, codes: readonly string[], bays: number, at: number) =>
    codes.map((code) => reopenBooking(db, code, bays, at)),
  rescheduleBooking,
  cancelBooking,
  editBooking,
  addMessage,
  addLead,
  moveLead,
  addKey,
  revokeKey,
  rotateKey,
  rotateLockSecret,
  setCalendarLink,
  claimJobs,
  settleJobs(db: Database, settled: readonly Settled[]) {
    for (const job of settled) settleJob(db, job);
  },
  retryJob,
  dropJob,
  forget,
  forgetOld,
  checkWritable: (db: Database) => void db.run("UPDATE heartbeat SET beats = beats + 1"),
};

type Writes = typeof WRITES;

/** A call of one of the functions, as data. */
export interface Write {
  name: keyof Writes;
  args: unknown[];
}

/** Performs a write inside the transaction of its caller. */
export function perform(db: Database, { name, args }: Write): unknown {
  // Safe, because only `writesTo` makes writes, and there the arguments are those of the function.
  const write = WRITES[name] as (db: Database, ...args: unknown[]) => unknown;
  return write(db, ...args);
}

type WritesOfStore = {
  [Name in keyof Writes]: Writes[Name] extends (db: Database, ...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
};

/** The methods of a store that write. @param queue performs a write and returns the result of the function */
export function writesTo(queue: (write: Write) => Promise<unknown>): WritesOfStore {
  const names = Object.keys(WRITES) as (keyof Writes)[];
  const methods = names.map((name) => [name, (...args: unknown[]) => queue({ name, args })]);
  // Safe, because each method has the arguments and the result of the function of the same name.
  return Object.fromEntries(methods) as WritesOfStore;
}
