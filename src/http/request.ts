/**
 * What all requests share, in Elysia's own hooks. Each request passes, in the order of contract section 6:
 *
 *   onRequest        opens the request context: id, catalog and time
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
import type { Capability, LimitState } from "../capabilities/core/capability.ts";
import type { Diary } from "../capabilities/core/diary.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import type { PriceLocks } from "../capabilities/core/price-locks.ts";
import type { Catalog } from "../catalog/schema.ts";
import { type ApiError, ERRORS, statusOf } from "../errors.ts";
import { newRequestId } from "../lib/ids.ts";
import type { Networks } from "../lib/network.ts";
import { type Charge, type Granted, type Limiter, requireAllowed, tightest } from "../limits/limiter.ts";
import type { Store } from "../store/store.ts";
import { checkCredentials, generalCharges, type HttpCaller, identifyCaller, stackedCharges } from "./caller.ts";
import { failed, headersOf } from "./failure.ts";
import { refuseCaller } from "./guards.ts";
import type { FindKey } from "./known-keys.ts";
import { countRefusals } from "./refusals.ts";
import { logRequest } from "./request-log.ts";

/** What the application is given, the same for all requests. */
export interface RequestDeps {
  /** The catalog in force; read once per request. */
  catalog: () => Catalog;
  now: () => Temporal.Instant;
  store: Store;
  findKey: FindKey;
  diary: Diary;
  locks: PriceLocks;
  limiter: Limiter;
  trusted: Networks;
  log: Logger;
  /** The address of the other end of the connection. */
  peerOf: (request: Request, server: Bun.Server<unknown> | null) => string | undefined;
  /** Compare every answer with the schema of its capability. */
  checkAnswers: boolean;
  /** Told of every answer, where metrics are collected. */
  observe?: ((call: RequestContext) => void) | undefined;
}

/** The facts about one request. A request sees one catalog and one time from start to end. */
export interface RequestContext {
  readonly deps: RequestDeps;
  readonly request: Request;
  readonly requestId: string;
  /** As `performance.now()` gives it, milliseconds. */
  readonly startedAt: number;
  readonly catalog: Catalog;
  readonly now: Temporal.Instant;
  /** Set before the handler runs. */
  caller: HttpCaller;
  /** The capability that is asked for: by the path or, over MCP and A2A, by the message. */
  capability: Capability | undefined;
  /** The error as this path answers it, for pages and protocols; without it the error is JSON. */
  refusal: ((error: ErrorBody, call: RequestContext, headers: Record<string, string>) => string | object) | undefined;
  /** Health checks are charged to no pool, and open to blocked callers. */
  isHealthCheck: boolean;
  /** The charges of this request, which a refusal takes back. */
  granted: Granted[];
  /** Limits beside the charged ones, for the X-RateLimit headers: looked at, or quotas that a capability reports. */
  limits: LimitState[];
  /** The operation that was carried out: not in a dry run, and not for a repeated request. */
  did: string | undefined;
  /** Why the request was refused. */
  failure: ApiError | undefined;
  /** Of the answer; 0 until there is one. */
  status: number;
  /** The pattern of the path, like `/api/v1/bookings/{confirmation_code}`. */
  route: string;
}

/** Gives plugins the type of the request context. */
export const withCall = new Elysia({ name: "tintdesk/call" }).decorate("call", {} as RequestContext);

const EXPOSED =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Retry-After, Location, ETag, Idempotent-Replayed, Allow";

/** The headers of every response. A handler that lets callers keep its answer replaces Cache-Control. */
export const COMMON_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

