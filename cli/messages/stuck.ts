import type { Store, WaitingJob } from "../../src/store/store.ts";
import { CUSTOMER_MESSAGES } from "../../src/vocabulary.ts";

const LOOKED_AT = 1000;

/**
 * Messages given up, and those that should have gone out a while ago; the longest due first.
 * @param afterMinutes the catalog's `stuck_after_minutes`
 */
export async function stuckJobs(store: Store, now: number, afterMinutes: number): Promise<WaitingJob[]> {
  // A push that was never tried waits for a CRM, which most shops do not have; a reminder waits for the owner.
  const pushes = (await store.waitingJobs(LOOKED_AT, ["push_to_crm"])).filter(({ attempts }) => attempts > 0);
  const messages = await store.waitingJobs(LOOKED_AT, ["notify_shop_sms", ...CUSTOMER_MESSAGES]);
  const late = [...messages, ...pushes].filter(({ dueAt }) => dueAt < now - afterMinutes * 60_000);
  return [...(await store.failedJobs(LOOKED_AT)), ...late].sort((a, b) => a.dueAt - b.dueAt);
}
