/**
 * Does the jobs of the store while the server runs. A job is claimed for a while before it is tried: when the process dies
 * in between, the claim runs out and the job is tried again, as one whose outcome is in doubt.
 */
import type { Logger } from "pino";
import type { DueJob, Store } from "../store/store.ts";
import type { JobKind } from "../vocabulary.ts";
import { isGivenUp, pauseAfter } from "./backoff.ts";
import { type Outcome, unanswered } from "./outcome.ts";

const POLL_MS = 400;
const ATTEMPT_MS = 15_000;
/** A claim outlasts its attempt by this, so that none runs out under a living worker. */
const MARGIN_MS = 5_000;
const AT_ONCE = 8;

export type Deliver = (job: DueJob, signal: AbortSignal) => Promise<Outcome>;

export interface WorkerDeps {
  store: Store;
  deliver: Deliver;
  /** The kinds it does. */
  kinds: readonly JobKind[];
  log: Logger;
  now?: () => number;
  /** How long an attempt may take. */
  attemptMs?: number;
}

export interface Worker {
  /** Claims no more, and waits until what is under way has ended; what has not after so long is broken off. */
  stop: (withinMs: number) => Promise<void>;
}

export function startWorker({
  store,
  deliver,
  kinds,
  log,
  now = Date.now,
  attemptMs = ATTEMPT_MS,
}: WorkerDeps): Worker {
  const running = new Set<Promise<void>>();
  const breakOff = new AbortController();
  let stopping = false;
  let wake: () => void = () => {};

  const settle = async (job: DueJob, outcome: Outcome) => {
    const about = { job: job.id, kind: job.kind, attempts: job.attempts };
    if (outcome.kind === "done") {
      await store.finishJob(job.id, "done", null);
      log.info(about, "job done");
      return;
    }
    const { reason } = outcome;
    if (outcome.kind === "failed" || isGivenUp(job.attempts)) {
      await store.finishJob(job.id, "failed", reason);
      log.error({ ...about, reason }, "job failed for good; see tint outbox");
      return;
    }
    const pause = Math.max(pauseAfter(job.attempts), (outcome.afterSeconds ?? 0) * 1000);
    await store.postponeJob(job.id, now() + pause, reason, outcome.doubtful ?? false);
    log.warn({ ...about, reason, nextInSeconds: Math.round(pause / 1000) }, "job postponed");
  };

  const claim = async () => {
    const room = AT_ONCE - running.size;
    if (room <= 0) return;
    const moment = now();
    const jobs = await store.claimJobs({ kinds, now: moment, until: moment + attemptMs + MARGIN_MS, limit: room });
    for (const job of jobs) {
      const work = tryOnce(job, deliver, AbortSignal.any([AbortSignal.timeout(attemptMs), breakOff.signal]))
        .then((outcome) => settle(job, outcome))
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
    while (!stopping) {
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
    async stop(withinMs) {
      stopping = true;
      wake();
      const timer = setTimeout(() => breakOff.abort(), withinMs);
      await loop;
      await Promise.all(running);
      clearTimeout(timer);
    },
  };
}

/** One attempt until the signal; one that threw or was broken off is in doubt. */
async function tryOnce(job: DueJob, deliver: Deliver, signal: AbortSignal): Promise<Outcome> {
  // Raced as well as handed on: name look-ups and mail do not obey a signal.
  const { promise: brokenOff, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([deliver(job, signal), brokenOff]);
  } catch (error) {
    return unanswered(error);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
