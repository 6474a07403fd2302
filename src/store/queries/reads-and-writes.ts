/** The functions that read and write, named as the methods of `Store`: each engine runs them in its own way. */
import type { BookingStatus } from "../../domain/lifecycle.ts";
import {
  addCall,
  callsToMake,
  cancelBooking,
  contactOf,
  editBooking,
  endCall,
  rescheduleBooking,
} from "./booking-changes.ts";
import { changeBookingStatus, confirmHeld, reopenBooking } from "./booking-status.ts";
import {
  book,
  busyBetween,
  codesInUse,
  expireHolds,
  findBooking,
  findEarlier,
  findSame,
  hasOverHolds,
  listBookings,
  notClosed,
  payers,
  upcoming,
} from "./bookings.ts";
import { claimJobs, hasDueJobs, type Settled, settleJob } from "./claims.ts";
import { customer, findCustomers } from "./customers.ts";
import {
  allowTexts,
  type Claim,
  claimUnconfirmedTexts,
  countFreedNumbers,
  countTextsByStatus,
  type DeliveryClaim,
  type DeliveryReport,
  hasUnconfirmedTexts,
  optOutOf,
  settleDeliveryReport,
  whyUndelivered,
} from "./delivery-status.ts";
import {
  askDepositAt,
  depositOf,
  dueDeposits,
  endDepositPage,
  openDeposit,
  payDeposit,
  refundDeposit,
  settleDeposit,
} from "./deposits.ts";
import { forget, forgetOld, tracesOf } from "./forget.ts";
import {
  countDueJobs,
  dropJob,
  type JobFilter,
  jobsThat,
  lapsedJobs,
  type NewJob,
  retryJob,
  settledMessages,
} from "./jobs.ts";
import { callLeadAt, moveLead, undoLeadMove } from "./lead-status.ts";
import { addLead, editLead, findEarlierLead, findLead, listLeads, referencesInUse } from "./leads.ts";
import { addPayments, movePayments, undoPayment } from "./payments.ts";
import { quotaUse } from "./quotas.ts";
import { addMessage, unannouncedStart } from "./rewording.ts";
import {
  addKey,
  calendarHash,
  findKey,
  listKeys,
  lockSecret,
  revokeKey,
  rotateKey,
  rotateLockSecret,
  setCalendarHash,
  touchKey,
} from "./secrets.ts";
import { each, methodsOf, run, type Steps, storeClock } from "./steps.ts";

/** The functions that read, named as in `Store`. None needs a transaction. */
const READS = {
  findEarlier,
  findSame,
  quotaUse,
  busyBetween,
  bookings: listBookings,
  codesInUse,
  findBooking,
  contactOf,
  notClosed,
  callsToMake,
  payers,
  depositOf,
  dueDeposits,
  upcoming,
  leads: listLeads,
  findCustomers,
  customer,
  referencesInUse,
  findEarlierLead,
  findLead,
  findKey,
  keys: listKeys,
  calendarHash,
  lockSecret,
  waitingJobs: (limit: number, filter?: JobFilter) => jobsThat("waiting", limit, filter),
  failedJobs: (limit: number) => jobsThat("failed", limit),
  lapsedJobs,
  countDueJobs,
  settledMessages,
  countTextsByStatus,
  whyUndelivered,
  unannouncedStart,
  optOutOf,
  countFreedNumbers,
  tracesOf,
};

/** The messages of each booking, by its confirmation code. */
type JobsByCode = Readonly<Record<string, readonly NewJob[]>>;

/** The functions that write. Each runs inside a transaction. */
const WRITES = {
  book,
  confirmHeld,
  changeBookingStatus,
  /** Outcomes in the same order. */
  moveBookings: (codes: readonly string[], to: BookingStatus, at: number, jobs: JobsByCode = {}) =>
    each(codes, (code) => changeBookingStatus(code, to, at, { jobs: jobs[code] })),
  /** One after the other; outcomes in the same order. */
  reopenBookings: (codes: readonly string[], bays: number, at: number, jobs: JobsByCode = {}) =>
    each(codes, (code) => reopenBooking(code, bays, at, jobs[code])),
  *expireHolds(now?: number): Steps<number> {
    return yield* expireHolds(now ?? (yield* storeClock()));
  },
  rescheduleBooking,
  cancelBooking,
  editBooking,
  addCall,
  endCall,
  addMessage,
  addPayments,
  movePayments,
  undoPayment,
  askDepositAt,
  openDeposit,
  payDeposit,
  endDepositPage,
  refundDeposit,
  settleDeposit,
  addLead,
  editLead,
  moveLead,
  undoLeadMove,
  callLeadAt,
  addKey,
  touchKey,
  revokeKey,
  rotateKey,
  rotateLockSecret,
  setCalendarHash,
  claimJobs,
  settleJobs: (settled: readonly Settled[], isMailOn = false) => each(settled, (job) => settleJob(job, isMailOn)),
  claimUnconfirmedTexts,
  *settleDeliveryReports(reports: readonly DeliveryReport[], isMailOn: boolean, at?: number): Steps<boolean[]> {
    const now = at ?? (yield* storeClock());
    return yield* each(reports, (report) => settleDeliveryReport(report, now, isMailOn));
  },
  allowTexts,
  retryJob,
  dropJob,
  forget,
  forgetOld,
  /** Tries a harmless write. */
  *checkWritable(): Steps<void> {
    yield* run("UPDATE heartbeat SET beats = beats + 1");
  },
};

/** A call of one of the functions, as data, so that a thread can perform it. */
export interface Write {
  name: keyof typeof WRITES;
  args: unknown[];
}

export function stepsOf({ name, args }: Write): Steps<unknown> {
  // Safe, because only `readsAndWrites` makes writes, and there the arguments are those of the function.
  const write = WRITES[name] as (...args: unknown[]) => Steps<unknown>;
  return write(...args);
}

export interface Engine {
  read<Result>(steps: Steps<Result>): Promise<Result>;
  write(write: Write): Promise<unknown>;
}

export function readsAndWrites({ read, write }: Engine) {
  const reads = methodsOf(READS, (name, args) => {
    // Safe, because the method of this name has the arguments of the function.
    const steps = READS[name] as (...args: unknown[]) => Steps<unknown>;
    return read(steps(...args));
  });
  const writes = methodsOf(WRITES, (name, args) => write({ name, args }));
  return {
    ...reads,
    ...writes,
    expireHolds: async (now?: number) => ((await read(hasOverHolds(now))) ? writes.expireHolds(now) : 0),
    claimJobs: async (claim: Claim) => ((await read(hasDueJobs(claim))) ? writes.claimJobs(claim) : []),
    claimUnconfirmedTexts: async (claim: DeliveryClaim) =>
      (await read(hasUnconfirmedTexts(claim))) ? writes.claimUnconfirmedTexts(claim) : [],
  };
}
