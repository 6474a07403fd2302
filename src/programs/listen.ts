import type { Logger } from "pino";
import { ApiError } from "../errors.ts";
import { plainErrorBody } from "../http/errors.ts";
import { newRequestId } from "../lib/ids.ts";

interface ListenOptions {
  port: number;
  host: string;
  log: Logger;
  /** Whole seconds, 255 at most; Bun's default is 10. */
  idleSeconds?: number;
}

/** The settings of an HTTP server on one port. It throws when it cannot listen there. */
export function serverOptions({ port, host, log, idleSeconds = 10 }: ListenOptions) {
  return {
    port,
    hostname: host,
    idleTimeout: idleSeconds,
    // Bun answers larger bodies with an empty 413; the API has its own limit of 64 KiB, and says so in its error shape.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Otherwise an error shows Bun's page with source lines, and a second server silently shares the port.
    development: false,
    reusePort: false,
    error(error: Error & { code?: string }) {
      const requestId = newRequestId();
      // The message and the stack are not logged, because they may quote a caller.
      log.error({ requestId, code: error.code ?? error.name }, "a request failed unexpectedly");
      const body = plainErrorBody(new ApiError("INTERNAL_ERROR", "Something went wrong on our side."), requestId);
      return Response.json(body, { status: 500, headers: { "X-Request-Id": requestId, "Cache-Control": "no-store" } });
    },
  };
}
