/**
 * Everything that is the same for all requests, around the Elysia application: request ids, who is calling, limits,
 * keys, unknown paths and methods, errors in the one shape, headers, and the log line. In the order of contract
 * section 6: general rate limit, key, body.
 */
import type { Logger } from "pino";
import type { Capability, LimitState } from "../capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError, ERRORS } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Network } from "../network.ts";
import type { Store } from "../store/store.ts";
import { generalCharge, type HttpCaller, identifyCaller } from "./caller.ts";
import { errorBody, toApiError } from "./error-response.ts";
import type { Health } from "./health.ts";
import { type Charge, type RateLimiter, tightest } from "./rate-limit.ts";
import type { Route, Routes } from "./routes.ts";

export interface GatewayDeps {
  /** The catalog in force; read once per request. */
  catalog: () => Catalog;
  store: Store;
  now: () => Temporal.Instant;
  limiter: RateLimiter;
  routes: Routes;
  health: Health;
  trusted: readonly Network[];
  log: Logger;
}

/** @param peer address of the other end of the connection */
export type Gateway = (request: Request, peer: string | undefined) => Promise<Response>;

const WINDOWS = { quote_requests_per_minute: 60_000, registrations_per_hour: 3_600_000 } as const;
const EXPOSED =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Retry-After, Location, ETag, Idempotent-Replayed, Allow";

export function createGateway(deps: GatewayDeps): Gateway {
  return async (request, peer) => {
    const started = performance.now();
    const requestId = newId("req");
    const catalog = deps.catalog();
    const now = deps.now();
    const path = normalPath(new URL(request.url).pathname);
    const check = deps.health.checks.get(path);
    const route = check ? HEALTH : deps.routes.find(path);
    const limits: LimitState[] = [];
    let caller: HttpCaller | undefined;
    let response: Response;
    let failure: ApiError | undefined;
    try {
      caller = await identifyCaller(request.headers, peer, { catalog, store: deps.store, trusted: deps.trusted });
      const charges = chargesOf(caller, route?.capability, catalog);
      if (check && isRead(request)) {
        limits.push(...deps.limiter.peek(charges));
        response = await check();
      } else {
        charge(deps.limiter, charges, limits);
        admit(caller, route?.capability, catalog);
        response = await answer(request, requireRoute(route, request), { catalog, now, caller, limits, deps });
      }
    } catch (error) {
      failure = toApiError(error);
      response = errorResponse(failure, { route, catalog, now, requestId });
      if (failure.details.limit) limits.push(failure.details.limit);
    }
    const finished = finish(request, response, requestId, tightest(limits) ?? anonymousLimit(catalog));
    logRequest(deps.log, {
      request,
      route,
      path,
      status: finished.status,
      caller,
      requestId,
      failure,
      milliseconds: performance.now() - started,
    });
    return finished;
  };
}

const HEALTH: Route = { methods: ["GET"], capability: undefined };

