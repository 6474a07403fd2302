/**
 * The agent proxy (spec section 1, rule 4): passes every request on to the API as it is, under a User-Agent that no web
 * host turns away. Who really asks is passed on in two headers, which the API believes from its trusted proxies only.
 */
import type { Logger } from "pino";
import { ApiError } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { plainErrorBody } from "./error-response.ts";

export interface ProxyOptions {
  /** Where the API is: scheme, host and port, without a path. */
  upstream: URL;
  log: Logger;
  /** How long the API may take until its answer begins. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const USER_AGENT = "Mozilla/5.0 (compatible; TintdeskProxy/1.0)";
/** RFC 9110 section 7.6.1: of one connection, not of the message. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** @returns what answers a request; `peer` is the address of the other end of the connection */
export function createProxy({ upstream, log, timeoutMs = TIMEOUT_MS }: ProxyOptions) {
  return async (request: Request, peer: string | undefined): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const response = await fetch(new URL(pathname + search, upstream), {
        method: request.method,
        headers: requestHeaders(request.headers, peer),
        body: request.body,
        redirect: "manual",
        // Compressed bytes pass as they are.
        decompress: false,
        // The caller's going away ends the request; the deadline is for the beginning of the answer alone.
        signal: AbortSignal.any([request.signal, deadline.signal]),
      });
      return new Response(response.body, {
        status: response.status,
        statusText: response.statusText,
        headers: endToEnd(response.headers),
      });
    } catch (error) {
      // Nobody is left to read the answer.
      if (request.signal.aborted) return new Response(null, { status: 499 });
      return failure(error, deadline.signal.aborted, log);
    } finally {
      clearTimeout(timer);
    }
  };
}

function requestHeaders(received: Headers, peer: string | undefined): Headers {
  const headers = endToEnd(received);
  headers.delete("host");
  const userAgent = received.get("user-agent");
  headers.set("user-agent", USER_AGENT);
  // Overwritten, not believed: what a caller writes there itself would be taken for what this proxy saw.
  headers.delete("x-forwarded-user-agent");
  if (userAgent) headers.set("x-forwarded-user-agent", userAgent);
  // Appended: the API reads from the right and believes nothing to the left of the first address it does not trust.
  if (peer) headers.append("x-forwarded-for", peer);
  return headers;
}

function endToEnd(received: Headers): Headers {
  const named = (received.get("connection") ?? "").split(",").map((name) => name.trim());
  const headers = new Headers(received);
  for (const name of [...HOP_BY_HOP, ...named]) if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers.delete(name);
  return headers;
}

/**
 * 502 in the API's error shape. The code is INTERNAL_ERROR: its advice (back off, then fall back) is the right one, and
 * callers need not learn a code that the API itself never answers.
 */
function failure(error: unknown, isLate: boolean, log: Logger): Response {
  const requestId = newId("req");
  // Without the address, whose query a caller wrote.
  log.error({ requestId, isLate, code: Object(error).code }, "the API did not answer");
  const reason = isLate ? "did not answer in time" : "cannot be reached";
  const apiError = new ApiError(
    "INTERNAL_ERROR",
    `The API behind this proxy ${reason}. A request that changes something may have been carried out: repeat a booking only with the same booking_request_id.`,
  );
  return Response.json(plainErrorBody(apiError, {}, requestId), {
    status: 502,
    headers: { "X-Request-Id": requestId, "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store" },
  });
}
