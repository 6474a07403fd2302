/** The interface to the database, async so that two engines fit behind it. Times are epoch milliseconds. */
import type { readsAndWrites } from "./queries/reads-and-writes.ts";

export type * from "./queries/booking-changes.ts";
export type * from "./queries/booking-status.ts";
export type * from "./queries/bookings.ts";
export type * from "./queries/claims.ts";
export type * from "./queries/customers.ts";
export type * from "./queries/delivery-status.ts";
export type * from "./queries/deposits.ts";
export type * from "./queries/forget.ts";
export type * from "./queries/jobs.ts";
export type * from "./queries/lead-status.ts";
export type * from "./queries/leads.ts";
export type * from "./queries/message-limits.ts";
export type { JobContent, LeadChange, Mail, ShopNews, Sms } from "./queries/payloads.ts";
export type * from "./queries/payments.ts";
export type * from "./queries/quotas.ts";
export type * from "./queries/rewording.ts";
export type * from "./queries/secrets.ts";

/** A method for each function that the files of `queries/` list as `reads` or `writes`. Those that write throw StoreUnavailable. */
export interface Store extends ReturnType<typeof readsAndWrites> {
  /**
   * Removes what was erased from unused parts of the database's files, and from SQLite's log. Writes wait meanwhile.
   * @param mostBytes a larger database is left as it is, except that SQLite's log is emptied
   * @returns whether nothing remains; false also while another program reads, or when the disk is full
   */
  cleanFile(mostBytes?: number): Promise<boolean>;
  /** How far this machine's clock is ahead of the database's, in milliseconds. Always 0 with SQLite. */
  clockAhead(): Promise<number>;
  /**
   * A number that changes when another connection writes: of another process, or of the thread that writes for this one.
   * It has changed before a write of the thread is acknowledged. Writes that this process makes without a thread do not
   * change it. Screens poll it.
   */
  dataVersion(): Promise<number>;
  /** Writes a consistent copy to a new or empty file. Other processes can write meanwhile. */
  copyTo(file: string): Promise<void>;
  close(): Promise<void>;
}
