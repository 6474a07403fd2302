/** The headers of every response. */
import type { Shop } from "../catalog/shop.ts";
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
export function limitHeaders(state: LimitState | undefined, { rate_limits: limits }: Shop): Record<string, string> {
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

/**
 * Which websites may read the answer in a browser.
 * @param vary of the answer so far
 */
export function corsHeaders(call: RequestContext, vary: string | number | undefined): Record<string, string> {
  const { cors } = call.catalog.site;
  if (cors === "none") return {};
  return {
    "Access-Control-Expose-Headers": EXPOSED,
    ...(allowsSite(call) && {
      "Access-Control-Allow-Origin": cors === "any" ? "*" : (call.request.headers.get("origin") ?? ""),
    }),
    // Caches must not give one website the answer for another.
    ...(cors === "listed" && { Vary: vary ? `${vary}, Origin` : "Origin" }),
  };
}

/**
 * Browsers send a POST before they ask whether they may, so one of a website that is not allowed is refused here.
 * @throws ApiError FORBIDDEN
 */
export function refuseOtherSites(call: RequestContext): void {
  const isReading = ["GET", "HEAD", "OPTIONS"].includes(call.request.method);
  if (isReading || !call.caller.isCrossSite || allowsSite(call)) return;
  throw new ApiError("FORBIDDEN", "This shop takes no requests from other websites in a browser.");
}
