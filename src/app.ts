/** Builds the application: a function from request to response, the same for server and tests. */
import type { Logger } from "pino";
import { A2A } from "./agents/a2a.ts";
import { AGENT_CARDS } from "./agents/agent-card.ts";
import { MCP } from "./agents/mcp.ts";
import { SERVER_CARDS } from "./agents/server-card.ts";
import { createDiary } from "./capabilities/core/diary.ts";
import { createPriceLocks } from "./capabilities/core/price-locks.ts";
import { CAPABILITIES } from "./capabilities/index.ts";
import type { LoadedCatalog } from "./catalog/load/load.ts";
import { createExamples, NO_EXAMPLES } from "./discovery/openapi/examples.ts";
import { calendarEndpoint } from "./http/calendar.ts";
import { capabilityEndpoints, documentEndpoint, protocolEndpoint, sourceEndpoint } from "./http/endpoints.ts";
import { createGateway, type Gateway, type GatewayDeps } from "./http/gateway.ts";
import { healthEndpoints } from "./http/health.ts";
import { homeEndpoint } from "./http/home.ts";
import { rememberingKeys } from "./http/known-keys.ts";
import { pageEndpoints } from "./http/pages.ts";
import { overJson, overStreamableHttp } from "./http/protocols.ts";
import { createRoutes } from "./http/routes.ts";
import { byProfile, createOpenApiSource } from "./http/swagger.ts";
import { type Networks, parseNetworks } from "./lib/network.ts";
import type { Limiter } from "./limits/limiter.ts";
import { createRateLimiter } from "./limits/rate-limit.ts";
import { BOOK_PAGES, refusalPage } from "./pages/book/pages.ts";
import { BOOK_PATH } from "./pages/book/shell/paths.ts";
import { documents, HOME } from "./pages/documents.ts";
import type { Store } from "./store/store.ts";
import { API_PREFIX, type JobKind } from "./vocabulary.ts";

export interface AppDeps {
  /** The catalog in force. */
  catalog: () => LoadedCatalog;
  store: Store;
  log: Logger;
  trusted?: Networks;
  now?: () => Temporal.Instant;
  limiter?: Limiter;
  /** Compare every answer with the schema of its capability. Switched on in tests only, because it takes time. */
  checkAnswers?: boolean;
  /** An empty database, for the examples in the OpenAPI document and the docs. */
  scratch?: () => Store;
  /** Told of every answer, where figures are collected. */
  observe?: GatewayDeps["observe"];
  /** Which kinds of jobs can go out, and which ways of sending are off; by default none can. */
  jobs?: { kinds: readonly JobKind[]; off: readonly string[] };
}

/** Loaded for the first document. */
const openApi = () => import("./discovery/openapi/document.ts");

export function createApp({
  catalog,
  store,
  log,
  trusted = parseNetworks([]),
  now = Temporal.Now.instant,
  limiter = createRateLimiter(),
  jobs = { kinds: [], off: [] },
  checkAnswers = false,
  scratch,
  observe,
}: AppDeps): Gateway {
  const examples = scratch ? createExamples(scratch) : async () => NO_EXAMPLES;
  const source = byProfile(
    createOpenApiSource(async (catalog, at) => (await openApi()).openApi(catalog, at, await examples(catalog, at))),
    createOpenApiSource(async (catalog, at) => {
      const { forTools } = await import("./discovery/openapi/for-tools.ts");
      return forTools((await openApi()).openApi(catalog, at));
    }),
  );
  const stuckAfterMinutes = () => catalog().catalog.messages.stuck_after_minutes;
  const routes = createRoutes([
    homeEndpoint(BOOK_PATH, HOME.manifest, HOME.text),
    ...BOOK_PAGES.flatMap((page) => pageEndpoints(page, refusalPage)),
    ...healthEndpoints({ store, catalogHash: () => catalog().hash, now, jobs: { ...jobs, stuckAfterMinutes }, log }),
    ...CAPABILITIES.flatMap(capabilityEndpoints),
    ...[...documents(examples), ...AGENT_CARDS, ...SERVER_CARDS].map(documentEndpoint),
    calendarEndpoint(store, async () => (await import("./pages/calendar-feed.ts")).calendarFeed),
    sourceEndpoint(`${API_PREFIX}/openapi.json`, source),
    sourceEndpoint("/.well-known/openapi.json", source),
    protocolEndpoint(overStreamableHttp(MCP, async () => (await import("./agents/mcp-server.ts")).createMcpServer)),
    protocolEndpoint(overJson(A2A)),
  ]);
  return createGateway({
    catalog: () => catalog().catalog,
    store,
    findKey: rememberingKeys(store),
    diary: createDiary(store),
    locks: createPriceLocks(store),
    now,
    limiter,
    routes,
    trusted,
    log,
    checkAnswers,
    observe,
  });
}
