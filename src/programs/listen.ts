/** Listening: on the address of a server, of its metrics, and what it leaves in the data folder so that commands find it. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { z } from "zod";
import { ApiError } from "../errors.ts";
import { plainErrorBody } from "../http/errors.ts";
import { replacePrivately } from "../lib/files.ts";
import { newRequestId } from "../lib/ids.ts";

interface ListenOptions {
  port: number;
  host: string;
  log: Logger;
  /** Whole seconds, 255 at most; Bun's default is 10. */
  idleSeconds?: number;
}

/** The settings of an HTTP server on one port. It throws when it cannot listen there. */
export function serverOptions({ port, host, log, idleSeconds = 10 }: ListenOptions) {
  return {
    port,
    hostname: host,
    idleTimeout: idleSeconds,
    // Bun answers larger bodies with an empty 413; the API has its own limit of 64 KiB, and says so in its error shape.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Otherwise an error shows Bun's page with source lines, and a second server silently shares the port.
    development: false,
    reusePort: false,
    error(error: Error & { code?: string }) {
      const requestId = newRequestId();
      // The message and the stack are not logged, because they may quote a caller.
      log.error({ requestId, code: error.code ?? error.name }, "a request failed unexpectedly");
      const body = plainErrorBody(new ApiError("INTERNAL_ERROR", "Something went wrong on our side."), requestId);
      return Response.json(body, { status: 500, headers: { "X-Request-Id": requestId, "Cache-Control": "no-store" } });
    },
  };
}

/** Nothing can listen where `TINT_METRICS` says. `cause` is the system's error. */
export class NoMetricsListener extends Error {
  override readonly name = "NoMetricsListener";
  readonly host: string;
  readonly port: number;
  constructor({ host, port }: { host: string; port: number }, cause: unknown) {
    super(`figures cannot be shown on ${host}:${port}`, { cause });
    this.host = host;
    this.port = port;
  }
}

/** Prometheus's listener, apart from the API. Returns what ends it. Throws NoMetricsListener. */
export function startMetrics(
  at: { host: string; port: number },
  text: () => Promise<string>,
  log: Logger,
): () => Promise<void> {
  const { host: hostname, port } = at;
  let server: Bun.Server<undefined>;
  try {
    server = Bun.serve({
      hostname,
      port,
      development: false,
      reusePort: false,
      async fetch({ method, url }) {
        if (new URL(url).pathname !== "/metrics") return new Response("Figures are at /metrics.\n", { status: 404 });
        if (method !== "GET") return new Response(null, { status: 405, headers: { Allow: "GET" } });
        return new Response(await text(), { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
      },
    });
  } catch (error) {
    throw new NoMetricsListener(at, error);
  }
  log.info({ url: new URL("/metrics", server.url).href }, "figures for Prometheus");
  return () => server.stop(true);
}

const RUNNING = z.object({
  host: z.string(),
  port: z.number().int().min(1).max(65_535),
  pid: z.number().int(),
  /** The ways of sending that have no settings in the server. */
  off: z.array(z.string()),
});
type RunningServer = z.output<typeof RUNNING>;

function fileIn(folder: string): string {
  return join(folder, "server.json");
}

/** Says where this server listens. A folder that takes no file stops no server. @returns a function that takes it back */
export function announceServer(folder: string, { host, port, off }: Omit<RunningServer, "pid">): () => void {
  const file = fileIn(folder);
  const { pid } = process;
  try {
    replacePrivately(file, `${JSON.stringify({ host, port, pid, off })}\n`);
  } catch {
    return () => {};
  }
  return () => {
    // A later server on the same folder has put its own there.
    if (runningServer(folder)?.pid === pid) rmSync(file, { force: true });
  };
}

/** The server that was announced last; it may have been killed since, and then nothing answers there. */
export function runningServer(folder: string): RunningServer | null {
  try {
    return RUNNING.parse(JSON.parse(readFileSync(fileIn(folder), "utf8")));
  } catch {
    return null;
  }
}
