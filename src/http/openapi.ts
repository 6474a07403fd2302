/** The OpenAPI document: @elysiajs/swagger serves the one that `src/discovery` makes from the capabilities. */
import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import type { Catalog } from "../catalog/schema.ts";
import { API_PREFIX } from "../constants.ts";
import { otherMethods } from "./other-methods.ts";
import { byDay, cached, represent, send } from "./representation.ts";
import { queryOf, type RequestContext, withCall } from "./request-context.ts";

type Documentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;
type Make = (catalog: Catalog, now: Temporal.Instant) => Promise<object>;

const PATH = `${API_PREFIX}/openapi.json`;

/**
 * @param make the whole document; it takes longer than any other answer, so it is made once a day and catalog
 * @param makeForTools the form that function calling takes, for `?profile=tools`
 */
export function openApiPlugin(make: Make, makeForTools: Make) {
  const whole = cached(({ catalog, now }: RequestContext) => make(catalog, now), byDay);
  const wholeText = cached(
    async (document: Documentation) => represent(JSON.stringify(document), TYPE),
    () => [documentation.paths],
  );
  const forTools = cached(
    async ({ catalog, now }: RequestContext) => represent(JSON.stringify(await makeForTools(catalog, now)), TYPE),
    byDay,
  );
  /** The plugin reads this object at every request. */
  const documentation: Documentation = {};
  // The plugin's own page loads scripts from other hosts. The document has the same path, and takes its place.
  const documents = swagger({ path: PATH, specPath: PATH, exclude: [/.*/], documentation });
  const serve = documents.routes.at(-1)?.handler ?? (() => documentation);
  return new Elysia()
    .use(withCall)
    .onBeforeHandle(async ({ call }) => {
      Object.assign(documentation, await whole(call));
    })
    .onAfterHandle(async ({ call, set, responseValue, request }) => {
      // The answer to OPTIONS stays as it is.
      if (request.method !== "GET" && request.method !== "HEAD") return responseValue;
      const isForTools = new URLSearchParams(queryOf(call.request)).get("profile") === "tools";
      return send({ call, set }, await (isForTools ? forTools(call) : wholeText(Object(responseValue))));
    })
    .use(documents)
    .head(PATH, serve)
    .get(WELL_KNOWN_PATH, serve)
    .head(WELL_KNOWN_PATH, serve)
    .use(otherMethods);
}

const WELL_KNOWN_PATH = "/.well-known/openapi.json";
const TYPE = "application/json";
