/** The headers of every response. */
import type { Catalog } from "../catalog/schema.ts";
import { ApiError, type LimitState } from "../errors.ts";
import type { RequestContext } from "./request-context.ts";

/** A handler that lets callers keep its answer replaces Cache-Control. */
export const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

const EXPOSED = [
  ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Scope", "X-RateLimit-Reset", "X-Request-Id"],
  ...["Retry-After", "Location", "ETag", "Idempotent-Replayed", "Allow"],
].join(", ");

/** @param state of the tightest limit that counted the request; undefined where none was charged */
export function limitHeaders(state: LimitState | undefined, { rate_limits: limits }: Catalog): Record<string, string> {
  const { scope, limit, remaining, resetSeconds } = state ?? {
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

/**
 * Which websites may read the answer in a browser: `site.cors` of the catalog.
 * @param vary of the answer so far
 */
export function corsHeaders(
  { catalog: { site }, request }: RequestContext,
  vary: string | number | undefined,
): Record<string, string> {
  if (site.cors === "none") return {};
  const origin = request.headers.get("origin") ?? "";
  const isListed = site.embed_origins.includes(origin);
  return {
    "Access-Control-Expose-Headers": EXPOSED,
    ...(site.cors === "any"
      ? { "Access-Control-Allow-Origin": "*" }
      : isListed && { "Access-Control-Allow-Origin": origin }),
    // Caches must not give one website the answer for another.
    ...(site.cors === "listed" && { Vary: vary ? `${vary}, Origin` : "Origin" }),
  };
}

/**
 * Browsers send a POST before they ask whether they may, so one of a website that is not allowed is refused here.
 * @throws ApiError FORBIDDEN
 */
export function refuseOtherSites({ caller, catalog: { site }, request }: RequestContext): void {
  const isAllowed =
    site.cors === "any" || (site.cors === "listed" && site.embed_origins.includes(request.headers.get("origin") ?? ""));
  if (isAllowed || !caller.isCrossSite || ["GET", "HEAD", "OPTIONS"].includes(request.method)) return;
  throw new ApiError("FORBIDDEN", "This shop takes no requests from other websites in a browser.");
}
