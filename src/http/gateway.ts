/**
 * The steps that all requests share, in the order of contract section 6: request id, caller, general limit, key, path and
 * method. Then the routes answer, and the gateway writes a log line.
 */
import type { Logger } from "pino";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError, ERRORS } from "../errors.ts";
import { andThen } from "../lib/and-then.ts";
import { newRequestId } from "../lib/ids.ts";
import type { Networks } from "../lib/network.ts";
import { type Charge, charge, type Granted } from "../limits/limiter.ts";
import { refuseCaller, requireRoute } from "./admission.ts";
import { readBody } from "./body.ts";
import {
  type Credentials,
  chargesOf,
  checkCredentials,
  createCallers,
  type HttpCaller,
  hasCredentials,
  NO_CREDENTIALS,
} from "./caller.ts";
import { type Exchange, isRead, type Route, type Shared } from "./exchange.ts";
import { explainMethod } from "./misplaced.ts";
import { countRefusals } from "./refusals.ts";
import { logRequest } from "./request-log.ts";
import { preflight, refuse, withoutBody } from "./respond.ts";
import type { Routes } from "./routes.ts";

export interface GatewayDeps extends Shared {
  /** The catalog in force; read once per request. */
  catalog: () => Catalog;
  now: () => Temporal.Instant;
  routes: Routes;
  trusted: Networks;
  log: Logger;
  /** Told of every answer, where figures are collected. */
  observe?: ((exchange: Exchange, status: number) => void) | undefined;
}

/** @param peer address of the other end of the connection */
export type Gateway = (request: Request, peer: string | undefined) => Response | Promise<Response>;

/**
 * Nothing is awaited where nothing has to be, and no step of all requests makes a function, because every request would pay
 * for it.
 */
export function createGateway(deps: GatewayDeps): Gateway {
  const countRefusal = countRefusals(deps.log);
  const identify = createCallers(deps.trusted);

  const pass = (exchange: Exchange, caller: HttpCaller, arrival: Arrival) => {
    const route = admit(exchange, caller, arrival);
    return exchange.request.method === "OPTIONS" ? preflight(exchange, route) : deps.routes.answer(exchange);
  };

  const answer = (exchange: Exchange, peer: string | undefined, arrival: Arrival) => {
    try {
      const { request, catalog } = exchange;
      const caller = identify(request.headers, peer, arrival.credentials, catalog);
      exchange.caller = caller;
      const limited = limit(exchange, caller);
      return limited ? passLater(exchange, caller, arrival, limited) : pass(exchange, caller, arrival);
    } catch (error) {
      return refused(exchange, error);
    }
  };

  const passLater = async (exchange: Exchange, caller: HttpCaller, arrival: Arrival, limited: Promise<void>) => {
    try {
      await limited;
      return pass(exchange, caller, arrival);
    } catch (error) {
      return refused(exchange, error);
    }
  };

  const finish = (exchange: Exchange, response: Response): Response | Promise<Response> => {
    if (response.status === ERRORS.RATE_LIMITED.status) countRefusal(exchange.caller);
    else logRequest(exchange, response.status);
    deps.observe?.(exchange, response.status);
    const answered = exchange.request.method === "HEAD" ? withoutBody(response) : response;
    // The caller's next request must find its charges taken back, whichever process gets it.
    const undone = exchange.granted?.undone?.();
    return undone ? undone.then(() => answered) : answered;
  };

  const answerLater = async (exchange: Exchange, peer: string | undefined, arriving: Promise<Arrival>) =>
    answer(exchange, peer, await arriving);

  const finishLater = async (exchange: Exchange, answering: Promise<Response>) => {
    let response: Response;
    try {
      response = await answering;
    } catch (error) {
      response = refuse(exchange, error);
    }
    return finish(exchange, response);
  };

  return (received, peer) => {
    const exchange = open(received, deps);
    const arrival = arrive(exchange);
    const response =
      arrival instanceof Promise ? answerLater(exchange, peer, arrival) : answer(exchange, peer, arrival);
    return response instanceof Promise ? finishLater(exchange, response) : finish(exchange, response);
  };
}

/** The answer to a request that is not let through. */
function refused(exchange: Exchange, error: unknown): Response | Promise<Response> {
  if (!(error instanceof ApiError && error.code === "METHOD_NOT_ALLOWED")) return refuse(exchange, error);
  return explainMethod(error, exchange).then((explained) => refuse(exchange, explained));
}

