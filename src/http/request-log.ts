/** Log lines of requests. They never hold an address, a name or anything else that a caller typed. */
import { type ApiError, ERRORS } from "../errors.ts";
import { type Exchange, methodName } from "./exchange.ts";

/** One line for a request that was answered. */
export function logRequest(exchange: Exchange, status: number): void {
  const { request, route, caller, requestId, did, failure, startedAt, log } = exchange;
  if (status < 500 && !log.isLevelEnabled("info")) return;
  harmlessly(() => {
    const line = {
      requestId,
      method: methodName(request),
      path: route?.path ?? "unknown",
      status,
      ...(did && { did }),
      ...(failure && { error: failure.code }),
      ...(caller?.keyId && { keyId: caller.keyId }),
      ...(caller?.agentClass && { agentClass: caller.agentClass }),
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    };
    if (status >= 500) log.error({ ...line, err: failure?.cause }, "request failed");
    else log.info(line, "request");
  });
}

/** A fault of ours inside an answer that is 200 over HTTP. */
export function logFault({ log, requestId }: Exchange, failure: ApiError): void {
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
