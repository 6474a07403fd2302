/** The OpenAPI document: @elysiajs/swagger serves the one that `src/discovery` makes from the capabilities. */
import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { otherMethods } from "./other-methods.ts";
import { queryOf } from "./query.ts";
import { byDay, cached, getAndHead, represent, type Sending, sendRepresentation } from "./representation.ts";
import { type RequestContext, withCall } from "./request-context.ts";

type Documentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;
type Make = (catalog: Shop, now: Temporal.Instant) => Promise<object>;

const PATH = `${API_PREFIX}/openapi.json`;

/**
 * @param make the whole document; it takes longer than any other answer, so it is made once a day and catalog
 * @param makeForTools the form that function calling takes, for `?profile=tools`
 */
export function openApiPlugin(make: Make, makeForTools: Make) {
  /** The plugin reads this object whenever it answers. */
  const documentation: Documentation = {};
  // The plugin's own page loads scripts from other hosts. The document has the same path, and takes its place.
  const documents = swagger({ path: PATH, specPath: PATH, exclude: [/.*/], documentation });
  const answerOfPlugin = documents.routes.at(-1)?.handler;
  const whole = cached(async (call: RequestContext) => {
    Object.assign(documentation, await make(call.catalog, call.now));
    return represent(JSON.stringify(answerOfPlugin?.(NOTHING)), TYPE);
  }, byDay);
  const forTools = cached(
    async ({ catalog, now }: RequestContext) => represent(JSON.stringify(await makeForTools(catalog, now)), TYPE),
    byDay,
  );
  const send = async ({ call, set }: Sending) => {
    const isForTools = new URLSearchParams(queryOf(call.request)).get("profile") === "tools";
    return sendRepresentation({ call, set }, await (isForTools ? forTools : whole)(call));
  };
  const plugin = new Elysia().use(withCall).use(documents);
  // In place of the plugin's own route, which would look at every route of the application for each request.
  getAndHead(plugin, PATH, send);
  getAndHead(plugin, WELL_KNOWN_PATH, send);
  return plugin.use(otherMethods);
}

/** The handler of the plugin reads nothing of the request. */
const NOTHING = {} as never;
const WELL_KNOWN_PATH = "/.well-known/openapi.json";
const TYPE = "application/json";
