/** The Elysia application: every path and what answers it. The gateway around it owns limits, errors and headers. */
import { createHash } from "node:crypto";
import { Elysia } from "elysia";
import type { Capability, Context, LimitState } from "../capabilities/core/capability.ts";
import type { Document } from "../capabilities/core/document.ts";
import type { Warning } from "../capabilities/core/envelope.ts";
import { ignoredField, invoke, MAX_WARNINGS, type Outcome, overview } from "../capabilities/core/invoke.ts";
import type { Call } from "../capabilities/core/protocol.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError } from "../errors.ts";
import { coerceFields } from "../schema/coerce.ts";
import { jsonSchema } from "../schema/json-schema.ts";
import { API_PREFIX } from "../vocabulary.ts";
import { readBody } from "./body.ts";
import type { Endpoint } from "./protocols.ts";
import { createOpenApiSource } from "./swagger.ts";

/** What the gateway knows of a request and hands to its handler. */
export interface Exchange {
  ctx: Context;
  /** What was sent to an endpoint of MCP or A2A. */
  message: object | undefined;
  /** An error in the one shape; a fault of ours is logged. */
  describe: Call["describe"];
  /** Filled by the handler: limits to report beside those the gateway charged. */
  limits: LimitState[];
  /** What the handler threw. */
  failure?: { error: unknown };
}

export interface Route {
  /** Without HEAD and OPTIONS, which every path answers. */
  methods: string[];
  capability: Capability | undefined;
  /** What speaks a protocol of its own here. */
  endpoint?: Endpoint;
}

export interface Routes {
  /** Undefined when there is no such path. */
  find: (path: string) => Route | undefined;
  /** Only for a path and method that `find` knows. */
  handle: (request: Request, exchange: Exchange) => Promise<Response>;
}

/** @param openApi makes the OpenAPI document */
export function createRoutes(
  documents: readonly Document[],
  openApi: (catalog: Catalog, now: Temporal.Instant) => object,
  endpoints: readonly Endpoint[],
): Routes {
  const exchanges = new WeakMap<Request, Exchange>();
  const exchangeOf = (request: Request): Exchange => {
    const exchange = exchanges.get(request);
    if (!exchange) throw new Error("a request came past the gateway");
    return exchange;
  };
  const app = new Elysia({ handler: { standardHostname: false } });
  const capabilities = new Map<string, Capability>();
  const add = (
    method: "GET" | "POST",
    path: string,
    answer: (request: Request, exchange: Exchange) => Promise<Response> | Response,
  ) => app.route(method, path, ({ request }) => keepFailure(exchangeOf(request), request, answer), { parse: "none" });

  for (const capability of CAPABILITIES) {
    const path = API_PREFIX + capability.path;
    capabilities.set(path, capability);
    const answer = async (raw: object, exchange: Exchange, further: Warning[] = []) => {
      const { body, ...outcome } = await invoke(capability, raw, exchange.ctx);
      exchange.limits.push(...outcome.limits);
      const warnings = [...(body.warnings ?? []), ...further];
      return toResponse({ ...outcome, body: { ...body, ...(warnings.length > 0 && { warnings }) } });
    };
    const query = (request: Request) => readQuery(request, capability);

    if (capability.method === "POST")
      add("POST", path, async (request, exchange) =>
        answer(await readBody(request), exchange, queryWarnings(new URL(request.url))),
      );
    if (capability.method === "GET") {
      add("GET", path, async (request, exchange) => {
        const response = await answer(query(request), exchange);
        return capability.catalogOnly ? withETag(request, response) : response;
      });
    }
    if (capability.alsoGet) {
      add("GET", path, (request, exchange) =>
        new URL(request.url).searchParams.size > 0
          ? answer(query(request), exchange)
          : withETag(request, Response.json(overview(capability, exchange.ctx))),
      );
    }
  }

  for (const document of documents) {
    add("GET", document.path, async (request, { ctx }) => {
      // A description of the API is there even when the database is not.
      const busy = document.showsSamples ? await ctx.diary?.().catch(() => []) : [];
      const { body, headers } = document.render(ctx.catalog, ctx.now, busy);
      return withETag(request, new Response(body, { headers: { "Content-Type": document.contentType, ...headers } }));
    });
  }
  const source = createOpenApiSource(openApi);
  for (const path of [`${API_PREFIX}/openapi.json`, "/.well-known/openapi.json"]) {
    add("GET", path, async (request, { ctx }) => withETag(request, await source(ctx.catalog, ctx.now)));
  }
  for (const endpoint of endpoints) {
    add("POST", endpoint.path, (request, exchange) =>
      endpoint.answer(exchange.message ?? {}, callOf(exchange), request),
    );
  }
  add("GET", "/", () => new Response(null, { status: 302, headers: { Location: `${API_PREFIX}/docs` } }));

  const methods = Map.groupBy(app.routes, ({ path }) => path);
  return {
    find: (path) => {
      const known = methods.get(path);
      const endpoint = endpoints.find((one) => one.path === path);
      return (
        known && {
          methods: known.map(({ method }) => method),
          capability: capabilities.get(path),
          ...(endpoint && { endpoint }),
        }
      );
    },
    async handle(request, exchange) {
      exchanges.set(request, exchange);
      const response = await app.handle(request);
      if (exchange.failure) throw exchange.failure.error;
      return response;
    },
  };
}

/** What a protocol may do with the capabilities. */
function callOf({ ctx, limits, describe }: Exchange): Call {
  return {
    catalog: ctx.catalog,
    now: ctx.now,
    describe,
    run: async (capability, input) => {
      try {
        const outcome = await invoke(capability, input, ctx);
        limits.push(...outcome.limits);
        return outcome.body;
      } catch (error) {
        // A quota of the capability's own is a limit like those the gateway keeps, and is answered by it: 429.
        if (error instanceof ApiError && error.code === "RATE_LIMITED") throw error;
        return describe(error, capability);
      }
    },
  };
}

/** Elysia would make an answer of its own out of an error, so it is handed past it to the gateway. */
async function keepFailure(
  exchange: Exchange,
  request: Request,
  answer: (request: Request, exchange: Exchange) => Promise<Response> | Response,
): Promise<Response> {
  try {
    return await answer(request, exchange);
  } catch (error) {
    exchange.failure = { error };
    return new Response(null, { status: 500 });
  }
}

/** A POST takes its fields from the body alone. */
function queryWarnings({ searchParams }: URL): Warning[] {
  return [...new Set(searchParams.keys())]
    .slice(0, MAX_WARNINGS)
    .map((name) =>
      ignoredField(name, "stands in the query; this request takes its fields in the body, and ignored it."),
    );
}

function readQuery(request: Request, { input }: Capability): object {
  const query = new URL(request.url).searchParams;
  return coerceFields(
    [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const),
    jsonSchema(input, "input"),
  );
}

function toResponse({ status, body, location, replayed }: Outcome): Response {
  return Response.json(body, {
    status,
    headers: { ...(location && { Location: location }), ...(replayed && { "Idempotent-Replayed": "true" }) },
  });
}

/** Adds an ETag of the body, and answers 304 when the caller has it. */
async function withETag(request: Request, response: Response): Promise<Response> {
  const body = await response.text();
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const headers = new Headers(response.headers);
  headers.set("ETag", tag);
  headers.set("Cache-Control", "no-cache");
  const known = request.headers
    .get("if-none-match")
    ?.split(",")
    .map((one) => one.trim().replace(/^W\//, ""));
  if (known?.some((one) => one === tag || one === "*")) return new Response(null, { status: 304, headers });
  return new Response(body, { status: response.status, headers });
}
