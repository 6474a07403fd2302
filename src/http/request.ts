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
import type { Logger } from "pino";
import type { Shop } from "../catalog/shop.ts";
import { ApiError, ERRORS, httpStatus, type LimitState } from "../errors.ts";
import { DAY_MS, MINUTE_MS } from "../lib/durations.ts";
import { newRequestId } from "../lib/ids.ts";
import { type Charge, overLimit, type Refused, tightest } from "../limits/rate-limit.ts";
import type { ApiKey, Store } from "../store/store.ts";
import {
  checkCredentials,
  generalCharges,
  type HttpCaller,
  identifyCaller,
  NOBODY,
  refuseCaller,
  stackedCharges,
} from "./caller.ts";
import { explainFailure, settleRefusal } from "./errors.ts";
import { withShortRequest } from "./input.ts";
import { isBrowser } from "./not-found.ts";
import type { RequestContext, RequestDeps } from "./request-context.ts";
import { ANY_PATH, toPattern, withCall } from "./routes.ts";

export function requestPlugin(deps: RequestDeps) {
  const logRateLimit = createRateLimitLog(deps.log);
  return new Elysia({ name: "tintdesk/request" })
    .use(withCall)
    .headers(COMMON_HEADERS)
    .onRequest((context) => {
      const { catalog } = deps.catalog.current;
      const requestId = newRequestId();
      context.call = {
        deps,
        request: context.request,
        requestId,
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
      context.set.headers["X-Request-Id"] = requestId;
    })
    .onBeforeHandle({ as: "global" }, admit)
    .onError({ as: "global" }, async ({ call, error, set }) => {
      const { failure, body } = explainFailure(call, error);
      await settleRefusal(call, failure);
      set.status = httpStatus(failure);
      Object.assign(set.headers, headersOf(failure));
      const refusal = call.refusal ?? (set.status === 404 && isBrowser(call.request) ? deps.noPage : undefined);
      return refusal ? refusal(body, call, set) : body;
    })
    .mapResponse({ as: "global" }, ({ call, responseValue, set }) => {
      call.status = responseValue instanceof Response ? responseValue.status : Number(set.status);
      const limits: LimitState[] = [];
      for (const { states } of call.granted) limits.push(...states);
      limits.push(...call.limits);
      Object.assign(set.headers, limitHeaders(tightest(limits), call.catalog), corsHeaders(call, set.headers.Vary));
    })
    .onAfterResponse({ as: "global" }, ({ call, route }) => {
      call.route = toPattern(route);
      if (call.failure && ERRORS[call.failure.code].about === "limit") logRateLimit(call.caller);
      else logRequest(call);
      deps.observe?.(call);
    });
}

/** What Elysia passes to a hook, as far as it is needed here. It reads the source of the hook to learn what it uses. */
interface Arrival {
  call: RequestContext;
  request: Request;
  server: Bun.Server<unknown> | null;
  route: string;
  params: object;
}

/** Names the caller, and charges the request to the general limit. Health checks and preflights are free. */
async function admit({ call, request, server, route, params }: Arrival): Promise<void> {
  const { deps, catalog } = call;
  const arrived = originals.get(request) ?? request;
  const peer = deps.peerOf ? deps.peerOf(arrived) : server?.requestIP(arrived)?.address;
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
  else {
    const decision = await deps.limiter.take(charges);
    if (!decision.allowed) throw await overGeneral(call, decision, charges, params);
    call.granted.push(decision);
  }
  if (isHealthCheck) return;
  try {
    refuseCaller(call.caller);
  } catch (error) {
    throw await withShortRequest(error, call, params);
  }
  if (call.caller.isCrossSite) refuseOtherSites(call);
  if (credentials.kind === "valid") markUsed(credentials.key, call.now, deps.store);
}

/** The refusal, with the longest wait of this limit and the one of the capability that is asked for. */
async function overGeneral(
  call: RequestContext,
  refused: Refused,
  charges: readonly Charge[],
  params: object,
): Promise<unknown> {
  const { capability, caller, catalog, request, deps } = call;
  if (capability?.limit && capability.method === request.method) {
    const stacked = await deps.limiter.peek(stackedCharges(caller, capability.limit, catalog));
    if (!stacked.allowed) refused.retryAfterSeconds = Math.max(refused.retryAfterSeconds, stacked.retryAfterSeconds);
  }
  return withShortRequest(overLimit(refused, charges), call, params);
}

/** Elysia needs a whole address: without a usable Host header Bun gives a bare path, and it keeps a fragment. */
export function withPlainUrl(fetch: (request: Request) => unknown, request: Request): (request: Request) => unknown {
  const { url } = request;
  if (/^https?:\/\/[^#]+$/.test(url)) return fetch;
  const path = /^https?:\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? url.replace(/#.*$/s, "");
  const copy = new Request(`http://localhost${path.startsWith("/") ? path : "/"}`, request);
  originals.set(copy, request);
  return () => fetch(copy);
}

/** The server knows the connection of a request, not that of its copy. */
const originals = new WeakMap<Request, Request>();

/** A handler that lets callers keep its answer replaces Cache-Control. */
const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

const EXPOSED = [
  ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Scope", "X-RateLimit-Reset", "X-Request-Id"],
  ...["Retry-After", "Location", "ETag", "Idempotent-Replayed", "Allow"],
].join(", ");

/** @param state of the tightest limit that counted the request; undefined where none was charged */
function limitHeaders(state: LimitState | undefined, { rate_limits: limits }: Shop): Record<string, string> {
  const { scope, limit, remaining, resetSeconds } = state ?? {
    // A request that failed before it was charged: nothing is known of what is left, so nothing is promised.
    scope: "requests-per-minute",
    limit: limits.anonymous_per_minute,
    remaining: 0,
    resetSeconds: 0,
  };
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Scope": scope,
    "X-RateLimit-Reset": String(resetSeconds),
  };
}

/** Whether the website that a request comes from may use the answer in a browser: `site.cors` of the catalog. */
function allowsSite({ catalog: { site }, request }: RequestContext): boolean {
  return (
    site.cors === "any" || (site.cors === "listed" && site.embed_origins.includes(request.headers.get("origin") ?? ""))
  );
}

/** Which websites may read the answer in a browser. @param vary of the answer so far */
function corsHeaders(call: RequestContext, vary: string | number | undefined): Record<string, string> {
  const { cors } = call.catalog.site;
  if (cors === "none") return {};
  if (cors === "any") return { "Access-Control-Expose-Headers": EXPOSED, "Access-Control-Allow-Origin": "*" };
  return {
    "Access-Control-Expose-Headers": EXPOSED,
    ...(allowsSite(call) && { "Access-Control-Allow-Origin": call.request.headers.get("origin") ?? "" }),
    // Caches must not give one website the answer for another.
    Vary: vary ? `${vary}, Origin` : "Origin",
  };
}

/** Browsers send a POST before they ask whether they may, so one from another website that is not allowed is refused here. */
function refuseOtherSites(call: RequestContext): void {
  const isReading = ["GET", "HEAD", "OPTIONS"].includes(call.request.method);
  if (isReading || allowsSite(call)) return;
  throw new ApiError("FORBIDDEN", "This shop takes no requests from other websites in a browser.");
}

/**
 * Lines never hold an address, a name or anything else that a caller typed. A booking may have been stored: the request must not
 * fail because its line cannot be logged.
 */
function logRequest(call: RequestContext): void {
  const { request, route, caller, requestId, did, failure, startedAt, status } = call;
  const { log } = call.deps;
  // Machines ask every few seconds; a line for each would hide the others.
  const level = call.isHealthPath ? "debug" : "info";
  if (status < 500 && !log.isLevelEnabled(level)) return;
  const line = {
    requestId,
    method: methodName(request),
    path: route,
    status,
    ...(did && { did }),
    ...(failure && { error: failure.code }),
    ...(caller.keyId && { keyId: caller.keyId }),
    ...(caller.agentClass && { agentClass: caller.agentClass }),
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  try {
    if (status >= 500) log.error({ ...line, err: failure?.cause }, "request failed");
    else log[level](line, "request");
  } catch {}
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The method for log and metrics. A caller can make up any other, so these are all `other`. */
export function methodName({ method }: Request): string {
  return METHODS.has(method) ? method : "other";
}

/** At most this many pools are named in a line; the count covers all. */
const NAMED_POOLS = 10;

/** Counts refused requests, logged once a minute: a caller who floods the API must not flood the log. */
export function createRateLimitLog(log: Logger, everyMs = MINUTE_MS): (caller: HttpCaller) => void {
  const counts = new Map<string, number>();

  const report = () => {
    const pools = [...counts].map(([pool, refused]) => ({ pool, refused })).sort((a, b) => b.refused - a.refused);
    counts.clear();
    const refused = pools.reduce((sum, pool) => sum + pool.refused, 0);
    log.warn({ refused, pools: pools.slice(0, NAMED_POOLS) }, "requests over a limit were refused");
  };

  return (caller) => {
    if (counts.size === 0) setTimeout(report, everyMs).unref();
    // The log holds no addresses, so callers without key and agent class are counted together.
    const named = caller.agentClass ? `class ${caller.agentClass}` : "network";
    const pool = caller.keyId ? `key ${caller.keyId}` : named;
    counts.set(pool, (counts.get(pool) ?? 0) + 1);
  };
}

function headersOf({ code, details }: ApiError): Record<string, string> {
  if (details.retry_after_seconds !== undefined) return { "Retry-After": String(details.retry_after_seconds) };
  return ERRORS[code].status === 401 ? { "WWW-Authenticate": 'Bearer realm="Tintdesk"' } : {};
}

/** Notes once a day that a key was used that ends without use. What cannot be noted is noted with the next request. */
function markUsed(
  { id, isSelfRegistered, lastUsedAt }: ApiKey,
  { epochMilliseconds: now }: Temporal.Instant,
  store: Pick<Store, "touchKey">,
): void {
  if (isSelfRegistered && now - lastUsedAt >= DAY_MS) store.touchKey(id, now).catch(() => {});
}
