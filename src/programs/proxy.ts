/**
 * `tint proxy`, the agent proxy (contract 10): passes every request on to the API, with a User-Agent that web hosts let
 * through. The caller's User-Agent and address travel in two headers, which the API believes only from its trusted
 * proxies.
 */
import type { Logger } from "pino";
import type { Listening } from "../env/env.ts";
import { ApiError } from "../errors.ts";
import { plainErrorBody } from "../http/errors.ts";
import { codeOf } from "../lib/files.ts";
import { newRequestId } from "../lib/ids.ts";
import { isCountryHeader, type Networks, parseAddress, parseNetworks } from "../lib/network.ts";
import { serverOptions } from "./listen.ts";
import { drain, runProgram, stopSignal } from "./process.ts";

/** A stream on which nothing came for this long is given up. */
const IDLE_SECONDS = 120;

interface ProxySettings extends Listening {
  /** http or https, without user, query and fragment. Its path is put before paths that do not begin with it. */
  upstream: URL;
  /** How long the API may take until its answer begins. */
  timeoutMs?: number;
}

/** Forwards until SIGTERM or SIGINT, then lets requests in flight end. */
export function serveProxy(settings: ProxySettings): Promise<void> {
  const { upstream, port, host, trustedProxies: trusted, timeoutMs } = settings;
  return runProgram(settings.logLevel, async (log) => {
    const forward = createProxy({ upstream, log, trusted, ...(timeoutMs !== undefined && { timeoutMs }) });
    const server = Bun.serve({
      ...serverOptions({ port, host, log, idleSeconds: IDLE_SECONDS }),
      fetch: (request, server) => forward(request, server.requestIP(request)?.address),
    });
    log.info({ url: server.url.href, upstream: upstream.origin + upstream.pathname }, "the proxy is listening");
    log.info({ signal: await stopSignal() }, "draining");
    await drain(server);
    log.info("stopped");
  });
}

interface ProxyOptions extends Pick<ProxySettings, "upstream" | "timeoutMs"> {
  log: Logger;
  /** Peers whose country header passes: the web host in front of this proxy. */
  trusted?: Networks;
}

const TIMEOUT_MS = 30_000;
const USER_AGENT = "Mozilla/5.0 (compatible; TintdeskProxy/1.0)";
/** Headers that belong to one connection, not to the message (RFC 9110, 7.6.1). */
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
/** Methods that ask for something other than passing a request on. */
const REFUSED_METHODS = new Set(["CONNECT", "TRACE", "TRACK"]);

/** @returns what answers a request; `peer` is the address of the other end of the connection */
export function createProxy({
  upstream,
  log,
  trusted = parseNetworks([]),
  timeoutMs = TIMEOUT_MS,
}: ProxyOptions): (request: Request, peer: string | undefined) => Promise<Response> {
  return async (request, peer) => {
    const target = upstreamUrl(request, upstream);
    // Not logged: a hostile caller could fill the log, and nothing is wrong with the API.
    if (!target)
      return inErrorShape(400, new ApiError("BAD_REQUEST", "This is not a request that can be passed on to the API."));
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const response = await fetch(target, {
        method: request.method,
        headers: requestHeaders(request.headers, peer, trusted),
        body: request.body,
        redirect: "manual",
        // Compressed bytes pass unchanged.
        decompress: false,
        // A caller who goes away ends the request. The deadline covers only the time until the answer begins.
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

/**
 * The address to ask. The origin is the upstream's whatever the request line says: a path that begins with two slashes
 * would name another host if it were resolved like a link.
 * @returns undefined when the request has no usable address: an empty or bad Host, CONNECT, a path like //host
 */
function upstreamUrl({ method, url }: Request, upstream: URL): URL | undefined {
  if (REFUSED_METHODS.has(method) || !/^https?:\/\//.test(url) || !URL.canParse(url)) return undefined;
  const { pathname, search, username, password } = new URL(url);
  if (username !== "" || password !== "" || /^[/\\]{2}/.test(pathname)) return undefined;
  const prefix = upstream.pathname.replace(/(?<!\/)\/+$/, "");
  const isBelow = (path: string) => path === prefix || path.startsWith(`${prefix}/`);
  const target = new URL(upstream.origin);
  target.pathname = isBelow(pathname) ? pathname : prefix + pathname;
  target.search = search;
  return target.origin === upstream.origin && isBelow(target.pathname) ? target : undefined;
}

function requestHeaders(received: Headers, peer: string | undefined, trusted: Networks): Headers {
  const headers = endToEnd(received);
  headers.delete("host");
  const userAgent = received.get("user-agent");
  headers.set("user-agent", USER_AGENT);
  // Overwritten: otherwise the API would take a caller's own value for the one that this proxy saw.
  headers.delete("x-forwarded-user-agent");
  if (userAgent) headers.set("x-forwarded-user-agent", userAgent);
  // Appended: the API reads from the right, and believes nothing to the left of the first address it does not trust.
  if (peer) headers.append("x-forwarded-for", peer);
  // Removed: a caller could otherwise claim another country than the one the shop blocks.
  if (!trusted.has(parseAddress(peer))) {
    for (const name of [...headers.keys()]) if (isCountryHeader(name)) headers.delete(name);
  }
  return headers;
}

function endToEnd(received: Headers): Headers {
  const named = (received.get("connection") ?? "").split(",").map((name) => name.trim());
  const headers = new Headers(received);
  for (const name of [...HOP_BY_HOP, ...named]) if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers.delete(name);
  return headers;
}

/** 502 as INTERNAL_ERROR, whose advice fits (back off, then fall back): callers need not learn a code that the API never answers. */
function failure(error: unknown, isLate: boolean, log: Logger): Response {
  const reason = isLate ? "did not answer in time" : "cannot be reached";
  const apiError = new ApiError(
    "INTERNAL_ERROR",
    `The API behind this proxy ${reason}. A request that changes something may have been carried out: repeat a booking only with the same booking_request_id.`,
  );
  const response = inErrorShape(502, apiError);
  // The address is not logged, because a caller wrote its query.
  const requestId = response.headers.get("x-request-id");
  log.error({ requestId, isLate, code: codeOf(error) }, "the API did not answer");
  return response;
}

/** The API's headers of limits. The proxy counts nothing, and grants nothing in the API's place. */
const NOTHING_GRANTED = {
  "X-RateLimit-Limit": "0",
  "X-RateLimit-Remaining": "0",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id",
};

function inErrorShape(status: number, error: ApiError): Response {
  const requestId = newRequestId();
  return Response.json(plainErrorBody(error, requestId), {
    status,
    headers: { "X-Request-Id": requestId, ...NOTHING_GRANTED, "Cache-Control": "no-store" },
  });
}