function open(received: Request, deps: GatewayDeps): Exchange {
  const startedAt = performance.now();
  const request = withPlainUrl(received);
  const { path, query } = splitUrl(request.url);
  const route = deps.routes.find(path);
  return {
    request,
    requestId: newRequestId(),
    startedAt,
    path,
    query,
    catalog: deps.catalog(),
    now: deps.now(),
    route,
    log: deps.log,
    shared: deps,
    capability: route?.capability,
    caller: undefined,
    message: undefined,
    granted: undefined,
    limits: [],
    did: undefined,
    failure: undefined,
  };
}

/** The values that admission depends on, besides the exchange. */
interface Arrival {
  credentials: Credentials;
  /** The error of an unreadable message. */
  fault: unknown;
}
const BARE: Arrival = { credentials: NO_CREDENTIALS, fault: undefined };

/** Most requests have neither credentials nor a message to read. */
function arrive(exchange: Exchange): Arrival | Promise<Arrival> {
  return hasCredentials(exchange.request.headers) || isMessage(exchange) ? readArrival(exchange) : BARE;
}

async function readArrival(exchange: Exchange): Promise<Arrival> {
  const { headers } = exchange.request;
  const credentials = await checkCredentials(headers, exchange.shared.findKey, takesKey(exchange));
  return { credentials, fault: isMessage(exchange) ? await readMessage(exchange) : undefined };
}

/** Charges a request; health checks and preflights are free. @throws ApiError RATE_LIMITED */
function limit(exchange: Exchange, caller: HttpCaller): void | Promise<void> {
  const { request, route, catalog } = exchange;
  const { limiter } = exchange.shared;
  const charges = chargesOf(caller, invoked(exchange), catalog);
  const isPreflight = route !== undefined && request.method === "OPTIONS";
  if (isHealthCheck(exchange) || isPreflight) return peek(exchange, charges);
  const granted = charge(limiter, charges);
  return granted instanceof Promise ? noteLater(exchange, granted) : note(exchange, granted);
}

function peek(exchange: Exchange, charges: readonly Charge[]): void | Promise<void> {
  return andThen(exchange.shared.limiter.peek(charges), ({ states }) => {
    exchange.limits = states;
  });
}

async function noteLater(exchange: Exchange, granting: Promise<Granted>): Promise<void> {
  note(exchange, await granting);
}

function note(exchange: Exchange, granted: Granted): void {
  exchange.granted = granted;
  exchange.limits = granted.states;
}

function isHealthCheck({ route, request }: Exchange): boolean {
  return route?.isHealthCheck === true && isRead(request);
}

/** @throws ApiError when the request is not let through to its route */
function admit(exchange: Exchange, caller: HttpCaller, { fault }: Arrival): Route {
  const { request, route, catalog } = exchange;
  const needsKey = catalog.bookings.require_api_key && invoked(exchange)?.acceptsKey === true;
  if (!isHealthCheck(exchange)) refuseCaller(caller, needsKey);
  if (fault !== undefined) throw fault;
  return requireRoute(route, request.method);
}

/** Whether the path has a use for an API key. */
function takesKey({ route }: Exchange): boolean {
  return route?.capability !== undefined;
}

function isMessage({ route, request }: Exchange): boolean {
  return route?.protocol !== undefined && request.method === "POST";
}

/**
 * Reads a message of MCP or A2A, which names the capability to charge.
 * @returns the error of an unreadable message, which the caller gets once limits and key are checked
 */
async function readMessage(exchange: Exchange): Promise<unknown> {
  try {
    exchange.message = await readBody(exchange.request);
    exchange.capability = exchange.route?.protocol?.capabilityOf(exchange.message, exchange.catalog);
    return undefined;
  } catch (fault) {
    return fault;
  }
}

/** The capability to charge; none for OPTIONS and wrong methods. */
function invoked({ message, capability, request }: Exchange): Exchange["capability"] {
  return message || capability?.method === request.method ? capability : undefined;
}

/** Bun gives a request without a usable Host header a bare path as its URL. A fragment is dropped. */
function withPlainUrl(request: Request): Request {
  const { url } = request;
  if (/^https?:\/\/[^#]/.test(url) && !url.includes("#")) return request;
  const path = /^https?:\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? url.replace(/#.*$/s, "");
  return new Request(`http://localhost${path.startsWith("/") ? path : "/"}`, request);
}

/** A slash at the end of the path is dropped. */
function splitUrl(url: string): { path: string; query: string } {
  const from = url.indexOf("/", "https://".length);
  const mark = url.indexOf("?", from);
  const path = mark === -1 ? url.slice(from) : url.slice(from, mark);
  return {
    path: path.length > 1 && path.endsWith("/") && !path.endsWith("//") ? path.slice(0, -1) : path,
    query: mark === -1 ? "" : url.slice(mark + 1),
  };
}
