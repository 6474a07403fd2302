/** What answers the methods that a path has no handler for: OPTIONS with the preflight, all others with 405. */
import type { Elysia } from "elysia";
import type { Capability } from "../capabilities/core/capability.ts";
import type { CapabilityId } from "../capabilities/core/operations.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import { API_PREFIX } from "../constants.ts";
import { ApiError, type ErrorDetails } from "../errors.ts";
import { hasBody } from "./body.ts";
import { queryOf } from "./query.ts";
import { type RequestContext, withCall } from "./request-context.ts";
import { withWholeRequest } from "./wrong-place.ts";

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
