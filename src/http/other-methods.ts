/** What answers the methods that a path has no handler for: OPTIONS with the preflight, all others with 405. */
import type { Elysia } from "elysia";
import { ApiError } from "../errors.ts";
import { type RequestContext, withCall } from "./request-context.ts";
import { explainMethod } from "./wrong-place.ts";

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, A2A-Version, A2A-Extensions";

/** Adds them to every path of a plugin that stands in it so far. Use it last. */
export function otherMethods<App extends Elysia>(plugin: App): App {
  const paths = Map.groupBy(plugin.routes, ({ path }) => path);
  for (const [path, routes] of paths) {
    const methods = routes.map(({ method }) => method).filter((method) => method !== "HEAD");
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    plugin.use(withCall).all(
      path,
      async ({ call, set }) => {
        set.headers.Allow = allow;
        if (call.request.method !== "OPTIONS") throw await wrongMethod(call, methods[0] ?? "GET");
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

async function wrongMethod(call: RequestContext, first: string): Promise<ApiError> {
  const { capability, request } = call;
  const method = capability?.method ?? first;
  const message = `This path does not answer ${request.method}; use ${method}.`;
  const error = new ApiError("METHOD_NOT_ALLOWED", message, { method });
  return capability ? explainMethod(error, call, capability) : error;
}
