/** The one rule for overdue jobs, used by the home screen, `tint doctor` and `/readyz`. */

import { CUSTOMER_MESSAGES, type JobKind, SHOP_MESSAGES } from "../constants.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import type { Store, WaitingJob } from "../store/store.ts";

export interface OverdueRule {
  /** Epoch milliseconds. */
  now: number;
  /** `messages.stuck_after_minutes` of the catalog. */
  afterMinutes: number;
  /** The kinds whose channel is on. The command line cannot know them: the server has settings of its own. */
  on?: readonly JobKind[];
}

const MESSAGES: readonly JobKind[] = [...SHOP_MESSAGES, ...CUSTOMER_MESSAGES];
/** The most jobs listed per group. */
const LISTED = 1_000;

/** Jobs that were given up, and late jobs; longest due first. */
export async function overdueJobs(store: Store, rule: OverdueRule): Promise<WaitingJob[]> {
  const groups = await Promise.all([store.failedJobs(LISTED), lateJobs(store, rule)]);
  return groups.flat().sort((a, b) => a.dueAt - b.dueAt);
}

/** Jobs that have been due for longer than `afterMinutes`. Reminders are never late, because nobody sends them. */
export async function lateJobs(
  store: Pick<Store, "waitingJobs">,
  { now, afterMinutes, on }: OverdueRule,
  limit = LISTED,
): Promise<WaitingJob[]> {
  const dueBefore = now - afterMinutes * MINUTE_MS;
  if (on) return await store.waitingJobs(limit, { kinds: on, dueBefore });
  // Most shops have no CRM. Only an attempt shows that pushes are expected to go out.
  const groups = await Promise.all([
    store.waitingJobs(limit, { kinds: MESSAGES, dueBefore }),
    store.waitingJobs(limit, { kinds: ["push_to_crm"], dueBefore, tried: true }),
  ]);
  return groups.flat();
}
