/** Log lines of requests. They never hold an address, a name or anything else that a caller typed. */
import type { Logger } from "pino";
import { type ApiError, ERRORS } from "../errors.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import type { HttpCaller } from "./caller.ts";
import type { RequestContext } from "./request-context.ts";

/** A booking may have been stored: the request must not fail because its line cannot be logged. */
export function logRequest(call: RequestContext): void {
  const { request, route, caller, requestId, did, failure, startedAt, status } = call;
  const { log } = call.deps;
  // Machines ask every few seconds; a line for each would hide the others.
  const level = call.isHealthPath ? "debug" : "info";
  if (status < 500 && !log.isLevelEnabled(level)) return;
  const line = {
    requestId,
    method: methodName(request),
    path: route,
    status,
    ...(did && { did }),
    ...(failure && { error: failure.code }),
    ...(caller.keyId && { keyId: caller.keyId }),
    ...(caller.agentClass && { agentClass: caller.agentClass }),
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  try {
    if (status >= 500) log.error({ ...line, err: failure?.cause }, "request failed");
    else log[level](line, "request");
  } catch {}
}

/** An internal error inside an answer that is 200 over HTTP. */
export function logError({ deps: { log }, requestId }: RequestContext, failure: ApiError): void {
  if (ERRORS[failure.code].status < 500) return;
  try {
    log.error({ requestId, err: failure.cause }, "call failed");
  } catch {}
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The method for log and metrics. A caller can make up any other, so these are all `other`. */
export function methodName({ method }: Request): string {
  return METHODS.has(method) ? method : "other";
}

/** At most this many pools are named in a line; the count covers all. */
const NAMED_POOLS = 10;

/** Counts refused requests, logged once a minute: a caller who floods the API must not flood the log. */
export function createRateLimitLog(log: Logger, everyMs = MINUTE_MS): (caller: HttpCaller) => void {
  const counts = new Map<string, number>();

  const report = () => {
    const pools = [...counts].map(([pool, refused]) => ({ pool, refused })).sort((a, b) => b.refused - a.refused);
    counts.clear();
    const refused = pools.reduce((sum, pool) => sum + pool.refused, 0);
    log.warn({ refused, pools: pools.slice(0, NAMED_POOLS) }, "requests over a limit were refused");
  };

  return (caller) => {
    if (counts.size === 0) setTimeout(report, everyMs).unref();
    // The log holds no addresses, so callers without key and agent class are counted together.
    const named = caller.agentClass ? `class ${caller.agentClass}` : "network";
    const pool = caller.keyId ? `key ${caller.keyId}` : named;
    counts.set(pool, (counts.get(pool) ?? 0) + 1);
  };
}
