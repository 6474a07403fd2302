/** The endpoints of the capabilities, the documents, the OpenAPI document, and MCP and A2A. */
import type { Capability, Context } from "../capabilities/core/capability.ts";
import type { Document } from "../capabilities/core/document.ts";
import type { Warning } from "../capabilities/core/envelope.ts";
import { invoke, type Outcome, overview, perform } from "../capabilities/core/invoke.ts";
import type { Judged } from "../capabilities/core/judge.ts";
import { judge } from "../capabilities/core/judge.ts";
import type { Call } from "../capabilities/core/protocol.ts";
import { ignoredField, MAX_WARNINGS } from "../capabilities/core/unknown-fields.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError } from "../errors.ts";
import { toJson } from "../lib/json.ts";
import { isStacked } from "../limits/limiter.ts";
import { allOf, didYouMean } from "../schema/explain.ts";
import { API_PREFIX } from "../vocabulary.ts";
import { parseBody, readText } from "./body.ts";
import { contextOf } from "./context.ts";
import { documentSource } from "./documents.ts";
import type { Exchange } from "./exchange.ts";
import { completeHeaders, JSON_TYPE, jsonResponse } from "./headers.ts";
import { judgeBy } from "./judged.ts";
import { keptForAMinute, keptForCatalog, type Source } from "./kept.ts";
import { explainUnread, hasBody, readQuery, refuseBody } from "./misplaced.ts";
import type { HttpProtocol } from "./protocols.ts";
import { type Representation, represent, toResponse } from "./representation.ts";
import { describeError } from "./respond.ts";
import { type Endpoint, hasFields, readPath } from "./routes.ts";

export function capabilityEndpoints(capability: Capability): Endpoint[] {
  const path = API_PREFIX + capability.path;
  if (capability.method === "POST") {
    const post: Endpoint = { method: "POST", path, capability, answer: answerBody(capability) };
    return capability.alsoGet ? [post, { method: "GET", path, answer: overviewOrQuery(capability) }] : [post];
  }
  if (capability.catalogOnly) return [catalogEndpoint(path, capability)];
  return [{ method: "GET", path, capability, answer: answerQuery(capability) }];
}

export function documentEndpoint(document: Document): Endpoint {
  return sourceEndpoint(document.path, documentSource(document));
}

export function sourceEndpoint(path: string, source: Source, capability?: Capability): Endpoint {
  const answer = (exchange: Exchange) => {
    const found = source(exchange);
    return found instanceof Promise ? toResponseLater(exchange, found) : toResponse(exchange, found);
  };
  return { method: "GET", path, answer, ...(capability && { capability }) };
}

function catalogEndpoint(path: string, capability: Capability): Endpoint {
  const endpoint = sourceEndpoint(path, catalogSource(capability), capability);
  return {
    ...endpoint,
    answer(exchange) {
      return hasBody(exchange) ? answerEmptyBody(exchange) : endpoint.answer(exchange);
    },
  };

  async function answerEmptyBody(exchange: Exchange): Promise<Response> {
    const takesFields = Object.keys(capability.input(exchange.catalog).shape).length > 0;
    if (takesFields) await refuseBody(exchange, capability, contextOf(exchange));
    return endpoint.answer(exchange);
  }
}

async function toResponseLater(exchange: Exchange, making: Promise<Representation>): Promise<Response> {
  return toResponse(exchange, await making);
}

export function protocolEndpoint(protocol: HttpProtocol): Endpoint {
  return {
    method: "POST",
    path: protocol.path,
    protocol,
    answer: async (exchange) => {
      const response = await protocol.answer(exchange.message ?? {}, callOf(exchange), exchange.request);
      // The protocol itself refused the message, so no capability was used.
      if (!response.ok) exchange.granted?.undo(isStacked);
      return completeHeaders(exchange, response);
    },
  };
}

function answerBody(capability: Capability): Endpoint["answer"] {
  const judged = judgeBy(capability, parseBody);
  return async (exchange) => {
    const { catalog } = exchange;
    const { given, ignored } = splitQuery(exchange.query, capability, catalog);
    if (capability.refusesUnknown && ignored.length > 0) throw strayQuery(ignored);
    const text = await readText(exchange.request);
    const ctx = contextOf(exchange);
    let request: Judged;
    try {
      // A field that stands in both is taken from the body.
      request = given ? judge(capability, { ...given, ...parseBody(text) }, catalog) : judged(catalog, text);
    } catch (error) {
      throw await explainUnread(error, capability, ctx, text);
    }
    const performed = perform(capability, request, ctx);
    const outcome = performed instanceof Promise ? await performed : performed;
    if (ignored.length === 0) return outcomeResponse(outcome, exchange);
    const warnings = [...(outcome.body.warnings ?? []), ...ignored];
    return outcomeResponse({ ...outcome, body: { ...outcome.body, warnings } }, exchange);
  };
}

