/**
 * Everything that is the same for all requests, around the Elysia application: request ids, who is calling, limits,
 * keys, unknown paths and methods, errors in the one shape, headers, and the log line. In the order of contract
 * section 6: general rate limit, key, body.
 */
import type { Logger } from "pino";
import type { Capability, LimitState } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError, ERRORS } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import type { Network } from "../lib/network.ts";
import type { Store } from "../store/store.ts";
import { readBody } from "./body.ts";
import { chargesOf, contextOf, type HttpCaller, identifyCaller } from "./caller.ts";
import { errorBody, toApiError } from "./error-response.ts";
import type { Health } from "./health.ts";
import { charge, type Granted, type RateLimiter, tightest } from "./rate-limit.ts";
import { logRequest } from "./request-log.ts";
import { errorResponse, finish, type Message, preflight } from "./respond.ts";
import type { Exchange, Route, Routes } from "./routes.ts";

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

export function createGateway(deps: GatewayDeps): Gateway {
  return async (received, peer) => {
    const request = withHost(received);
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
    let granted: Granted | undefined;
    let message: Message | undefined;
    // Over MCP and A2A the capability is named inside the message.
    const capability = () => (message?.value && route?.endpoint?.capabilityOf(message.value)) || route?.capability;
    // Asking about a path, or asking it wrongly, uses nothing of what its capability is limited to.
    const invoked = () => (message || route?.capability?.method === request.method ? capability() : undefined);
    try {
      caller = await identifyCaller(request.headers, peer, { catalog, store: deps.store, trusted: deps.trusted });
      if (route?.endpoint && request.method === "POST") message = await readMessage(request);
      const charges = chargesOf(caller, invoked(), catalog);
      if (check && isRead(request)) {
        limits.push(...deps.limiter.peek(charges));
        response = await check();
      } else {
        granted = charge(deps.limiter, charges);
        limits.push(...granted.states);
        admit(caller, invoked(), catalog);
        if (message?.fault) throw message.fault;
        response = await answer(request, requireRoute(route, request), {
          catalog,
          now,
          caller,
          exchange: {
            limits,
            message: message?.value,
            describe: (error, capability) => {
              const expected = toApiError(error);
              if (ERRORS[expected.code].status >= 500)
                deps.log.error({ requestId, err: expected.cause }, "call failed");
              return errorBody(expected, { capability, catalog, now, requestId });
            },
          },
          deps,
        });
      }
    } catch (error) {
      failure = toApiError(error);
      // Refused by a quota of its own: a refused request is charged to no pool.
      if (failure.code === "RATE_LIMITED") granted?.undo();
      response = errorResponse(failure, { route, capability: capability(), message, catalog, now, requestId });
      limits.push(...(failure.details.limits ?? []));
    }
    const finished = await finish(request, response, requestId, tightest(limits) ?? anonymousLimit(catalog));
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

async function readMessage(request: Request): Promise<Message> {
  try {
    return { value: await readBody(request) };
  } catch (fault) {
    return { fault };
  }
}

/** `/api/v1/services/` is `/api/v1/services`. */
function normalPath(path: string): string {
  return /[^/]\/$/.test(path) ? path.slice(0, -1) : path;
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** @throws ApiError when the caller's key or network shuts them out */
function admit({ credentials, blocked }: HttpCaller, capability: Capability | undefined, { bookings }: Catalog): void {
  if (blocked) throw new ApiError("FORBIDDEN", "Requests from this network are not accepted.");
  if (credentials.kind === "revoked") throw new ApiError("FORBIDDEN", "This API key was revoked by the shop.");
  if (credentials.kind === "unknown") throw new ApiError("INVALID_API_KEY", "This API key is not known here.");
  if (credentials.kind === "misplaced") {
    throw new ApiError("INVALID_API_KEY", "Send the key as 'Authorization: Bearer <key>' or as 'X-API-Key: <key>'.");
  }
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

interface Asked {
  catalog: Catalog;
  now: Temporal.Instant;
  caller: HttpCaller;
  exchange: Omit<Exchange, "ctx">;
  deps: GatewayDeps;
}

async function answer(
  request: Request,
  route: Route,
  { catalog, now, caller, exchange, deps }: Asked,
): Promise<Response> {
  if (request.method === "OPTIONS") return preflight(route);
  const idempotencyKey = request.headers.get("idempotency-key");
  const ctx = {
    ...contextOf(caller, { catalog, store: deps.store, now }),
    ...(idempotencyKey !== null && { idempotencyKey }),
  };
  return deps.routes.handle(
    request.method === "HEAD" ? new Request(request.url, { headers: request.headers }) : request,
    { ...exchange, ctx },
  );
}

function anonymousLimit({ rate_limits: limits }: Catalog): LimitState {
  return { limit: limits.anonymous_per_minute, remaining: 0 };
}

/** A request whose Host header is missing or makes no address still has a path; a fragment is not for servers. */
function withHost(request: Request): Request {
  const url = request.url.replace(/#.*$/s, "");
  if (URL.canParse(url)) return url === request.url ? request : new Request(url, request);
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, "");
  return new Request(`http://localhost${path.startsWith("/") ? path : "/"}`, request);
}
