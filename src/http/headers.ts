/** The headers of every response. */
import { tightest } from "../limits/limiter.ts";
import type { Exchange } from "./exchange.ts";

const EXPOSED =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Retry-After, Location, ETag, Idempotent-Replayed, Allow";
const COMMON: readonly [string, string][] = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", EXPOSED],
  ["X-Content-Type-Options", "nosniff"],
];

/** The headers of answers of one kind, made once: see `headersFor`. */
export function preparedHeaders(own: Readonly<Record<string, string>>): Headers {
  return new Headers([...COMMON, ...Object.entries(own)]);
}

/**
 * Sets the headers that differ from one answer to the next. A response copies its headers when it is made, so prepared
 * headers serve again and again, which is twice as fast as setting those of the response.
 */
export function headersFor({ requestId, limits, catalog }: Exchange, prepared: Headers): Headers {
  const { limit, remaining } = tightest(limits) ?? { limit: catalog.rate_limits.anonymous_per_minute, remaining: 0 };
  prepared.set("X-Request-Id", requestId);
  prepared.set("X-RateLimit-Limit", String(limit));
  prepared.set("X-RateLimit-Remaining", String(remaining));
  return prepared;
}

/** Adds the headers that every response carries to one that was made elsewhere. */
export function completeHeaders(exchange: Exchange, response: Response): Response {
  const { headers } = response;
  for (const [name, value] of COMMON) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  headersFor(exchange, headers);
  return response;
}

export const HTML_TYPE = "text/html; charset=utf-8";
export const JSON_TYPE = "application/json;charset=utf-8";
const JSON_HEADERS = preparedHeaders({ "Content-Type": JSON_TYPE, "Cache-Control": "no-store" });

/** An answer that no cache may store. @param own headers of this answer alone */
export function jsonResponse(
  exchange: Exchange,
  json: string | Uint8Array<ArrayBuffer>,
  status: number,
  own?: Readonly<Record<string, string>>,
): Response {
  const headers = own ? new Headers(JSON_HEADERS) : JSON_HEADERS;
  for (const name in own) headers.set(name, own[name] ?? "");
  return new Response(json, { status, headers: headersFor(exchange, headers) });
}