function answerQuery(capability: Capability): Endpoint["answer"] {
  const path = API_PREFIX + capability.path;
  const parse = (query: string, catalog: Catalog) => readQuery(query, capability, { catalog });
  if (hasFields(path)) {
    return async (exchange) => {
      if (hasBody(exchange)) await refuseBody(exchange, capability, contextOf(exchange));
      const fields = { ...parse(exchange.query, exchange.catalog), ...readPath(path, exchange.path) };
      return outcomeResponse(await invoke(capability, fields, contextOf(exchange)), exchange);
    };
  }
  const judged = judgeBy(capability, parse);
  const answer = (exchange: Exchange, ctx: Context) => {
    const outcome = perform(capability, judged(exchange.catalog, exchange.query), ctx);
    return outcome instanceof Promise ? respondLater(outcome, exchange) : outcomeResponse(outcome, exchange);
  };
  const answerEmptyBody = async (exchange: Exchange, ctx: Context) => {
    await refuseBody(exchange, capability, ctx);
    return answer(exchange, ctx);
  };
  return (exchange) => (hasBody(exchange) ? answerEmptyBody : answer)(exchange, contextOf(exchange));
}

async function respondLater(outcome: Promise<Outcome>, exchange: Exchange): Promise<Response> {
  return outcomeResponse(await outcome, exchange);
}

/** The answer depends on the catalog and the query alone. */
function catalogSource(capability: Capability): Source {
  return keptForCatalog(async (exchange) => {
    const { body } = await invoke(capability, readQuery(exchange.query, capability, exchange), contextOf(exchange));
    return represent(JSON.stringify(body), JSON_TYPE);
  });
}

function overviewOrQuery(capability: Capability): Endpoint["answer"] {
  const answer = answerQuery(capability);
  const source = keptForAMinute(async (exchange: Exchange) =>
    represent(JSON.stringify(overview(capability, contextOf(exchange))), JSON_TYPE),
  );
  return async (exchange) => {
    if (hasBody(exchange)) await refuseBody(exchange, capability, contextOf(exchange));
    if (exchange.query !== "" && new URLSearchParams(exchange.query).size > 0) return answer(exchange);
    return toResponse(exchange, await source(exchange));
  };
}

function outcomeResponse(outcome: Outcome, exchange: Exchange): Response {
  const { status, body, location, replayed } = outcome;
  account(outcome, exchange);
  const own = (location || replayed) && {
    ...(location && { Location: location }),
    ...(replayed && { "Idempotent-Replayed": "true" }),
  };
  return jsonResponse(exchange, toJson(body), status, own || undefined);
}

/** A dry run and a repeated request store nothing, so they get back their charge to the limit for storing. */
export function account(
  { limits, rehearsed, replayed }: Outcome,
  exchange: Exchange,
  capability = exchange.capability,
): void {
  exchange.limits.push(...limits);
  if (rehearsed || replayed) exchange.granted?.undo(isStacked);
  else exchange.did = capability?.operationId;
}

/** Lets MCP and A2A use the capabilities with the limits and errors of the API. */
function callOf(exchange: Exchange): Call {
  const describe: Call["describe"] = (error, capability) => describeError(exchange, error, capability);
  return {
    catalog: exchange.catalog,
    describe,
    async run(capability, input) {
      try {
        const outcome = await invoke(capability, input, contextOf(exchange));
        account(outcome, exchange, capability);
        return outcome.body;
      } catch (error) {
        // The gateway answers 429 for a used-up quota, as for its own limits.
        if (error instanceof ApiError && error.code === "RATE_LIMITED") throw error;
        return describe(error, capability);
      }
    },
  };
}

/** A POST takes its fields from the body, but for a few. Warnings name the others. */
function splitQuery(query: string, capability: Capability, catalog: Catalog): { given?: object; ignored: Warning[] } {
  if (query === "") return NO_QUERY;
  const { queryFields = [] } = capability;
  const known = capability.input(catalog).shape;
  const fields = Object.entries(readQuery(query, capability, { catalog }));
  const isTaken = ([name]: [string, unknown]) => queryFields.some((field) => field === name);
  const given = fields.filter(isTaken);
  const ignored = fields
    .filter((field) => !isTaken(field))
    .slice(0, MAX_WARNINGS)
    .map(([name]) =>
      ignoredField(
        name,
        "stands in the query; this request takes its fields in the body, and ignored it.",
        Object.hasOwn(known, name) ? undefined : didYouMean(name, queryFields),
      ),
    );
  return { ...(given.length > 0 && { given: Object.fromEntries(given) }), ignored };
}

const NO_QUERY = { ignored: [] };

/** A booking that is not quite as meant is worse than none. */
function strayQuery(ignored: Warning[]): ApiError {
  const where = "in the query; this request takes its fields in the body";
  const fields = ignored.map(({ field = "" }) => field);
  return new ApiError("BAD_REQUEST", `${allOf(fields)} ${fields.length > 1 ? "stand" : "stands"} ${where}.`, {
    invalid_fields: fields.map((field) => ({ field, message: `stands ${where}` })),
  });
}
