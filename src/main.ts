/** The composition root: environment → catalog → store → app → listen; drains on SIGTERM. */
import { pino } from "pino";
import { createApp } from "./app.ts";
import { watchCatalog } from "./catalog/watch.ts";
import type { Env } from "./env.ts";
import { openSqliteStore } from "./store/sqlite.ts";

/** Requests that have not ended by then are cut off. */
const DRAIN_MS = 10_000;
/** Bun answers larger bodies with an empty 413 of its own; ours, at 64 KiB, comes first. */
const BUN_BODY_LIMIT = 1024 ** 3;

/**
 * Serves until SIGTERM or SIGINT, then resolves.
 * @throws CatalogError, or an error that says why it cannot listen or open its database
 */
export async function serve(env: Env): Promise<void> {
  // Standard error: standard output belongs to commands that print data.
  const log = pino({ level: env.logLevel, base: null }, pino.destination({ fd: 2, sync: true }));
  const watch = watchCatalog(env.catalog, {
    reloaded: ({ hash }) => log.info({ hash: hash.slice(0, 12) }, "catalog reloaded"),
    refused: (error) => log.error({ faults: error.faults }, "catalog refused; the last good one stays in force"),
  });
  const cleanUp: (() => unknown)[] = [watch.stop];
  try {
    const store = openSqliteStore(env.data);
    cleanUp.push(() => store.close());
    const app = createApp({ catalog: () => watch.current, store, log, trusted: env.trustedProxies });
    const server = Bun.serve({
      port: env.port,
      hostname: env.host,
      maxRequestBodySize: BUN_BODY_LIMIT,
      fetch: (request, server) => app(request, server.requestIP(request)?.address),
    });
    log.info(
      { url: server.url.href, catalog: env.catalog, data: env.data, shop: watch.current.catalog.business.name },
      "Tintdesk is listening",
    );
    log.info({ signal: await stopSignal() }, "draining");
    await Promise.race([server.stop(), Bun.sleep(DRAIN_MS)]);
    await server.stop(true);
    log.info("stopped");
  } finally {
    for (const step of cleanUp.reverse()) await step();
  }
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
}
