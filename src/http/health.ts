import type { Store } from "../store/store.ts";

export interface Health {
  /** By path. */
  checks: ReadonlyMap<string, () => Promise<Response>>;
}

/** A readiness answer is reused this long, so that a poller cannot wear the disk. */
const REUSE_MS = 1_000;

/**
 * `/livez`: the process serves. `/readyz`: it can also do its work, that is, write to the store. Waiting jobs are
 * reported but do not make the service unready: it goes on taking bookings while messages wait.
 */
export function createHealth({
  store,
  catalogHash,
  now,
}: {
  store: Store;
  catalogHash: () => string;
  now: () => Temporal.Instant;
}): Health {
  let last: { at: number; answer: Promise<{ status: number; body: object }> } | undefined;

  const check = async () => {
    const checks = { store: "ok", catalog: catalogHash().slice(0, 12) };
    try {
      await store.checkWritable();
      const { count, oldestDueAt } = await store.countWaitingJobs();
      const age = oldestDueAt === null ? 0 : Math.max(0, Math.round((now().epochMilliseconds - oldestDueAt) / 1000));
      return { status: 200, body: { status: "ready", checks, jobs: { waiting: count, oldest_due_seconds: age } } };
    } catch {
      return { status: 503, body: { status: "unready", checks: { ...checks, store: "cannot be written" } } };
    }
  };
  const ready = async () => {
    if (!last || performance.now() - last.at > REUSE_MS) last = { at: performance.now(), answer: check() };
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
