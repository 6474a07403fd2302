/** The composition root of `tint proxy`. */
import type { Listening } from "../env/settings.ts";
import { createProxy } from "../http/forward.ts";
import { listen } from "./listen.ts";
import { createLog, drain, stopSignal } from "./process.ts";

/** A stream on which nothing came for this long is given up. */
const IDLE_SECONDS = 120;

export interface ProxySettings extends Listening {
  /** http or https, without user, query and fragment. */
  upstream: URL;
  /** How long the API may take until its answer begins. */
  timeoutMs?: number;
}

/** Forwards until SIGTERM or SIGINT, then lets requests in flight end. */
export async function serveProxy(settings: ProxySettings): Promise<void> {
  const { upstream, port, host, trustedProxies: trusted, logLevel, timeoutMs } = settings;
  const log = createLog(logLevel);
  const forward = createProxy({ upstream, log, trusted, ...(timeoutMs !== undefined && { timeoutMs }) });
  const server = listen(forward, { port, host, log, idleSeconds: IDLE_SECONDS });
  log.info({ url: server.url.href, upstream: upstream.origin + upstream.pathname }, "the proxy is listening");
  log.info({ signal: await stopSignal() }, "draining");
  await drain(server);
  log.info("stopped");
}
