/** The composition root: environment → catalog → store → app → listen; drains on SIGTERM. */
import type { Logger } from "pino";
import { createApp } from "../app.ts";
import type { CatalogCache } from "../catalog/load/load.ts";
import { watchCatalog } from "../catalog/load/watch.ts";
import type { Listening } from "../env/settings.ts";
import { type Channels, lanes, unconfiguredChannels } from "../jobs/channels.ts";
import { createDeliver } from "../jobs/deliver.ts";
import { startRetention } from "../jobs/retention.ts";
import { textRules } from "../jobs/text-rules.ts";
import { startWorker } from "../jobs/worker.ts";
import { toE164, whyNoTexts } from "../lib/phone.ts";
import { databaseFile } from "../store/database.ts";
import { refuseDamaged } from "../store/inspect.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { listen } from "./listen.ts";
import { DRAIN_MS, drain, runProgram, stopSignal } from "./process.ts";

export interface ServerSettings extends Listening {
  /** The catalog file. */
  catalog: string;
  /** The folder of the database. */
  data: string;
  /** Where the executable keeps a parsed catalog. */
  cache: CatalogCache | null;
  channels: Channels;
  checkAnswers: boolean;
}

/**
 * Serves until SIGTERM or SIGINT, then resolves.
 * @throws CatalogError, or an error that says why it cannot listen or open its database
 */
export function serve(env: ServerSettings): Promise<void> {
  return runProgram(env.logLevel, (log) => runServer(env, log));
}

async function runServer(env: ServerSettings, log: Logger): Promise<void> {
  const watch = watchCatalog(
    env.catalog,
    {
      reloaded: ({ hash }) => log.info({ hash: hash.slice(0, 12) }, "catalog reloaded"),
      refused: (error) => log.error({ faults: error.faults }, "catalog refused; the last good one stays in force"),
    },
    env.cache,
  );
  const cleanUp: (() => unknown)[] = [watch.stop];
  try {
    const store = openSqliteStore(env.data, { writer: "thread" });
    cleanUp.push(() => store.close());
    refuseDamaged(databaseFile(env.data));
    // Fail at start if read-only, rather than refuse every booking.
    await store.checkWritable();
    await loadForBookings();
    const kinds = lanes(env.channels);
    const jobs = { kinds: kinds.flat(), off: unconfiguredChannels(env.channels) };
    const app = createApp({
      catalog: () => watch.current,
      store,
      log,
      trusted: env.trustedProxies,
      jobs,
      checkAnswers: env.checkAnswers,
    });
    const server = listen(app, { port: env.port, host: env.host, log });
    log.info(
      { url: server.url.href, catalog: env.catalog, data: env.data, shop: watch.current.catalog.business.name },
      "Tintdesk is listening",
    );
    if (jobs.off.length > 0) log.warn({ off: jobs.off }, "not configured; messages wait in the outbox");
    const deliver = createDeliver(env.channels, store, () => watch.current.catalog);
    const texts = (now: number) => textRules(watch.current.catalog, now);
    const workers = kinds.map((lane) => startWorker({ store, deliver, texts, kinds: lane, log }));
    const retention = startRetention({ store, catalog: () => watch.current.catalog, log });
    void loadTheRest(log);
    log.info({ signal: await stopSignal() }, "draining");
    await Promise.all([drain(server), retention.stop(), ...workers.map((worker) => worker.stop(DRAIN_MS))]);
    log.info("stopped");
  } finally {
    for (const step of cleanUp.reverse()) await step();
  }
}

/** Loads what a booking needs. Loaded only at the first booking, it would fail on a server that is out of file handles. */
async function loadForBookings(): Promise<void> {
  toE164("", "US");
  whyNoTexts("", []);
  await import("../jobs/plan.ts");
}

/** Loads what the first mail and the first message of MCP would otherwise wait for. The start does not wait for it. */
async function loadTheRest(log: Logger): Promise<void> {
  try {
    await import("nodemailer");
    await import("../agents/mcp-server.ts");
    await import("../http/streamable-http.ts");
  } catch (error) {
    log.warn({ err: error }, "a part could not be loaded; its first use tries again");
  }
}
