/** The composition root of `tint proxy`. */

import type { Listening } from "../env/settings.ts";
import { createProxy } from "../http/forward.ts";
import { createLog, drain, stopSignal } from "./process.ts";

/** A stream on which nothing has come for so long is given up; Bun counts in whole seconds, to 255 at most. */
const IDLE_SECONDS = 120;

export interface ProxySettings extends Omit<Listening, "trustedProxies"> {
  upstream: URL;
  /** How long the API may take until its answer begins. */
  timeoutMs?: number;
}

/** Forwards until SIGTERM or SIGINT, then lets what is in flight end. */
export async function serveProxy({ upstream, port, host, logLevel, timeoutMs }: ProxySettings): Promise<void> {
  const log = createLog(logLevel);
  const forward = createProxy({ upstream, log, ...(timeoutMs !== undefined && { timeoutMs }) });
  const server = Bun.serve({
    port,
    hostname: host,
    idleTimeout: IDLE_SECONDS,
    // The API has its own limit, and its own words for it.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Without these a fault shows Bun's page with source lines, and a second server shares the port in silence.
    development: false,
    reusePort: false,
    fetch: (request, server) => forward(request, server.requestIP(request)?.address),
  });
  log.info({ url: server.url.href, upstream: upstream.origin }, "the proxy is listening");
  log.info({ signal: await stopSignal() }, "draining");
  await drain(server);
  log.info("stopped");
}
