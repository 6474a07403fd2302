/** The functions that write, named as in `Store`. Each runs inside a transaction. */
import type { BookingStatus } from "../../domain/lifecycle.ts";
import type { DeliveryReport, NewJob, Settled } from "../store.ts";
import { addKey, revokeKey, rotateKey, touchKey } from "./api-keys.ts";
import { cancelBooking, editBooking, rescheduleBooking } from "./booking-changes.ts";
import { changeBookingStatus, reopenBooking } from "./booking-status.ts";
import { book } from "./bookings.ts";
import { claimJobs } from "./claims.ts";
import { allowTexts, claimUnconfirmedTexts, settleDeliveryReport } from "./delivery-status.ts";
import { forget, forgetOld } from "./forget.ts";
import { dropJob, retryJob } from "./jobs.ts";
import { callLeadAt, moveLead, undoLeadMove } from "./lead-status.ts";
import { addLead } from "./leads.ts";
import { addMessage } from "./rewording.ts";
import { rotateLockSecret, setCalendarHash } from "./secrets.ts";
import { settleJob } from "./settling.ts";
import { each, type Methods, methodsOf, run, type Steps } from "./steps.ts";
import { storeClock } from "./store-clock.ts";

const WRITES = {
  book,
  changeBookingStatus,
  moveBookings: (
    codes: readonly string[],
    to: BookingStatus,
    at: number,
    jobs: Readonly<Record<string, readonly NewJob[]>> = {},
  ) => each(codes, (code) => changeBookingStatus(code, to, at, { jobs: jobs[code] })),
  reopenBookings: (
    codes: readonly string[],
    bays: number,
    at: number,
    jobs: Readonly<Record<string, readonly NewJob[]>> = {},
  ) => each(codes, (code) => reopenBooking(code, bays, at, jobs[code])),
  rescheduleBooking,
  cancelBooking,
  editBooking,
  addMessage,
  addLead,
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
  *checkWritable(): Steps<void> {
    yield* run("UPDATE heartbeat SET beats = beats + 1");
  },
};

/** A call of one of the functions, as data, so that a thread can perform it. */
export interface Write {
  name: keyof typeof WRITES;
  args: unknown[];
}

/** The steps of a write, for the transaction of the caller. */
export function stepsOf({ name, args }: Write): Steps<unknown> {
  // Safe, because only `writesTo` makes writes, and there the arguments are those of the function.
  const write = WRITES[name] as (...args: unknown[]) => Steps<unknown>;
  return write(...args);
}

/** The methods of a store that write. @param queue performs a write and returns the result of the function */
export function writesTo(queue: (write: Write) => Promise<unknown>): Methods<typeof WRITES> {
  return methodsOf(WRITES, (name, args) => queue({ name, args }));
}
