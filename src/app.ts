/** Puts the parts together: a function from request to response. The server and the tests use the same one. */
import type { Logger } from "pino";
import { A2A } from "./agents/a2a.ts";
import { AGENT_CARDS } from "./agents/agent-card.ts";
import { createMcpServer, MCP } from "./agents/mcp.ts";
import type { LoadedCatalog } from "./catalog/load/load.ts";
import { openApi } from "./discovery/openapi/document.ts";
import { createGateway, type Gateway } from "./http/gateway.ts";
import { createHealth } from "./http/health.ts";
import { jsonEndpoint, mcpEndpoint } from "./http/protocols.ts";
import { createRateLimiter, type RateLimiter } from "./http/rate-limit.ts";
import { createRoutes } from "./http/routes.ts";
import type { Network } from "./lib/network.ts";
import { DOCUMENTS } from "./pages/documents.ts";
import type { Store } from "./store/store.ts";
import type { JobKind } from "./vocabulary.ts";

export interface AppDeps {
  /** The catalog in force. */
  catalog: () => LoadedCatalog;
  store: Store;
  log: Logger;
  trusted?: readonly Network[];
  now?: () => Temporal.Instant;
  limiter?: RateLimiter;
  /** What of the jobs can go out; nothing, unless said. */
  jobs?: { kinds: readonly JobKind[]; off: readonly string[] };
}

export function createApp({
  catalog,
  store,
  log,
  trusted = [],
  now = Temporal.Now.instant,
  limiter = createRateLimiter(),
  jobs = { kinds: [], off: [] },
}: AppDeps): Gateway {
  return createGateway({
    catalog: () => catalog().catalog,
    store,
    now,
    limiter,
    routes: createRoutes([...DOCUMENTS, ...AGENT_CARDS], openApi, [
      mcpEndpoint(MCP, createMcpServer),
      jsonEndpoint(A2A),
    ]),
    health: createHealth({
      store,
      catalogHash: () => catalog().hash,
      now,
      jobs: { ...jobs, stuckAfterMinutes: () => catalog().catalog.messages.stuck_after_minutes },
      log,
    }),
    trusted,
    log,
  });
}
