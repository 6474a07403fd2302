/** `/livez` and `/readyz`, and the warning that callers share one address. */
import type { Logger } from "pino";
import { unansweredDeposits } from "../capabilities/booking/deposit.ts";
import { type JobKind, READY_WARNINGS } from "../constants.ts";
import { HOUR_MS, MINUTE_MS, withTimeout } from "../lib/durations.ts";
import { lateJobs } from "../messages/message-rules.ts";
import type { Store } from "../store/store.ts";
import { otherMethods } from "./not-found.ts";
import { pathPlugin } from "./routes.ts";

interface HealthDeps {
  store: Store;
  catalogHash: () => string;
  now: () => Temporal.Instant;
  jobs: JobsHealth;
  /** What the owner should look at, besides late messages. */
  warnings?: () => readonly string[];
  isStopping?: (() => boolean) | undefined;
  /** A monotonic clock, milliseconds. */
  clock?: () => number;
  /** Gets the reason why the store cannot be written. The public answer does not show the reason. */
  log: Logger;
}

/** Anybody may ask, and each check writes to the disk; `/readyz` must still tell within a second that the database is away. */
const REUSE_MS = 400;
/** How long the check waits for the jobs, which it reads once the store has answered. */
const PATIENCE_MS = 600;

/** A good answer is reused for this many times the length of its check, so checks take at most a tenth of the time. */
const REUSE_FACTOR = 9;

const STOPPING = { status: 503, body: { status: "stopping" } };

interface JobsHealth {
  kinds: () => readonly JobKind[];
  /** Names of the ways of sending that have no settings. */
  off: readonly string[];
  /** A warning is given once the oldest unsent job is this many minutes late. */
  overdueAfterMinutes: () => number;
}

/**
 * `/livez`: the process serves. `/readyz`: the store can be written, and the server is not about to stop. Late messages are a warning only (contract 10), because
 * one address that refuses mail for days must not take a server out of service. A job whose way of sending is off does not
 * count, because it waits for the owner.
 */
export function healthPlugin({
  store,
  catalogHash,
  now,
  jobs,
  warnings = () => [],
  isStopping = () => false,
  log,
  clock = () => performance.now(),
}: HealthDeps) {
  let last: { reusedUntil: number; answer: Promise<{ status: number; body: object }> } | undefined;

  const check = async () => {
    const moment = now().epochMilliseconds;
    const checks = { store: "ok", catalog: `ok ${catalogHash().slice(0, 12)}` };
    try {
      await store.checkWritable();
      const kinds = jobs.kinds();
      const rule = { now: moment, afterMinutes: jobs.overdueAfterMinutes(), on: kinds };
      const asked = Promise.all([
        store.countDueJobs(kinds, moment),
        lateJobs(store, rule, 1),
        unansweredDeposits(store, moment),
      ]);
      // The database may go away after the check.
      const [{ count, oldestDueAt }, late, deposits] = await withTimeout(asked, PATIENCE_MS);
      const seconds = oldestDueAt === null ? 0 : Math.round((moment - oldestDueAt) / 1000);
      return {
        status: 200,
        body: {
          status: "ready",
          checks,
          warnings: [
            ...(late[0]
              ? [`${READY_WARNINGS.late} ${Math.round((moment - late[0].dueAt) / MINUTE_MS)} minutes late`]
              : []),
            ...(deposits.length > 0 ? [`${READY_WARNINGS.deposits} ${deposits.length}`] : []),
            ...warnings(),
          ],
          jobs: { due: count, oldest_due_seconds: seconds, off: jobs.off },
        },
      };
    } catch (error) {
      log.error({ err: error }, "not ready: the store cannot be written");
      return { status: 503, body: { status: "unready", checks: { ...checks, store: "cannot be written" } } };
    }
  };
  const ready = async () => {
    if (!last || clock() > last.reusedUntil) {
      const startedAt = clock();
      const answer = check();
      // All callers wait for one check, so that slow checks of a locked database do not pile up.
      last = { reusedUntil: Number.POSITIVE_INFINITY, answer };
      void answer.then(({ status }) => {
        const endedAt = clock();
        const reuseMs = status === 200 ? Math.max(REUSE_MS, REUSE_FACTOR * (endedAt - startedAt)) : REUSE_MS;
        last = { reusedUntil: endedAt + reuseMs, answer };
      });
    }
    return last.answer;
  };
  return pathPlugin()
    .onTransform(({ call }) => {
      call.isHealthPath = true;
    })
    .get("/livez", () => ({ status: "alive" }))
    .get("/readyz", async ({ set }) => {
      const { status, body } = isStopping() ? STOPPING : await ready();
      set.status = status;
      return body;
    })
    .use(otherMethods);
}

/** The warning that callers share the address of a proxy, as those with IPv6 do behind a port that Docker publishes. */
export function createSharingWarning(now: () => Temporal.Instant) {
  let notedAt = Number.NEGATIVE_INFINITY;
  return {
    /** For a caller whose proxy named no address outside the trusted ranges. */
    note(): void {
      notedAt = now().epochMilliseconds;
    },
    /** Given for an hour after such a caller. */
    warnings: (): string[] => (now().epochMilliseconds - notedAt <= HOUR_MS ? [READY_WARNINGS.sharing] : []),
  };
}
