/** The composition root: environment → catalog → store → app → listen; drains on SIGTERM. */
import { dirname } from "node:path";
import type { Logger } from "pino";
import { createApp } from "../app.ts";
import { watchCatalog } from "../catalog/load/watch.ts";
import type { CatalogSource } from "../catalog/source.ts";
import type { readServer } from "../env/env.ts";
import type { SharedLimits } from "../limits/valkey/share.ts";
import { lanes, unconfiguredChannels, unreached } from "../messages/channels.ts";
import { stripePayments } from "../payments/stripe.ts";
import { type DataLocation, redacted, shownLocation } from "../store/location/location.ts";
import { openStore } from "../store/location/open.ts";
import { databaseFile } from "../store/sqlite/database.ts";
import { refuseDamaged } from "../store/sqlite/inspect.ts";
import { lastBackupAt } from "../store/sqlite/restore.ts";
import { openSqliteStore } from "../store/sqlite/sqlite.ts";
import type { Store } from "../store/store.ts";
import { watchBackups } from "./background.ts";
import { announceServer, serverOptions, startMetrics } from "./listen.ts";
import { catalogReports, drain, type ReadableLog, runProgram, stopSignal } from "./process.ts";

/** Longer than a proxy takes to ask again: Caddy up to 2.11.1 answers 502 to a body that meets a closed port. */
const NOTICE_MS = 2_000;

interface ServerSettings extends ReturnType<typeof readServer> {
  catalog: CatalogSource;
  data: DataLocation;
}

/** Until SIGTERM or SIGINT. Throws CatalogError, or why it cannot listen or open its database. */
export function serve(env: ServerSettings, readable?: (write: (text: string) => void) => ReadableLog): Promise<void> {
  return runProgram(env.logLevel, (log, droppedLines) => runServer(env, log, droppedLines), readable);
}

async function runServer(env: ServerSettings, log: Logger, droppedLines: () => number): Promise<void> {
  const kinds = () => lanes(env.channels, () => watch.current.catalog).flatMap((lane) => [...lane()]);
  const { data } = env;
  const lastAt = data.kind === "folder" ? () => lastBackupAt(data.folder) : null;
  const metrics =
    env.metrics &&
    (await import("./metrics.ts")).createMetrics({
      catalog: () => watch.current,
      kinds,
      channels: env.channels,
      droppedLines,
      lastBackupAt: lastAt,
    });
  const watch = watchCatalog(env.catalog, catalogReports(log, metrics?.catalogRefused));
  const cleanUp: (() => unknown)[] = [watch.stop];
  try {
    const listening = Promise.withResolvers<void>();
    // The thread loads code of its own and would slow the start down.
    const opened = await openStore(env.data, {
      isServer: true,
      threadAfter: listening.promise,
      onCommit: metrics?.commit,
      onUpgrade: (upgrade) =>
        log.warn(upgrade, "the database was brought to the version of this program; a copy is kept"),
    });
    cleanUp.push(() => opened.close());
    const store = metrics?.counting(opened) ?? opened;
    if (env.data.kind === "folder") refuseDamaged(databaseFile(env.data.folder));
    // Fail at start if read-only, rather than refuse every booking.
    await store.checkWritable();
    const limits = env.limits === null ? undefined : await share(env.limits, store, log, metrics?.limitsLocal);
    if (limits) cleanUp.push(limits.close);
    const jobs = { kinds, off: unconfiguredChannels(env.channels) };
    const backups = lastAt && watchBackups({ lastAt, log });
    if (backups) cleanUp.push(backups.stop);
    const nobody = () => unreached(watch.current.catalog, env.channels).filter(({ isNobody }) => isNobody);
    const warnings = () => [...(backups?.warnings() ?? []), ...nobody().map(({ message }) => message)];
    let isStopping = false;
    const payments = env.payments && stripePayments(env.payments);
    const app = createApp({
      catalog: watch,
      store,
      payments,
      log,
      trusted: env.trustedProxies,
      limiter: limits?.limiter,
      jobs,
      observe: metrics?.request,
      warnings,
      isStopping: () => isStopping,
      checkAnswers: env.checkAnswers,
      folder: env.catalog.file === null ? undefined : dirname(env.catalog.file),
      scratch: () => openSqliteStore(":memory:"),
    });
    // Before the API listens and messages go out, so that a busy port ends the start.
    if (env.metrics && metrics) cleanUp.push(startMetrics(env.metrics, () => metrics.text(opened), log));
    const { server } = app.listen(serverOptions({ port: env.port, host: env.host, log }));
    if (!server) throw new Error("the server did not start");
    const { port = env.port } = server;
    if (env.catalog.address) env.catalog.address.port = port;
    if (data.kind === "folder") cleanUp.push(announceServer(data.folder, { host: env.host, port, off: [...jobs.off] }));
    log.info(
      {
        url: server.url.href,
        catalog: env.catalog.read().name,
        data: shownLocation(env.data),
        shop: watch.current.catalog.business.name,
        timezone: watch.current.catalog.business.timezone,
      },
      "Tintdesk is listening",
    );
    if (jobs.off.length > 0) log.warn({ off: jobs.off }, "not configured; messages wait in the outbox");
    for (const { message } of nobody()) log.warn(`${message}; see tint doctor`);
    // Loaded in one step, before the first connection is accepted: the first booking could not load it on a server that is
    // out of file handles.
    const { startBackground }: typeof import("./background.ts") = require("./background.ts");
    const background = startBackground({
      channels: env.channels,
      payments,
      store,
      catalog: () => watch.current.catalog,
      log,
    });
    listening.resolve();
    const signal = await stopSignal();
    isStopping = true;
    if (data.kind === "url" && signal === "SIGTERM") {
      log.info({ signal }, "stopping; /readyz says so");
      await Bun.sleep(NOTICE_MS);
    }
    log.info({ signal }, "draining");
    await Promise.all([drain(server), background.stop()]);
    log.info("stopped");
  } finally {
    for (const step of cleanUp.reverse()) await step();
  }
}

/** Limits that this server has in common with the others on its database. @param url of Valkey or Redis */
async function share(url: string, store: Store, log: Logger, onLocal: SharedLimits["onLocal"]) {
  const { shareLimits } = await import("../limits/valkey/share.ts");
  return shareLimits({ url, secret: () => store.lockSecret(), log: log.child({ valkey: redacted(url) }), onLocal });
}
