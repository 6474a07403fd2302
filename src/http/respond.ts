/** Refusals, preflights, and answers without a body. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import { rpcRefusal } from "../capabilities/core/protocol.ts";
import { type ApiError, ERRORS, statusOf } from "../errors.ts";
import { isStacked } from "../limits/limiter.ts";
import { errorBody, errorJson, toApiError } from "./error-response.ts";
import type { Exchange, Route } from "./exchange.ts";
import { HTML_TYPE, headersFor, jsonResponse, preparedHeaders } from "./headers.ts";
import { logFault } from "./request-log.ts";

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, A2A-Version, A2A-Extensions";

export function preflight(exchange: Exchange, { allow }: Route): Response {
  const headers = preparedHeaders({
    Allow: allow,
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": "600",
    "Cache-Control": "no-store",
  });
  return new Response(null, { status: 204, headers: headersFor(exchange, headers) });
}

/** The answer to a request that failed. Notes the failure for the log, and takes back what must not be charged. */
export function refuse(exchange: Exchange, error: unknown): Response {
  const failure = toApiError(error, exchange.capability);
  exchange.failure = failure;
  takeBack(exchange, failure);
  exchange.limits.push(...(failure.details.limits ?? []));
  const status = statusOf(failure);
  const headers = ownHeaders(failure, exchange.route);
  const page = exchange.route?.refusal?.(errorBody(failure, exchange), exchange.catalog);
  if (page) {
    const own = {
      "Content-Type": HTML_TYPE,
      "Cache-Control": "no-store",
      ...page.headers,
      ...headers,
    };
    return new Response(page.body, { status, headers: headersFor(exchange, preparedHeaders(own)) });
  }
  const json = exchange.request.method === "POST" ? refusedMessage(exchange, failure) : undefined;
  return jsonResponse(exchange, json ?? errorJson(failure, exchange), status, headers);
}

/** The answer to a message of MCP or A2A; undefined for any other request. */
function refusedMessage(exchange: Exchange, failure: ApiError): string | undefined {
  const { route, message, catalog } = exchange;
  if (!route?.protocol) return undefined;
  const error = errorBody(failure, exchange);
  return JSON.stringify(rpcRefusal(message, route.protocol.inOwnWords?.(error, catalog) ?? error));
}

/** The headers of this refusal alone; undefined when there are none. */
function ownHeaders({ code, details }: ApiError, route: Route | undefined): Record<string, string> | undefined {
  if (code === "METHOD_NOT_ALLOWED" && route) return { Allow: route.allow };
  if (details.retry_after_seconds !== undefined) return { "Retry-After": String(details.retry_after_seconds) };
  return ERRORS[code].status === 401 ? { "WWW-Authenticate": 'Bearer realm="Tintdesk"' } : undefined;
}

/** A request over a limit is charged to no pool. After any other failure, only the general limit is charged. */
function takeBack({ granted }: Exchange, { code }: ApiError): void {
  granted?.undo(code === "RATE_LIMITED" ? undefined : isStacked);
}

/** An error as a body, for MCP and A2A, which answer 200 all the same. A fault of ours is logged. */
export function describeError(exchange: Exchange, error: unknown, capability: Capability | undefined): ErrorBody {
  const failure = toApiError(error, capability);
  takeBack(exchange, failure);
  logFault(exchange, failure);
  return errorBody(failure, { ...exchange, capability });
}

/** HEAD states the length of the body that GET would have; 304 states none, like that of GET (RFC 9110, 8.6). */
export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status === 304) return response;
  // Elysia has already left out the body where the path has a field, and has noted the length.
  if (response.body === null && headers.has("Content-Length")) return response;
  headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}
