/**
 * Does the jobs of the store while the server runs. A job is claimed for a while before it is tried: when the process dies
 * in between, the claim runs out and the job is tried again, as one whose outcome is in doubt.
 */
import type { Logger } from "pino";
import type { DueJob, Store } from "../store/store.ts";
import type { JobKind } from "../vocabulary.ts";
import { isGivenUp, pauseAfter } from "./backoff.ts";
import type { Outcome } from "./outcome.ts";

const POLL_MS = 400;
const ATTEMPT_MS = 15_000;
/** Longer than an attempt, so that a claim never runs out under a living worker. */
const CLAIM_MS = 20_000;
const AT_ONCE = 8;

export type Deliver = (job: DueJob, signal: AbortSignal) => Promise<Outcome>;

export interface WorkerDeps {
  store: Store;
  deliver: Deliver;
  /** The kinds whose settings are there; the others wait. */
  kinds: readonly JobKind[];
  log: Logger;
  now?: () => number;
}

export interface Worker {
  /** Claims no more, and waits until what is under way has ended. */
  stop: () => Promise<void>;
}

export function startWorker({ store, deliver, kinds, log, now = Date.now }: WorkerDeps): Worker {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let wake: () => void = () => {};

  const attempt = async (job: DueJob) => {
    const outcome = await tryOnce(job, deliver);
    await settle(job, outcome);
  };

  const settle = async (job: DueJob, outcome: Outcome) => {
    const about = { job: job.id, kind: job.kind, attempts: job.attempts };
    const moment = now();
    if (outcome.kind === "done") {
      await store.finishJob(job.id, "done", null);
      log.info(about, "job done");
    } else if (outcome.kind === "failed" || isGivenUp(job.dueAt, moment)) {
      await store.finishJob(job.id, "failed", outcome.reason);
      log.error({ ...about, reason: outcome.reason }, "job failed for good; see tint outbox");
    } else {
      const pause = Math.max(pauseAfter(job.attempts), (outcome.afterSeconds ?? 0) * 1000);
      await store.postponeJob(job.id, moment + pause, outcome.reason, outcome.doubtful ?? false);
      log.warn({ ...about, reason: outcome.reason, nextInSeconds: Math.round(pause / 1000) }, "job postponed");
    }
  };

  const claim = async () => {
    const room = AT_ONCE - running.size;
    if (room <= 0 || kinds.length === 0) return;
    const moment = now();
    for (const job of await store.claimJobs({ kinds, now: moment, until: moment + CLAIM_MS, limit: room })) {
      const work = attempt(job)
        .catch((error: unknown) =>
          log.error({ job: job.id, err: error }, "job could not be settled; it comes back when its claim runs out"),
        )
        .finally(() => {
          running.delete(work);
          wake();
        });
      running.add(work);
    }
  };

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await claim().catch((error: unknown) => log.error({ err: error }, "jobs could not be claimed"));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();

  return {
    async stop() {
      stopping.abort();
      wake();
      await loop;
      await Promise.all(running);
    },
  };
}

/** One attempt, with a time-out; a thrown error is an outcome in doubt. */
async function tryOnce(job: DueJob, deliver: Deliver): Promise<Outcome> {
  try {
    return await deliver(job, AbortSignal.timeout(ATTEMPT_MS));
  } catch (error) {
    return { kind: "retry", reason: error instanceof Error ? error.message : String(error), doubtful: true };
  }
}
