/** Metrics for Prometheus. Loaded only where a listener for them is set, because they cost time on every request. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { LoadedCatalog } from "../catalog/load/load.ts";
import type { JobKind } from "../constants.ts";
import { ERRORS } from "../errors.ts";
import { methodName } from "../http/request.ts";
import type { RequestContext } from "../http/request-context.ts";
import { DAY_MS } from "../lib/durations.ts";
import { VERSION } from "../lib/version.ts";
import { type Channels, withoutChannel } from "../messages/channels.ts";
import { heldMessages, lateJobs } from "../messages/message-rules.ts";
import type { Store } from "../store/store.ts";

interface MetricsOptions {
  catalog: () => LoadedCatalog;
  kinds: () => readonly JobKind[];
  channels: Channels;
  droppedLines: () => number;
  /** When the last nightly backup was made; null with PostgreSQL, where the server does not know. */
  lastBackupAt?: (() => number | null) | null;
}

const NO_AGENT = "none";
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics({ catalog, kinds, channels, droppedLines, lastBackupAt }: MetricsOptions) {
  const registers = [new Registry()];
  const [registry] = registers;
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `tintdesk_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `tintdesk_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
    new Histogram({ name: `tintdesk_${name}`, help, buckets, labelNames, registers });

  const requests = counter("requests_total", "Requests by route, method and status.", ["route", "method", "status"]);
  const refusals = counter("errors_total", "Refused and failed requests by error code.", ["code"]);
  const latency = histogram("request_seconds", "Time to an answer.", SECONDS, ["route"]);
  const estimates = counter("estimates_total", "Estimates given, by agent class.", ["agent_class"]);
  const bookings = counter("bookings_total", "Bookings made, by agent class.", ["agent_class"]);
  const commits = histogram("commit_seconds", "Time of a transaction, with the flush to the disk.", SECONDS);
  const commitWrites = histogram("commit_writes", "Writes that shared a transaction.", [1, 2, 5, 10, 20, 50, 100]);
  const jobsDue = gauge("jobs_due", "Messages that should have gone out.");
  const jobsLate = gauge("jobs_late", "Messages late by more than messages.stuck_after_minutes, counted up to 1,000.");
  const textsSent = gauge("texts_last_day", "Texts of the last day, by what became of them.", ["state"]);
  const held = gauge(
    "messages_held",
    "Messages that wait because a limit is reached (why limit), or because their way of sending is off (why no_channel).",
    ["what", "why"],
  );
  const jobAge = gauge("jobs_oldest_due_seconds", "How late the oldest of them is.");
  const clockAhead = gauge("clock_ahead_seconds", "How far this machine's clock is ahead of the database's.");
  const storeUp = gauge("store_up", "1 while the database can be read.");
  const refused = gauge("catalog_refused", "1 while the catalog's file has faults and an older one is in force.");
  const local = gauge("limits_apart", "1 while each server counts limits by itself, because Valkey cannot be used.");
  const reviewed = gauge("catalog_info", "The current catalog.", ["hash", "reviewed_on"]);
  const dropped = gauge(
    "log_lines_dropped",
    "Log lines dropped since the start, because the log could not be written.",
  );
  const backup =
    lastBackupAt &&
    gauge(
      "last_backup_timestamp_seconds",
      "When the last nightly backup was made, since the epoch; 0 before the first.",
    );
  const memory = gauge("resident_memory_bytes", "Memory of the process.");
  gauge("start_time_seconds", "When the process started, since the epoch.").set(Date.now() / 1000 - process.uptime());
  gauge("build_info", "The version of the program.", ["version"]).set({ version: VERSION }, 1);
  refused.set(0);
  bookings.inc({ agent_class: NO_AGENT }, 0);
  estimates.inc({ agent_class: NO_AGENT }, 0);

  return {
    request({ route, request, caller, capability, failure, startedAt, status }: RequestContext) {
      requests.inc({ route, method: methodName(request), status });
      latency.observe({ route }, (performance.now() - startedAt) / 1000);
      if (failure) refusals.inc({ code: failure.code });
      else if (status === ERRORS.RATE_LIMITED.status) refusals.inc({ code: "RATE_LIMITED" });
      else if (status === 200 && (capability?.id === "automotive_estimate" || capability?.id === "flat_glass_estimate"))
        estimates.inc({ agent_class: caller.agentClass ?? NO_AGENT });
    },
    /** A transaction ended. @param ms how long it took @param writes how many writes shared it */
    commit(ms: number, writes: number) {
      commits.observe(ms / 1000);
      commitWrites.observe(writes);
    },
    catalogRefused: (isRefused: boolean) => refused.set(isRefused ? 1 : 0),
    /** Whether this server counts limits by itself, because Valkey cannot be used. */
    limitsLocal: (isLocal: boolean) => local.set(isLocal ? 1 : 0),
    /** The same store, whose bookings are counted. */
    counting: (store: Store): Store => ({
      ...store,
      async book(booking, ...rest) {
        const outcome = await store.book(booking, ...rest);
        if (outcome.kind === "booked") bookings.inc({ agent_class: booking.lead.agentClass ?? NO_AGENT });
        return outcome;
      },
    }),
    /** The text for Prometheus. @param store where the jobs wait */
    async text(store: Store) {
      const at = Date.now();
      const { hash, catalog: current } = catalog();
      try {
        const { count, oldestDueAt } = await store.countDueJobs(kinds(), at);
        const afterMinutes = current.messages.stuck_after_minutes;
        held.reset();
        for (const { what, count: waiting } of await heldMessages(store)) held.set({ what, why: "limit" }, waiting);
        for (const { what, count: waiting } of await withoutChannel(store, current, channels, at))
          held.set({ what, why: "no_channel" }, waiting);
        const statuses = await store.countTextsByStatus(at - DAY_MS);
        for (const [state, texts] of Object.entries(statuses)) textsSent.set({ state }, texts);
        jobsLate.set((await lateJobs(store, { now: at, afterMinutes, on: kinds() })).length);
        jobsDue.set(count);
        jobAge.set(oldestDueAt === null ? 0 : Math.max(0, at - oldestDueAt) / 1000);
        clockAhead.set((await store.clockAhead()) / 1000);
        storeUp.set(1);
      } catch {
        storeUp.set(0);
      }
      reviewed.reset();
      reviewed.set({ hash: hash.slice(0, 12), reviewed_on: String(current.reviewed_on) }, 1);
      if (lastBackupAt) backup?.set((lastBackupAt() ?? 0) / 1000);
      dropped.set(droppedLines());
      memory.set(process.memoryUsage.rss());
      return (await registry?.metrics()) ?? "";
    },
  };
}
