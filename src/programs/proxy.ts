/** The composition root of `tint proxy`. */
import type { Logger } from "pino";
import type { Listening } from "../env/settings.ts";
import { createProxy } from "./forward.ts";
import { serverOptions } from "./listen.ts";
import { drain, runProgram, stopSignal } from "./process.ts";

/** A stream on which nothing came for this long is given up. */
const IDLE_SECONDS = 120;

export interface ProxySettings extends Listening {
  /** http or https, without user, query and fragment. */
  upstream: URL;
  /** How long the API may take until its answer begins. */
  timeoutMs?: number;
}

/** Forwards until SIGTERM or SIGINT, then lets requests in flight end. */
export function serveProxy(settings: ProxySettings): Promise<void> {
  return runProgram(settings.logLevel, (log) => runProxy(settings, log));
}

async function runProxy(
  { upstream, port, host, trustedProxies: trusted, timeoutMs }: ProxySettings,
  log: Logger,
): Promise<void> {
  const forward = createProxy({ upstream, log, trusted, ...(timeoutMs !== undefined && { timeoutMs }) });
  const server = Bun.serve({
    ...serverOptions({ port, host, log, idleSeconds: IDLE_SECONDS }),
    fetch: (request, server) => forward(request, server.requestIP(request)?.address),
  });
  log.info({ url: server.url.href, upstream: upstream.origin + upstream.pathname }, "the proxy is listening");
  log.info({ signal: await stopSignal() }, "draining");
  await drain(server);
  log.info("stopped");
}
