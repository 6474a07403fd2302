/**
 * What the routes of all plugins have in common: `call`, the facts about the request; what answers the methods that a path
 * has no handler for, OPTIONS with the preflight and all others with 405; and the 404 of a path that does not exist.
 */
import { Elysia } from "elysia";
import type { Capability } from "../capabilities/core/capability.ts";
import type { CapabilityId } from "../capabilities/core/operations.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import { API_PREFIX } from "../constants.ts";
import { ApiError, type ErrorDetails } from "../errors.ts";
import { didYouMean } from "../schema/explain.ts";
import { hasBody, queryOf, withWholeRequest } from "./input.ts";
import type { RequestContext } from "./request-context.ts";

/** Gives plugins the type of the request context. */
export const withCall = new Elysia({ name: "tintdesk/call" }).decorate("call", {} as RequestContext);

export const ANY_PATH = "/*";

/** A path of ours, `/bookings/{code}`, as Elysia writes it. */
export function toRoute(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** The pattern of the path for log and metrics: the inverse of `toRoute`. */
export function toPattern(route: string): string {
  return route === ANY_PATH ? "unknown" : route.replace(/:(\w+)/g, "{$1}");
}

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, A2A-Version, A2A-Extensions";

/** Adds them to every path of a plugin that stands in it so far. Use it last. */
export function otherMethods<App extends Elysia>(plugin: App): App {
  const withContext = plugin.use(withCall);
  const paths = Map.groupBy(plugin.routes, ({ path }) => path);
  for (const [path, routes] of paths) {
    const methods = routes.map(({ method }) => method).filter((method) => method !== "HEAD");
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    withContext.all(
      path,
      async ({ call, set, params }) => {
        set.headers.Allow = allow;
        if (call.request.method !== "OPTIONS") throw await wrongMethod(call, methods[0] ?? "GET", params);
        set.status = 204;
        set.headers["Access-Control-Allow-Methods"] = allow;
        set.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS;
        set.headers["Access-Control-Max-Age"] = "600";
        return "";
      },
      { parse: "none" },
    );
  }
  return plugin;
}

/** @param params the fields in the path */
async function wrongMethod(call: RequestContext, first: string, params: object): Promise<ApiError> {
  const { request } = call;
  const meant = call.capability && meantBy(call, call.capability);
  // The sample is that of what was meant.
  if (meant) call.capability = meant;
  const { capability } = call;
  const method = capability?.method ?? first;
  const details: ErrorDetails = meant ? { method, ...insteadOf(meant) } : { method };
  const instead = meant ? `${details.did_you_mean} is probably meant` : `use ${method}`;
  const message = `This path does not answer ${request.method}; ${instead}.`;
  const error = new ApiError("METHOD_NOT_ALLOWED", message, details);
  return capability ? withWholeRequest(error, call, { capability, params }) : error;
}

function insteadOf({ method, path }: Capability): Pick<ErrorDetails, "did_you_mean" | "agent_instruction"> {
  const did_you_mean = `${method} ${API_PREFIX}${path}`;
  const proof = "the customer's confirmation_code and their phone or email";
  return { did_you_mean, agent_instruction: `For a booking that was made, send ${did_you_mean} with ${proof}.` };
}

/** What the methods of other APIs would do with a booking. */
const ON_BOOKINGS: Readonly<Record<string, CapabilityId>> = {
  GET: "find_booking",
  DELETE: "cancel_booking",
  PUT: "reschedule_booking",
  PATCH: "reschedule_booking",
};

function meantBy({ request, catalog }: RequestContext, { id }: Capability): Capability | undefined {
  if ((id !== "book_appointment" && id !== "booking_status") || !catalog.bookings.self_service.enabled)
    return undefined;
  // With fields it was meant to book.
  if (request.method === "GET" && (hasBody(request) || queryOf(request) !== "")) return undefined;
  return CAPABILITIES.find((one) => one.id === ON_BOOKINGS[request.method]);
}

const nowhere = ({ call, path }: { call: RequestContext; path: string }) => refusePath(call, path);

/**
 * Answers every path that no other plugin has. GET stands by itself, because Elysia makes HEAD of it, which states the length
 * of the answer.
 */
export const notFoundPlugin = new Elysia()
  .use(withCall)
  .get(ANY_PATH, nowhere)
  .all(ANY_PATH, nowhere, { parse: "none" });

export function noSuchPath(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such path.");
}

/** @param path where it is one of the API, the nearest path that exists is named, with the request as it takes it */
async function refusePath(call: RequestContext, path: string): Promise<never> {
  const meant = capabilityNear(path);
  if (!meant) throw noSuchPath();
  const did_you_mean = `${meant.method} ${API_PREFIX}${meant.path}`;
  const message = `There is no such path; ${did_you_mean} is probably meant.`;
  const agent_instruction = `Send the request to ${did_you_mean}. GET ${API_PREFIX}/capabilities lists the paths that exist.`;
  call.capability = meant;
  const error = new ApiError("NOT_FOUND", message, { did_you_mean, agent_instruction });
  throw await withWholeRequest(error, call, { capability: meant });
}

/**
 * The capability whose path is like this one, or begins like it: `/quote`, `/api/quotes` and `/api/v2/quote/` for
 * `/quote-request`, `/api/v1/faqs` for `/faq`.
 */
function capabilityNear(path: string): Capability | undefined {
  const [, word = ""] = /^(?:\/api(?:\/v\d+)?)?(\/[a-z/-]+?)s?\/?$/i.exec(path) ?? [];
  if (word === "") return undefined;
  const paths = CAPABILITIES.map((one) => one.path).filter((one) => !one.includes("{"));
  const meant = paths.find((one) => one.startsWith(word)) ?? didYouMean(word, paths);
  return CAPABILITIES.find((one) => one.path === meant);
}
