/** The headers that every response carries and that are always the same. */

const EXPOSED =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Retry-After, Location, ETag, Idempotent-Replayed, Allow";
const COMMON: readonly [string, string][] = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", EXPOSED],
  ["X-Content-Type-Options", "nosniff"],
];

/** Headers that are made once and copied into answers, which is faster than setting them one by one. */
export function preparedHeaders(own: Readonly<Record<string, string>>): Headers {
  return new Headers([...COMMON, ...Object.entries(own)]);
}

/** Adds the headers that every response carries to one that was made elsewhere. */
export function completeHeaders(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of COMMON) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  return response;
}

export const JSON_TYPE = "application/json;charset=utf-8";
const JSON_HEADERS = preparedHeaders({ "Content-Type": JSON_TYPE, "Cache-Control": "no-store" });

/** An answer that no cache may store. */
export function jsonResponse(json: string, status: number, own: Readonly<Record<string, string>> = {}): Response {
  const response = new Response(json, { status, headers: JSON_HEADERS });
  for (const name in own) response.headers.set(name, own[name] ?? "");
  return response;
}
