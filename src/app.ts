/** Builds the application, the same for server and tests. */
import { Elysia } from "elysia";
import type { Logger } from "pino";
import { A2A } from "./agents/a2a.ts";
import { AGENT_CARDS } from "./agents/agent-card.ts";
import { MCP, SERVER_CARDS } from "./agents/mcp.ts";
import { createDiary } from "./capabilities/core/diary.ts";
import { createSigningSecret } from "./capabilities/core/signing-secret.ts";
import { CAPABILITIES } from "./capabilities/index.ts";
import { BOOK_PATH } from "./catalog/page-addresses.ts";
import type { JobKind } from "./constants.ts";
import { createExamples, NO_EXAMPLES } from "./discovery/openapi/examples.ts";
import { cachedKeys } from "./http/caller.ts";
import { capabilityPlugin } from "./http/capabilities.ts";
import { calendarPlugin, createOpenApi, documentPlugin, homePlugin } from "./http/documents.ts";
import { createSharingWarning, healthPlugin } from "./http/health.ts";
import { notFoundPlugin } from "./http/not-found.ts";
import { asPage, pagesPlugin } from "./http/pages.ts";
import { overA2a, overStreamableHttp, protocolPlugin } from "./http/protocols.ts";
import { requestPlugin, withPlainUrl } from "./http/request.ts";
import type { RequestDeps } from "./http/request-context.ts";
import { type Networks, parseNetworks } from "./lib/network.ts";
import { createRateLimiter, type Limiter } from "./limits/rate-limit.ts";
import { BOOK_PAGES, refusalPage } from "./pages/book/pages.ts";
import { documents, HOME } from "./pages/documents.ts";
import type { Payments } from "./payments/stripe.ts";
import type { Store } from "./store/store.ts";

interface AppDeps {
  /** The catalog in force. */
  catalog: RequestDeps["catalog"];
  store: Store;
  /** Takes deposits; without it none are asked for. */
  payments?: Payments | null | undefined;
  log: Logger;
  trusted?: Networks;
  now?: () => Temporal.Instant;
  limiter?: Limiter;
  /** Compare every answer with the schema of its capability. Switched on in tests only, because it takes time. */
  checkAnswers?: boolean;
  /** An empty database, for the examples in the OpenAPI document and the docs. */
  scratch?: () => Store;
  /** What the owner should look at, besides late messages. */
  warnings?: () => readonly string[];
  /** Whether the server is about to stop, so that a proxy sends new requests to another one. */
  isStopping?: () => boolean;
  /** Called after every answer, to count it in the metrics. */
  observe?: RequestDeps["observe"];
  /** Which kinds of jobs can go out, and which ways of sending are off; by default none can. */
  jobs?: { kinds: () => readonly JobKind[]; off: readonly string[] };
  /** The folder of the catalog's file, with the pictures that it names. */
  folder?: string | undefined;
  /** The address of the other end of the connection; by default the server is asked. */
  peerOf?: RequestDeps["peerOf"];
}

export function createApp({
  catalog,
  store,
  payments,
  log,
  trusted = parseNetworks([]),
  now = Temporal.Now.instant,
  limiter = createRateLimiter(),
  jobs = { kinds: () => [], off: [] },
  checkAnswers = false,
  scratch,
  observe,
  warnings = () => [],
  isStopping,
  folder,
  peerOf,
}: AppDeps) {
  const examples = scratch ? createExamples(scratch) : async () => NO_EXAMPLES;
  /** Loaded for the first document. */
  const description = () => import("./discovery/openapi/document.ts");
  const openApi = createOpenApi(
    async (catalog, now) => (await description()).openApi(catalog, now, await examples(catalog, now)),
    async (document) => (await description()).forTools(JSON.parse(document)),
  );
  const sharing = createSharingWarning(now);
  const deps: RequestDeps = {
    catalog,
    store,
    findKey: cachedKeys(store),
    diary: createDiary(store),
    signing: createSigningSecret(store),
    payments,
    now,
    limiter,
    trusted,
    log,
    peerOf,
    checkAnswers,
    observe,
    noteSharing: sharing.note,
    folder,
    noPage: asPage(refusalPage),
  };
  // `wrap` is marked private, but it alone covers both `handle`, which tests call, and `listen`.
  return new Elysia(OPTIONS)
    .wrap(withPlainUrl)
    .use(requestPlugin(deps))
    .use(
      healthPlugin({
        store,
        catalogHash: () => catalog.current.hash,
        now,
        jobs: { ...jobs, overdueAfterMinutes: () => catalog.current.catalog.messages.stuck_after_minutes },
        warnings: () => [...warnings(), ...sharing.warnings()],
        isStopping,
        log,
      }),
    )
    .use(homePlugin(BOOK_PATH, HOME.manifest, HOME.text))
    .use(pagesPlugin(BOOK_PAGES, refusalPage))
    .use(documentPlugin([...documents(examples), ...AGENT_CARDS, ...SERVER_CARDS], openApi.detailOf))
    .use(openApi.plugin)
    .use(calendarPlugin(store, async () => (await import("./pages/calendar-feed.ts")).calendarFeed))
    .use(protocolPlugin(overStreamableHttp(MCP, async () => (await import("./agents/mcp-server.ts")).createMcpServer)))
    .use(protocolPlugin(overA2a(A2A)))
    .use(CAPABILITIES.map((capability) => capabilityPlugin(capability, openApi.detailOf)))
    .use(notFoundPlugin);
}

const OPTIONS = {
  // Elysia would look for the path behind the 11th character, which is too far for a short host name.
  handler: { standardHostname: false },
  // Elysia would give Bun's own router the handlers of `all` without any hook.
  systemRouter: false,
};
