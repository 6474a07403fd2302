import type { Logger } from "pino";

/**
 * The listener of `/metrics`, apart from the API.
 * @param text for Prometheus
 * @returns ends it
 * @throws when it cannot listen there
 */
export function startMetrics(
  { host, port }: { host: string; port: number },
  text: () => Promise<string>,
  log: Logger,
): () => Promise<void> {
  const server = Bun.serve({
    hostname: host,
    port,
    development: false,
    reusePort: false,
    async fetch({ method, url }) {
      if (new URL(url).pathname !== "/metrics") return new Response("Figures are at /metrics.\n", { status: 404 });
      if (method !== "GET") return new Response(null, { status: 405, headers: { Allow: "GET" } });
      return new Response(await text(), { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
    },
  });
  log.info({ url: new URL("/metrics", server.url).href }, "figures for Prometheus");
  return () => server.stop(true);
}
