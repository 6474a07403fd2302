/**
 * Does the jobs of the store while the server runs. A job is claimed for a while before it is tried: when the process dies
 * in between, the claim runs out and the job is tried again, as one whose outcome is in doubt.
 */
import type { Logger } from "pino";
import type { DueJob, Settled, Store } from "../store/store.ts";
import type { JobKind } from "../vocabulary.ts";
import { isGivenUp, pauseAfter } from "./backoff.ts";
import { type Outcome, unanswered } from "./outcome.ts";

/**
 * Every so often it writes down what has ended and claims what is due: two transactions at most, for each makes the
 * bookings of that moment wait for the disk.
 */
const TURN_MS = 200;
const ATTEMPT_MS = 15_000;
/** A claim outlasts its attempt by this, so that none runs out under a living worker. */
const MARGIN_MS = 5_000;
/** Attempts at once. First attempts have their own room, so that a new job does not wait for those that hang. */
const FRESH_AT_ONCE = 100;
const RETRIES_AT_ONCE = 8;

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
  const running = { fresh: new Set<Promise<void>>(), retries: new Set<Promise<void>>() };
  const breakOff = new AbortController();
  let ended: { job: DueJob; how: Settled }[] = [];
  let stopping = false;
  let wake: () => void = () => {};

  const start = (job: DueJob, startedAt: number) => {
    const room = running[job.attempts === 1 ? "fresh" : "retries"];
    const signal = AbortSignal.any([AbortSignal.timeout(attemptMs), breakOff.signal]);
    const work = tryOnce(job, deliver, signal).then((outcome) => {
      ended.push({ job, how: afterwards(job, outcome, startedAt, now()) });
      room.delete(work);
    });
    room.add(work);
  };

  const claim = async () => {
    const startedAt = now();
    const jobs = await store.claimJobs({
      kinds,
      now: startedAt,
      until: startedAt + attemptMs + MARGIN_MS,
      fresh: FRESH_AT_ONCE - running.fresh.size,
      retries: RETRIES_AT_ONCE - running.retries.size,
    });
    for (const job of jobs) start(job, startedAt);
  };

  const settle = async () => {
    const batch = ended;
    ended = [];
    if (batch.length === 0) return;
    try {
      await store.settleJobs(batch.map(({ how }) => how));
      for (const { job, how } of batch) report(job, how, log);
    } catch (error) {
      const jobs = batch.map(({ job }) => job.id);
      log.error({ jobs, err: error }, "jobs could not be settled; they come back when their claims run out");
    }
  };

  const loop = (async () => {
    while (!stopping) {
      await settle();
      await claim().catch((error: unknown) => log.error({ err: error }, "jobs could not be claimed"));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, TURN_MS);
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
      await Promise.all([...running.fresh, ...running.retries]);
      clearTimeout(timer);
      await settle();
    },
  };
}

/** What an attempt's end means for its job. Times are epoch milliseconds. */
export function afterwards(job: DueJob, outcome: Outcome, startedAt: number, now: number): Settled {
  const { id } = job;
  if (outcome.kind === "done") return { id, kind: "done", messageSid: outcome.messageSid ?? null };
  const { reason } = outcome;
  if (outcome.kind === "failed") return { id, kind: "failed", reason };
  const pause = Math.max(pauseAfter(job.attempts), (outcome.afterSeconds ?? 0) * 1000);
  const triedMs = job.triedMs + (now - startedAt) + pause;
  if (isGivenUp(triedMs)) return { id, kind: "failed", reason };
  return { id, kind: "postponed", reason, nextAt: now + pause, doubtful: outcome.doubtful ?? false, triedMs };
}

function report({ id, kind, attempts }: DueJob, how: Settled, log: Logger): void {
  const about = { job: id, kind, attempts };
  if (how.kind === "done") log.info(about, "job done");
  else if (how.kind === "failed") log.error({ ...about, reason: how.reason }, "job failed for good; see tint outbox");
  else log.warn({ ...about, reason: how.reason, nextAt: new Date(how.nextAt).toISOString() }, "job postponed");
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
