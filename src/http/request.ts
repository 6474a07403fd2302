/**
 * What all requests share, in Elysia's own hooks. Each request passes:
 *
 *   onRequest        opens the request context: id, catalog and time
 *   (onTransform)    the plugin of the path says what it is: call.capability, isPage, isHealthPath, refusal
 *   onBeforeHandle   names the caller, charges the general limit, refuses whom the shop shuts out
 *   (the handler)    a plugin of its own: capabilities, documents, protocols, pages, health
 *   onError          puts every failure into the one error shape
 *   mapResponse      sets the headers that depend on the outcome
 *   onAfterResponse  writes the log line and counts the request
 *
 * Register this plugin first: a hook that comes after a route does not see it.
 */
import { Elysia } from "elysia";
import { statusOf } from "../errors.ts";
import { newRequestId } from "../lib/ids.ts";
import { type Charge, type Granted, requireAllowed, tightest } from "../limits/limiter.ts";
import { checkCredentials, identifyCaller, NOBODY, refuseCaller } from "./caller.ts";
import { generalCharges, stackedCharges } from "./charges.ts";
import { COMMON_HEADERS, corsHeaders, limitHeaders, refuseOtherSites } from "./common-headers.ts";
import { explainFailure, headersOf, settleRefusal } from "./errors.ts";
import { markUsed } from "./key-cache.ts";
import { ANY_PATH, type RequestContext, type RequestDeps, withCall } from "./request-context.ts";
import { createRateLimitLog, logRequest } from "./request-log.ts";

export function requestPlugin(deps: RequestDeps) {
  const logRateLimit = createRateLimitLog(deps.log);
  return new Elysia({ name: "tintdesk/request" })
    .use(withCall)
    .headers(COMMON_HEADERS)
    .onRequest((context) => {
      context.call = open(context.request, deps);
      context.set.headers["X-Request-Id"] = context.call.requestId;
    })
    .onBeforeHandle({ as: "global" }, async ({ call, request, server, route }) => {
      await admit(call, route, deps.peerOf(originals.get(request) ?? request, server));
    })
    .onError({ as: "global" }, async ({ call, error, set }) => {
      const { failure, body } = explainFailure(call, error);
      await settleRefusal(call, failure);
      set.status = statusOf(failure);
      Object.assign(set.headers, headersOf(failure));
      return call.refusal ? call.refusal(body, call, set) : body;
    })
    .mapResponse({ as: "global" }, ({ call, responseValue, set }) => {
      call.status = responseValue instanceof Response ? responseValue.status : Number(set.status);
      const limits = [...call.granted.flatMap(({ states }) => states), ...call.limits];
      Object.assign(set.headers, limitHeaders(tightest(limits), call.catalog), corsHeaders(call, set.headers.Vary));
    })
    .onAfterResponse({ as: "global" }, ({ call, route }) => {
      call.route = patternOf(route);
      if (call.failure?.code === "RATE_LIMITED") logRateLimit(call.caller);
      else logRequest(call);
      deps.observe?.(call);
    });
}

function open(request: Request, deps: RequestDeps): RequestContext {
  const catalog = deps.catalog();
  return {
    deps,
    request,
    requestId: newRequestId(),
    startedAt: performance.now(),
    catalog,
    now: deps.now(),
    caller: NOBODY,
    capability: undefined,
    refusal: undefined,
    isHealthPath: false,
    isPage: false,
    granted: [],
    limits: [],
    did: undefined,
    failure: undefined,
    status: 0,
    route: "",
  };
}

/**
 * Names the caller, and charges the request to the caller's general limit. Health checks and preflights are free.
 * @throws ApiError RATE_LIMITED, or the reason why the caller is shut out
 */
async function admit(call: RequestContext, route: string, peer: string | undefined): Promise<void> {
  const { deps, request, catalog } = call;
  const credentials = await checkCredentials(request.headers, {
    findKey: deps.findKey,
    takesKey: call.capability !== undefined,
    catalog,
    now: call.now,
  });
  call.caller = identifyCaller(request, peer, credentials, { catalog, trusted: deps.trusted });
  const charges = generalCharges(call.caller, catalog, call.isPage);
  if (call.caller.sharesProxyAddress && !call.isHealthPath) deps.noteSharing();
  // OPTIONS of an unknown path is answered with 404 like its other methods, and counts like them.
  const isOptions = request.method === "OPTIONS" && route !== ANY_PATH;
  const isHealthCheck = call.isHealthPath && (request.method === "GET" || request.method === "HEAD");
  if (isOptions || isHealthCheck) call.limits = (await deps.limiter.peek(charges)).states;
  else call.granted.push(await chargeGeneral(call, charges));
  if (isHealthCheck) return;
  refuseCaller(call.caller);
  refuseOtherSites(call);
  if (credentials.kind === "valid") markUsed(credentials.key, call.now, deps.store);
}

/** @throws ApiError RATE_LIMITED, with the longest wait of this limit and the one of the capability that is asked for */
async function chargeGeneral(call: RequestContext, charges: readonly Charge[]): Promise<Granted> {
  const { capability, caller, catalog, request } = call;
  const { limiter } = call.deps;
  const decision = await limiter.take(charges);
  if (!decision.allowed && capability?.limit && capability.method === request.method) {
    const stacked = await limiter.peek(stackedCharges(caller, capability.limit, catalog));
    if (!stacked.allowed) decision.retryAfterSeconds = Math.max(decision.retryAfterSeconds, stacked.retryAfterSeconds);
  }
  return requireAllowed(decision, charges);
}

/** Elysia writes fields of a path as `:name`; documents, log and metrics write `{name}`. */
function patternOf(route: string): string {
  return route === ANY_PATH ? "unknown" : route.replace(/:(\w+)/g, "{$1}");
}

/**
 * Bun gives a request without a usable Host header a bare path as its URL, and keeps a fragment. Elysia needs a whole
 * address, so such a request is copied.
 */
export function withPlainUrl(fetch: (request: Request) => unknown): (request: Request) => unknown {
  return (request) => {
    const { url } = request;
    if (/^https?:\/\/[^#]+$/.test(url)) return fetch(request);
    const path = /^https?:\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? url.replace(/#.*$/s, "");
    const copy = new Request(`http://localhost${path.startsWith("/") ? path : "/"}`, request);
    originals.set(copy, request);
    return fetch(copy);
  };
}

/** The server knows the connection of a request, not that of its copy. */
const originals = new WeakMap<Request, Request>();
