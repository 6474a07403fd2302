/** The methods of a store that both engines have in common. */
import type { Claim, DeliveryClaim, JobFilter } from "../store.ts";
import { findKey, listKeys } from "./api-keys.ts";
import { contactOf } from "./booking-changes.ts";
import { busyBetween, codesInUse, findBooking, findEarlier, findSame, listBookings, upcoming } from "./bookings.ts";
import { hasDueJobs } from "./claims.ts";
import { customer, findCustomers } from "./customers.ts";
import {
  countFreedNumbers,
  countTextsByStatus,
  hasUnconfirmedTexts,
  optOutOf,
  whyUndelivered,
} from "./delivery-status.ts";
import { tracesOf } from "./forget.ts";
import { countDueJobs, jobsThat, lapsedJobs, settledMessages } from "./jobs.ts";
import { findEarlierLead, findLead, listLeads, referencesInUse } from "./leads.ts";
import { quotaUse } from "./quotas.ts";
import { unannouncedStart } from "./rewording.ts";
import { calendarHash, lockSecret } from "./secrets.ts";
import { methodsOf, type Steps } from "./steps.ts";
import { type Write, writesTo } from "./writes.ts";

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

/** How an engine runs the functions. */
export interface Engine {
  read<Result>(steps: Steps<Result>): Promise<Result>;
  /** Runs a write in a transaction, and resolves after the commit. */
  write(write: Write): Promise<unknown>;
}

export function readsAndWrites({ read, write }: Engine) {
  const reads = methodsOf(READS, (name, args) => {
    // Safe, because the method of this name has the arguments of the function.
    const steps = READS[name] as (...args: unknown[]) => Steps<unknown>;
    return read(steps(...args));
  });
  const writes = writesTo(write);
  return {
    ...reads,
    ...writes,
    claimJobs: async (claim: Claim) => ((await read(hasDueJobs(claim))) ? writes.claimJobs(claim) : []),
    claimUnconfirmedTexts: async (claim: DeliveryClaim) =>
      (await read(hasUnconfirmedTexts(claim))) ? writes.claimUnconfirmedTexts(claim) : [],
  };
}
