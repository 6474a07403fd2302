/** Responses as they leave the gateway: the headers of every one, refusals, preflights. */
import type { Capability, LimitState } from "../capabilities/core/capability.ts";
import { rpcRefusal } from "../capabilities/core/protocol.ts";
import type { Catalog } from "../catalog/schema.ts";
import { type ApiError, ERRORS } from "../errors.ts";
import { errorBody } from "./error-response.ts";
import type { Route } from "./routes.ts";

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, A2A-Version, A2A-Extensions";
const EXPOSED =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Retry-After, Location, ETag, Idempotent-Replayed, Allow";

/** The body of a message of MCP or A2A, or why there is none: the limits and the key come before that. */
export type Message = { value: object; fault?: undefined } | { value?: undefined; fault: unknown };

export function preflight(route: Route): Response {
  return new Response(null, {
    status: 204,
    headers: {
      Allow: allowOf(route),
      "Access-Control-Allow-Methods": allowOf(route),
      "Access-Control-Allow-Headers": ALLOWED_HEADERS,
      "Access-Control-Max-Age": "600",
    },
  });
}

interface Circumstances {
  route: Route | undefined;
  capability: Capability | undefined;
  message: Message | undefined;
  catalog: Catalog;
  now: Temporal.Instant;
  requestId: string;
}

export function errorResponse(error: ApiError, { route, message, ...circumstances }: Circumstances): Response {
  const headers = new Headers();
  if (error.code === "METHOD_NOT_ALLOWED" && route) headers.set("Allow", allowOf(route));
  if (error.details.retry_after_seconds !== undefined)
    headers.set("Retry-After", String(error.details.retry_after_seconds));
  const { status } = ERRORS[error.code];
  if (status === 401) headers.set("WWW-Authenticate", 'Bearer realm="Tintdesk"');
  const body = errorBody(error, circumstances);
  return Response.json(message ? rpcRefusal(message.value, body) : body, { status, headers });
}

function allowOf({ methods }: Route): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/** The headers that every response carries. */
export async function finish(
  request: Request,
  response: Response,
  requestId: string,
  { limit, remaining }: LimitState,
): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set("X-Request-Id", requestId);
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", EXPOSED);
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  // To HEAD the length is that of the body which GET would have (RFC 9110, 8.6).
  if (request.method === "HEAD") headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  return new Response(request.method === "HEAD" ? null : response.body, { status: response.status, headers });
}
