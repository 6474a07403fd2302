/** The tests that every engine behind `Store` must pass. */
import { bookingsConformance } from "./conformance-bookings.ts";
import { changesConformance } from "./conformance-changes.ts";
import { customersConformance, forgettingConformance } from "./conformance-customers.ts";
import { diaryConformance } from "./conformance-diary.ts";
import { holdsConformance } from "./conformance-holds.ts";
import { jobsConformance } from "./conformance-jobs.ts";
import { keysConformance } from "./conformance-keys.ts";
import { leadsConformance } from "./conformance-leads.ts";
import { messagesConformance } from "./conformance-messages.ts";
import { depositsConformance, paymentsConformance } from "./conformance-payments.ts";
import { quotasConformance } from "./conformance-quotas.ts";
import type { Open } from "./conformance-values.ts";

const PARTS = [
  ...[bookingsConformance, changesConformance, customersConformance, depositsConformance, diaryConformance],
  ...[forgettingConformance, holdsConformance, jobsConformance, keysConformance, leadsConformance],
  ...[messagesConformance, paymentsConformance, quotasConformance],
];

/** @param open opens an empty store; it is closed after each test */
export function storeConformance(name: string, open: Open): void {
  for (const part of PARTS) part(name, open);
}
