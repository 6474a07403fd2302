/** What the routes of all plugins have in common: `call`, and the answers to OPTIONS and to methods without a handler (405). */
import { type DocumentDecoration, Elysia } from "elysia";
import { ApiError } from "../errors.ts";
import { fieldNames, readBodyText, withFieldsInPlace } from "./input.ts";
import type { RequestContext } from "./request-context.ts";
import { meantOfBookings, pathOf } from "./ways.ts";

/** Gives plugins the type of the request context. */
export const withCall = new Elysia({ name: "tintdesk/call" }).decorate("call", {} as RequestContext);

/** A plugin for a kind of path. The OpenAPI document leaves its routes out, but for those with a `detail` of their own. */
export function pathPlugin(): PathPlugin {
  return new Elysia({ detail: { hide: true } }).use(withCall);
}

export type PathPlugin = typeof withCall;
export type Detail = DocumentDecoration;
/** The operation of a route, for its place in the OpenAPI document. @param path from the address of the API */
export type DetailOf = (method: string, path: string) => Detail;

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

/** For every path of a plugin that is in it so far, so use it last. `sample`: a body where no capability has one. */
export function otherMethods<App extends Elysia>(plugin: App, sample: Record<string, unknown> = {}): App {
  const withContext = plugin.use(withCall);
  const paths = Map.groupBy(plugin.routes, ({ path }) => path);
  for (const [path, routes] of paths) {
    const methods = routes.map(({ method }) => method).filter((method) => method !== "HEAD");
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    withContext.all(
      path,
      async ({ call, set, params }) => {
        set.headers.Allow = allow;
        if (call.request.method !== "OPTIONS")
          throw await wrongMethod(call, { method: methods[0] ?? "GET", sample }, params);
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
async function wrongMethod(
  call: RequestContext,
  usual: { method: string; sample: Record<string, unknown> },
  params: object,
): Promise<ApiError> {
  const { request, catalog } = call;
  const text = await readBodyText(request).catch(() => "");
  const asked = { method: request.method, names: fieldNames(request, text), catalog };
  const meant = call.capability && meantOfBookings(call.capability, asked);
  // The sample is that of what was meant.
  if (meant) call.capability = meant;
  const { capability } = call;
  const method = capability?.method ?? usual.method;
  const path = capability ? pathOf(capability, { ...params }) : new URL(request.url).pathname;
  const did_you_mean = `${method} ${path}`;
  const instead = meant ? `${did_you_mean} is probably meant` : `use ${method}`;
  const error = new ApiError("METHOD_NOT_ALLOWED", `This path does not answer ${request.method}; ${instead}.`, {
    method,
    path,
    suggested: { sample: usual.sample, fillIn: [], hints: [] },
    ...(meant && {
      did_you_mean,
      agent_instruction: `For a booking that was made, send ${did_you_mean} with ${PROOF}.`,
    }),
  });
  return capability ? withFieldsInPlace(error, call, { capability, text, params }) : error;
}

const PROOF = "the customer's confirmation_code and their phone or email";
