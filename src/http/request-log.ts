import type { Logger } from "pino";
import type { ApiError } from "../errors.ts";
import type { HttpCaller } from "./caller.ts";
import type { Route } from "./routes.ts";

interface Finished {
  request: Request;
  route: Route | undefined;
  path: string;
  status: number;
  caller: HttpCaller | undefined;
  requestId: string;
  failure: ApiError | undefined;
  milliseconds: number;
}

/** One line per request, without addresses, names or anything else the caller typed. */
export function logRequest(
  log: Logger,
  { request, route, path, status, caller, requestId, failure, milliseconds }: Finished,
): void {
  const line = {
    requestId,
    method: METHODS.has(request.method) ? request.method : "other",
    path: route ? path : "unknown",
    status,
    ...(failure && { error: failure.code }),
    ...(caller?.keyId && { keyId: caller.keyId }),
    ...(caller?.agentClass && { agentClass: caller.agentClass }),
    ms: Math.round(milliseconds * 10) / 10,
  };
  if (status >= 500) log.error({ ...line, err: failure?.cause }, "request failed");
  else log.info(line, "request");
}
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
