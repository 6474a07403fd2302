/** What customers paid: records of a booking or of a won lead, both by its lead. Times are epoch milliseconds. */
import type { PaidBy, PaymentKind } from "../../constants.ts";

export interface Payment {
  id: number;
  /** Cents, also of a refund. */
  amount: number;
  by: PaidBy;
  kind: PaymentKind;
  paidAt: number;
  /** Null for one from before payments were records. */
  recordedAt: number | null;
  /** When it was taken back; the record stays. */
  undoneAt: number | null;
  /** Who wrote it down. */
  takenBy: string | null;
  note: string | null;
  /** Its id at a payment service, at most one record each. */
  reference: string | null;
}

/** @property paidAt the moment at which it is written down, where it is left out */
export type NewPayment = Pick<Payment, "amount" | "by" | "kind"> &
  Partial<Pick<Payment, "paidAt" | "takenBy" | "note" | "reference">>;
