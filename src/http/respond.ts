/** Responses as they leave the gateway: refusals, preflights, and the headers of every one. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import { rpcRefusal } from "../capabilities/core/protocol.ts";
import { type ApiError, ERRORS } from "../errors.ts";
import { errorBody, toApiError } from "./error-response.ts";
import type { Exchange, Route } from "./exchange.ts";
import { jsonResponse, preparedHeaders } from "./headers.ts";
import { isStacked, tightest } from "./rate-limit.ts";
import { logFault } from "./request-log.ts";

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, A2A-Version, A2A-Extensions";

export function preflight({ allow }: Route): Response {
  const headers = preparedHeaders({
    Allow: allow,
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": "600",
    "Cache-Control": "no-store",
  });
  return new Response(null, { status: 204, headers });
}

/** The answer to a request that failed. Notes the failure for the log, and takes back what must not be charged. */
export function refuse(exchange: Exchange, error: unknown): Response {
  const failure = toApiError(error);
  exchange.failure = failure;
  takeBack(exchange, failure);
  exchange.limits.push(...(failure.details.limits ?? []));
  const headers: Record<string, string> = {};
  if (failure.code === "METHOD_NOT_ALLOWED" && exchange.route) headers.Allow = exchange.route.allow;
  if (failure.details.retry_after_seconds !== undefined)
    headers["Retry-After"] = String(failure.details.retry_after_seconds);
  const { status } = ERRORS[failure.code];
  if (status === 401) headers["WWW-Authenticate"] = 'Bearer realm="Tintdesk"';
  const body = errorBody(failure, exchange);
  const page = exchange.route?.refusal?.(body, exchange.catalog);
  if (page) {
    const own = {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      ...page.headers,
      ...headers,
    };
    return new Response(page.body, { status, headers: preparedHeaders(own) });
  }
  const isProtocol = exchange.route?.protocol !== undefined && exchange.request.method === "POST";
  // Faster than toJson, as no part of it is shared.
  const json = JSON.stringify(isProtocol ? rpcRefusal(exchange.message, body) : body);
  return jsonResponse(json, status, headers);
}

/** A request over a limit is charged to no pool. After any other failure, only the general limit is charged. */
function takeBack({ granted }: Exchange, { code }: ApiError): void {
  granted?.undo(code === "RATE_LIMITED" ? undefined : isStacked);
}

/** An error as a body, for MCP and A2A, which answer 200 all the same. A fault of ours is logged. */
export function describeError(exchange: Exchange, error: unknown, capability: Capability | undefined): ErrorBody {
  const failure = toApiError(error);
  takeBack(exchange, failure);
  logFault(exchange, failure);
  return errorBody(failure, { ...exchange, capability });
}

/** Adds the headers that differ from one response to the next. */
export function finish(
  { request, requestId, limits, catalog }: Exchange,
  response: Response,
): Response | Promise<Response> {
  const { headers } = response;
  const { limit, remaining } = tightest(limits) ?? { limit: catalog.rate_limits.anonymous_per_minute, remaining: 0 };
  headers.set("X-Request-Id", requestId);
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  return request.method === "HEAD" ? withoutBody(response) : response;
}

/** HEAD states the length of the body that GET would have (RFC 9110, 8.6). */
async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response;
  headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}
