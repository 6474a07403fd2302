/** Log lines of requests. They never hold an address, a name or anything else that a caller typed. */
import { type ApiError, ERRORS } from "../errors.ts";
import type { RequestContext } from "./request-context.ts";

/** Asked every few seconds by machines; a line for each would hide the others. */
const CHECKS: ReadonlySet<string | undefined> = new Set(["/livez", "/readyz"]);

/** One line for a request that was answered. */
export function logRequest(call: RequestContext): void {
  const { request, route, caller, requestId, did, failure, startedAt, status } = call;
  const { log } = call.deps;
  const level = CHECKS.has(route) ? "debug" : "info";
  if (status < 500 && !log.isLevelEnabled(level)) return;
  harmlessly(() => {
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
    if (status >= 500) log.error({ ...line, err: failure?.cause }, "request failed");
    else log[level](line, "request");
  });
}

/** An internal error inside an answer that is 200 over HTTP. */
export function logError({ deps: { log }, requestId }: RequestContext, failure: ApiError): void {
  if (ERRORS[failure.code].status < 500) return;
  harmlessly(() => log.error({ requestId, err: failure.cause }, "call failed"));
}

/** The request may have been carried out, a booking stored: it must not fail because its line cannot be logged. */
function harmlessly(write: () => void): void {
  try {
    write();
  } catch {
    // A log that fails cannot report its own failure.
  }
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The method for log and metrics. A caller can make up any other, so these are all `other`. */
export function methodName({ method }: Request): string {
  return METHODS.has(method) ? method : "other";
}