export function requestPlugin(deps: RequestDeps) {
  const countRefusal = countRefusals(deps.log);
  return new Elysia({ name: "tintdesk/request" })
    .use(withCall)
    .headers(COMMON_HEADERS)
    .onRequest((context) => {
      context.call = open(context.request, deps);
      context.set.headers["x-request-id"] = context.call.requestId;
    })
    .onBeforeHandle({ as: "global" }, async ({ call, request, server, route }) => {
      await admit(call, route, deps.peerOf(originals.get(request) ?? request, server));
    })
    .onError({ as: "global" }, async ({ call, error, set }) => {
      const { failure, body } = await failed(call, error);
      call.failure = failure;
      set.status = statusOf(failure);
      Object.assign(set.headers, headersOf(failure));
      return call.refusal ? call.refusal(body, call, set.headers as Record<string, string>) : body;
    })
    .mapResponse({ as: "global" }, ({ call, responseValue, set }) => {
      call.status = responseValue instanceof Response ? responseValue.status : Number(set.status);
      const limits = [...call.granted.flatMap(({ states }) => states), ...call.limits];
      const { limit, remaining } = tightest(limits) ?? {
        limit: call.catalog.rate_limits.anonymous_per_minute,
        remaining: 0,
      };
      set.headers["x-ratelimit-limit"] = String(limit);
      set.headers["x-ratelimit-remaining"] = String(remaining);
      // Elysia drops the body of an error when this hook returns nothing.
      return responseValue as Response;
    })
    .onAfterResponse({ as: "global" }, ({ call, route }) => {
      call.route = patternOf(route);
      if (call.status === ERRORS.RATE_LIMITED.status) countRefusal(call.caller);
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
    isHealthCheck: false,
    granted: [],
    limits: [],
    did: undefined,
    failure: undefined,
    status: 0,
    route: "",
  };
}

/** Stands for the caller until `admit` knows who calls. */
const NOBODY: HttpCaller = {
  network: "",
  wider: [],
  keyId: null,
  agentClass: null,
  userAgent: null,
  credentials: { kind: "none" },
  isBlocked: false,
};

/**
 * Names the caller, and charges the request to the caller's general limit. Health checks and preflights are free.
 * @throws ApiError RATE_LIMITED, or the reason why the caller is shut out
 */
async function admit(call: RequestContext, route: string, peer: string | undefined): Promise<void> {
  const { deps, request, catalog } = call;
  const credentials = await checkCredentials(request.headers, deps.findKey, call.capability !== undefined);
  call.caller = identifyCaller(request.headers, peer, credentials, { catalog, trusted: deps.trusted });
  const charges = generalCharges(call.caller, catalog);
  const isPreflight = request.method === "OPTIONS" && route !== ANY_PATH;
  const isFree = isPreflight || (call.isHealthCheck && isRead(request));
  if (isFree) call.limits = (await deps.limiter.peek(charges)).states;
  else call.granted.push(await chargeGeneral(call, charges));
  if (!call.isHealthCheck) refuseCaller(call.caller);
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
  return requireAllowed(decision);
}

/** GET, or HEAD, which is GET without the body. */
export function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** Elysia writes fields of a path as `:name`; documents, log and metrics write `{name}`. */
function patternOf(route: string): string {
  return route === ANY_PATH ? "unknown" : route.replace(/:(\w+)/g, "{$1}");
}

/** Matches the paths that nothing else does. */
export const ANY_PATH = "/*";

/** A path of ours, `/bookings/{code}`, as Elysia writes it. */
export function toRoute(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/**
 * Bun gives a request without a usable Host header a bare path as its URL, and keeps a fragment. Elysia needs a whole
 * address, so such a request is copied.
 */
export function withPlainUrl(fetch: (request: Request) => unknown): (request: Request) => unknown {
  return (request) => {
    const { url } = request;
    if (/^https?:\/\/[^#]/.test(url) && !url.includes("#")) return fetch(request);
    const path = /^https?:\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? url.replace(/#.*$/s, "");
    const copy = new Request(`http://localhost${path.startsWith("/") ? path : "/"}`, request);
    originals.set(copy, request);
    return fetch(copy);
  };
}

/** The server knows the connection of a request, not that of its copy. */
const originals = new WeakMap<Request, Request>();

/** The query of a request, without the question mark. */
export function queryOf({ url }: Request): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}
