/** The API on a real port. The catalog names that port as the site, so that clients can follow its addresses. */
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { parseNetworks } from "../../src/lib/network.ts";
import { createRateLimiter, type Limiter } from "../../src/limits/rate-limit.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { catalogWith, NOW } from "../helpers.ts";

export interface Listening extends AsyncDisposable {
  /** Without a slash at the end. */
  url: string;
  store: Store;
  setCatalog: (edits: Record<string, unknown>) => void;
}

interface ListenOptions {
  edits?: Record<string, unknown>;
  trusted?: string[];
  /** By default one on the real clock. */
  limiter?: Limiter;
  now?: Temporal.Instant;
}

export function listen(options: ListenOptions = {}): Listening {
  const store = openSqliteStore(":memory:");
  let catalog: Shop;
  const app = createApp({
    catalog: {
      get current() {
        return { catalog, hash: "0".repeat(64) };
      },
    },
    store,
    log: pino({ level: "silent" }),
    trusted: parseNetworks(options.trusted ?? []),
    now: () => options.now ?? NOW,
    limiter: options.limiter ?? createRateLimiter(),
    scratch: () => openSqliteStore(":memory:"),
  });
  const { server } = app.listen({ port: 0, hostname: "127.0.0.1" });
  const url = `http://127.0.0.1:${server?.port}`;
  const setCatalog = (edits: Record<string, unknown>) => {
    const site = { "site.url": url, "site.base_url": `${url}/api/v1`, "site.mcp_url": `${url}/mcp` };
    catalog = catalogWith({ ...site, ...options.edits, ...edits });
  };
  setCatalog({});
  return {
    url,
    store,
    setCatalog,
    [Symbol.asyncDispose]: async () => {
      await server?.stop(true);
      await store.close();
    },
  };
}
