/** The outbox: everything that is not yet delivered. */
import type { Store, WaitingJob } from "../../src/store/store.ts";
import { CUSTOMER_MESSAGES, type JobKind, SHOP_TEXTS } from "../../src/vocabulary.ts";

export type OutboxJob = WaitingJob & { status: "failed" | "waiting" | "lapsed" };

/** Each group has its own limit, so that many pushes or reminders cannot crowd out a message. */
const GROUPS: readonly (readonly JobKind[])[] = [
  [...SHOP_TEXTS, ...CUSTOMER_MESSAGES],
  ["push_to_crm"],
  ["remind_owner"],
];

/** The messages that were never sent because their reason went away, the newest first. */
export async function readLapsed(store: Store, limit: number): Promise<{ jobs: OutboxJob[]; more: boolean }> {
  const lapsed = await store.lapsedJobs([...SHOP_TEXTS, ...CUSTOMER_MESSAGES], limit + 1);
  return {
    jobs: lapsed.slice(0, limit).map((job) => ({ ...job, status: "lapsed" as const })),
    more: lapsed.length > limit,
  };
}

/** @param limit the most jobs of each group, and of the failed ones */
export async function readOutbox(store: Store, limit: number): Promise<{ jobs: OutboxJob[]; more: boolean }> {
  const failed = await store.failedJobs(limit + 1);
  const waiting = await Promise.all(GROUPS.map((kinds) => store.waitingJobs(limit + 1, { kinds })));
  return {
    jobs: [
      ...failed.slice(0, limit).map((job) => ({ ...job, status: "failed" as const })),
      ...waiting.flatMap((group) => group.slice(0, limit).map((job) => ({ ...job, status: "waiting" as const }))),
    ],
    more: [failed, ...waiting].some((group) => group.length > limit),
  };
}
