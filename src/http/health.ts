import type { Logger } from "pino";
import type { Store } from "../store/store.ts";
import type { JobKind } from "../vocabulary.ts";

export interface Health {
  /** By path. */
  checks: ReadonlyMap<string, () => Promise<Response>>;
}

interface HealthDeps {
  store: Store;
  catalogHash: () => string;
  now: () => Temporal.Instant;
  jobs: JobsHealth;
  /** Is told why the store cannot be written; the answer does not say. */
  log: Logger;
}

/** A readiness answer is reused this long, so that a poller cannot wear the disk. */
const REUSE_MS = 1_000;

/** What the jobs report: those that can go out, and which ways of sending are off. */
export interface JobsHealth {
  kinds: readonly JobKind[];
  /** Names of the ways of sending that have no settings. */
  off: readonly string[];
  /** From this age of the oldest unsent job, in minutes, the service is not ready. */
  stuckAfterMinutes: () => number;
}

/**
 * `/livez`: the process serves. `/readyz`: it can also do its work: write to the store, and send what is due. Jobs whose
 * way of sending is off do not count: they wait for the owner, not for us.
 */
export function createHealth({ store, catalogHash, now, jobs, log }: HealthDeps): Health {
  let last: { at: number; answer: Promise<{ status: number; body: object }> } | undefined;

  const check = async () => {
    const moment = now().epochMilliseconds;
    const checks = { store: "ok", catalog: `ok ${catalogHash().slice(0, 12)}`, jobs: "ok" };
    try {
      await store.checkWritable();
      const { count, oldestDueAt } = await store.countDueJobs(jobs.kinds, moment);
      const seconds = oldestDueAt === null ? 0 : Math.round((moment - oldestDueAt) / 1000);
      const stuck = seconds > jobs.stuckAfterMinutes() * 60;
      if (stuck) checks.jobs = `the oldest unsent one is ${Math.round(seconds / 60)} minutes late`;
      return {
        status: stuck ? 503 : 200,
        body: {
          status: stuck ? "unready" : "ready",
          checks,
          jobs: { due: count, oldest_due_seconds: seconds, off: jobs.off },
        },
      };
    } catch (error) {
      log.error({ err: error }, "not ready: the store cannot be written");
      return { status: 503, body: { status: "unready", checks: { ...checks, store: "cannot be written" } } };
    }
  };
  const ready = async () => {
    if (!last || performance.now() - last.at > REUSE_MS) {
      const answer = check();
      last = { at: Number.POSITIVE_INFINITY, answer };
      // Counted from its end: checks of a locked database take long, and must not pile up.
      void answer.finally(() => {
        last = { at: performance.now(), answer };
      });
    }
    const { status, body } = await last.answer;
    return Response.json(body, { status });
  };
  return {
    checks: new Map([
      ["/livez", async () => Response.json({ status: "alive" })],
      ["/readyz", ready],
    ]),
  };
}
