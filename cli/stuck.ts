import type { Store, WaitingJob } from "../src/store/store.ts";

/** A job that waits longer than this after it was due is stuck. */
const STUCK_AFTER_MS = 15 * 60_000;
const LOOKED_AT = 1000;

/** Jobs given up, and jobs that should have been done a while ago; the longest due first. */
export async function stuckJobs(store: Store, now: number): Promise<WaitingJob[]> {
  const late = (await store.waitingJobs(LOOKED_AT)).filter(({ dueAt }) => dueAt < now - STUCK_AFTER_MS);
  return [...(await store.failedJobs(LOOKED_AT)), ...late].sort((a, b) => a.dueAt - b.dueAt);
}
