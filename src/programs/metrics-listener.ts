import type { Logger } from "pino";

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

/**
 * The listener of `/metrics`, apart from the API.
 * @param text for Prometheus
 * @returns ends it
 * @throws NoMetricsListener
 */
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
