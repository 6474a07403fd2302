/** A proxy, and servers to put behind it. */
import { pino } from "pino";
import { parseNetworks } from "../../src/lib/network.ts";
import { createProxy } from "../../src/programs/proxy.ts";

export const CLIENT = "203.0.113.5";
const silent = pino({ level: "silent" });

type Handler = (request: Request) => Response | Promise<Response>;

export function upstream(handler: Handler) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: handler });
  return { url: new URL(server.url), [Symbol.asyncDispose]: () => server.stop(true) };
}

/** A proxy that takes every client for one with the given address. */
export function proxyTo(
  url: URL | string,
  { timeoutMs = 5_000, from = CLIENT, trusted = [] as string[], log = silent } = {},
) {
  const forward = createProxy({ upstream: new URL(url), log, timeoutMs, trusted: parseNetworks(trusted) });
  const at = { port: 0, hostname: "127.0.0.1", idleTimeout: 0, development: false } as const;
  const server = Bun.serve({ ...at, fetch: (request) => forward(request, from) });
  return {
    port: server.port ?? 0,
    fetch: (path: string, init?: BunFetchRequestInit) =>
      fetch(new URL(path, server.url), { redirect: "manual", ...init }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Answers with what reached it. */
export const echo: Handler = async (request) => {
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  return Response.json({ method: request.method, url: pathname + search, headers, body: await request.text() });
};