/** `/api/v1/services/` is `/api/v1/services`. */
function normalPath(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function chargesOf(caller: HttpCaller, capability: Capability | undefined, catalog: Catalog): Charge[] {
  const general = generalCharge(caller, catalog);
  if (!capability?.limit) return [general];
  const kind = capability.limit;
  // New keys are counted by network whoever asks, or one caller could multiply their limits by registering.
  const pool = kind === "registrations_per_hour" ? `net ${caller.network}` : general.pool;
  return [general, { kind, pool, limit: catalog.rate_limits[kind], windowMs: WINDOWS[kind] }];
}

function charge(limiter: RateLimiter, charges: readonly Charge[], limits: LimitState[]): void {
  const decision = limiter.take(charges);
  if (decision.allowed) {
    limits.push(...decision.states);
    return;
  }
  throw new ApiError(
    "RATE_LIMITED",
    `The limit of ${decision.state.limit} requests is used up; wait ${decision.retryAfterSeconds} s.`,
    {
      retry_after_seconds: decision.retryAfterSeconds,
      limit: decision.state,
    },
  );
}

/** @throws ApiError when the caller's key or network shuts them out */
function admit({ credentials, blocked }: HttpCaller, capability: Capability | undefined, { bookings }: Catalog): void {
  if (blocked) throw new ApiError("FORBIDDEN", "Requests from this network are not accepted.");
  if (credentials.kind === "revoked") throw new ApiError("FORBIDDEN", "This API key was revoked by the shop.");
  if (credentials.kind === "unknown") throw new ApiError("INVALID_API_KEY", "This API key is not known here.");
  if (credentials.kind === "conflicting") {
    const message = "must be the same in Authorization and X-API-Key, or one of the two left out";
    throw new ApiError("BAD_REQUEST", `The API key ${message}.`, { invalid_fields: [{ field: "X-API-Key", message }] });
  }
  if (capability?.acceptsKey && bookings.require_api_key && credentials.kind === "none") {
    throw new ApiError("API_KEY_REQUIRED", "This shop takes bookings only with an API key.");
  }
}

/** @throws ApiError NOT_FOUND, METHOD_NOT_ALLOWED */
function requireRoute(route: Route | undefined, request: Request): Route {
  if (!route) throw new ApiError("NOT_FOUND", "There is no such path.");
  const { methods } = route;
  const isAllowed =
    methods.includes(request.method) ||
    request.method === "OPTIONS" ||
    (request.method === "HEAD" && methods.includes("GET"));
  if (isAllowed) return route;
  const method = route.capability?.method ?? methods[0] ?? "GET";
  throw new ApiError("METHOD_NOT_ALLOWED", `This path does not answer ${request.method}; use ${method}.`, { method });
}

function allowOf({ methods }: Route): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

interface Asked {
  catalog: Catalog;
  now: Temporal.Instant;
  caller: HttpCaller;
  limits: LimitState[];
  deps: GatewayDeps;
}

async function answer(
  request: Request,
  route: Route,
  { catalog, now, caller, limits, deps }: Asked,
): Promise<Response> {
  if (request.method === "OPTIONS") return preflight(route);
  const { network, keyId, agentClass, userAgent } = caller;
  const idempotencyKey = request.headers.get("idempotency-key");
  const ctx = {
    catalog,
    store: deps.store,
    now,
    caller: { network, keyId, agentClass, userAgent },
    ...(idempotencyKey !== null && { idempotencyKey }),
  };
  return deps.routes.handle(
    request.method === "HEAD" ? new Request(request.url, { headers: request.headers }) : request,
    { ctx, limits },
  );
}

function preflight(route: Route): Response {
  return new Response(null, {
    status: 204,
    headers: {
      Allow: allowOf(route),
      "Access-Control-Allow-Methods": allowOf(route),
      "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, X-API-Key",
      "Access-Control-Max-Age": "600",
    },
  });
}

interface Circumstances {
  route: Route | undefined;
  catalog: Catalog;
  now: Temporal.Instant;
  requestId: string;
}

function errorResponse(error: ApiError, { route, ...circumstances }: Circumstances): Response {
  const headers = new Headers();
  if (error.code === "METHOD_NOT_ALLOWED" && route) headers.set("Allow", allowOf(route));
  if (error.details.retry_after_seconds !== undefined)
    headers.set("Retry-After", String(error.details.retry_after_seconds));
  const { status } = ERRORS[error.code];
  if (status === 401) headers.set("WWW-Authenticate", 'Bearer realm="Tintdesk"');
  return Response.json(errorBody(error, { ...circumstances, capability: route?.capability }), { status, headers });
}

function anonymousLimit({ rate_limits: limits }: Catalog): LimitState {
  return { limit: limits.anonymous_per_minute, remaining: 0 };
}

/** The headers that every response carries. */
function finish(request: Request, response: Response, requestId: string, { limit, remaining }: LimitState): Response {
  const headers = new Headers(response.headers);
  headers.set("X-Request-Id", requestId);
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", EXPOSED);
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  return new Response(request.method === "HEAD" ? null : response.body, { status: response.status, headers });
}

interface Finished {
  request: Request;
  route: Route | undefined;
  path: string;
  status: number;
  caller: HttpCaller | undefined;
  requestId: string;
  failure: ApiError | undefined;
  milliseconds: number;
}

/** One line per request, without addresses, names or anything else the caller typed. */
function logRequest(
  log: Logger,
  { request, route, path, status, caller, requestId, failure, milliseconds }: Finished,
): void {
  const line = {
    requestId,
    method: METHODS.has(request.method) ? request.method : "other",
    path: route ? path : "unknown",
    status,
    ...(failure && { error: failure.code }),
    ...(caller?.keyId && { keyId: caller.keyId }),
    ...(caller?.agentClass && { agentClass: caller.agentClass }),
    ms: Math.round(milliseconds * 10) / 10,
  };
  if (status >= 500) log.error({ ...line, err: failure?.cause }, "request failed");
  else log.info(line, "request");
}
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
