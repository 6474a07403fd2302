/** The OpenAPI 3.0.3 document, made from the definitions of the capabilities, and its plain form for function calling. */
import type { z } from "zod";
import { type Capability, insteadOf } from "../../capabilities/core/capability.ts";
import { errorShape, nextAction, successShape, warningShape } from "../../capabilities/core/envelope.ts";
import { pathFields, requiresConsent } from "../../capabilities/core/operations.ts";
import { aboutOf, CAPABILITY_BY_ID, offered } from "../../capabilities/index.ts";
import type { Shop } from "../../catalog/shop.ts";
import { codesFrom, type ErrorCode } from "../../errors.ts";
import { VERSION } from "../../lib/version.ts";
import { LIMITS, markedFields } from "../../schema/fields.ts";
import { type JsonSchema, jsonSchema, mapSchemas, withLines } from "../../schema/json-schema.ts";
import { docsUrl, type SampleOf, samplesAt, summaryOf } from "../common.ts";
import { capabilityShape, inDetail, limitOf, manifest, manifestShape, requiredFields } from "../manifest.ts";
import { type Examples, NO_EXAMPLES } from "./examples.ts";
import { errorExamples, errorResponses, failures, HEADERS, json, notModified, success } from "./responses.ts";

/** @param examples answers to show beside the schemas; by default none */
export function openApi(catalog: Shop, now: Temporal.Instant, examples: Examples = NO_EXAMPLES) {
  const { business, site } = catalog;
  const components = createComponents();
  for (const shared of [errorShape, nextAction, warningShape]) components.schema(jsonSchema(shared, "output"));
  return {
    info: {
      title: `${business.name} API`,
      version: VERSION,
      description: `${summaryOf(catalog)}\n\n${RULES}`,
      termsOfService: docsUrl(catalog, "terms"),
      contact: { name: business.name, email: business.email, url: site.url },
      license: { name: `Terms of use of ${business.name}`, url: docsUrl(catalog, "terms") },
    },
    externalDocs: { description: "Documentation for people", url: docsUrl(catalog) },
    servers: [{ url: site.base_url, description: "Production" }],
    security: [{}, { bearerKey: [] }, { headerKey: [] }],
    tags: [
      { name: "Capabilities", description: "What a caller can do." },
      { name: "Documents", description: "Descriptions of the API." },
    ],
    paths: paths({ components, catalog, sampleOf: samplesAt(catalog, now), examples }),
    components: {
      securitySchemes: {
        bearerKey: { type: "http", scheme: "bearer", description: "Optional API key; raises the rate limits." },
        headerKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "The same key in a header of its own.",
        },
      },
      schemas: components.all(),
      responses: errorResponses(),
      headers: HEADERS,
      examples: errorExamples(catalog),
    },
  };
}

/** Rules for every operation that no schema can express. */
const RULES = [
  `Bodies are JSON objects in UTF-8, at most ${LIMITS.body / 1024} KiB, and strict about types, but digits in a text are understood where an integer is due. Strings are trimmed and NFC-normalised, and control and invisible characters are taken out; no text is refused for a character. A null and an empty string count as absent. An unknown field is ignored with a warning.`,
  "Money is a number of currency units with at most 2 decimals. Dates and times are the shop's own; instants are RFC 3339 with the shop's UTC offset.",
  "`/api/v1/openapi.json?profile=tools` is this document for function calling: requests alone, in plain schemas.",
  "New fields may be added to answers; nothing else changes within /api/v1.",
].join("\n\n");

type OpenApi = ReturnType<typeof openApi>;

/** The form that function calling takes: requests alone, without references, lookahead patterns, null or alternatives. */
export function forTools({ paths, components, ...document }: OpenApi): object {
  const simple = (schema: JsonSchema) => simplified(schema, components.schemas);
  const forTool = ({ parameters, requestBody, responses: _, ...operation }: OpenApiOperation) => ({
    ...operation,
    parameters: parameters
      .filter((parameter) => parameter.in !== "header")
      .map(({ schema, ...parameter }) => ({ ...parameter, schema: simple(schema) })),
    ...(requestBody && {
      requestBody: { ...requestBody, content: json(simple(requestBody.content["application/json"].schema)) },
    }),
    responses: {
      200: { description: "The answer, or what is wrong with the request.", content: json({ type: "object" }) },
    },
  });
  const requests = Object.entries(paths).flatMap(([path, methods]) => {
    const own = Object.entries(methods).filter(([, { tags }]) => tags.includes("Capabilities"));
    return own.length > 0 ? [[path, Object.fromEntries(own.map(([method, one]) => [method, forTool(one)]))]] : [];
  });
  return {
    ...document,
    paths: Object.fromEntries(requests),
    components: { securitySchemes: components.securitySchemes, schemas: {} },
  };
}

function simplified(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  const inner = (one: JsonSchema) => simplified(one, named);
  const { $ref, allOf = [], anyOf = [], nullable: _, "x-soft": __, pattern, ...rest } = schema;
  // The first alternative is the usual one.
  const [usual] = anyOf;
  const referred = $ref ? named[$ref.split("/").at(-1) ?? ""] : undefined;
  const base = [referred, ...allOf, usual].filter((one) => one !== undefined).map(inner);
  return {
    ...Object.assign({}, ...base),
    ...mapSchemas(rest, inner),
    ...(pattern && !pattern.includes("(?") && { pattern }),
  };
}

const COMMON = codesFrom("every endpoint");

export function paths(shared: Omit<Subject, "capability">) {
  const { catalog } = shared;
  const all: Record<string, Record<string, OpenApiOperation>> = {};
  const add = (path: string, method: string, operation: OpenApiOperation) => {
    all[path] = { ...all[path], [method]: operation };
  };
  for (const capability of offered(catalog)) {
    const subject = { ...shared, capability };
    add(capability.path, capability.method.toLowerCase(), capabilityOperation(subject));
    if (capability.alsoGet) add(capability.path, "get", matrixOperation(subject, capability.alsoGet.output(catalog)));
  }
  for (const [path, operation] of Object.entries(documentOperations(shared))) add(path, "get", operation);
  return all;
}

interface Subject {
  capability: Capability;
  components: Components;
  catalog: Shop;
  sampleOf: SampleOf;
  examples: Examples;
}

function capabilityOperation(subject: Subject): OpenApiOperation {
  const { capability, components, catalog } = subject;
  const input = components.schema(formalInput(capability, catalog));
  const isGet = capability.method === "GET";
  const idField = ["booking_request_id", "quote_request_id"].find((field) => input.properties?.[field]);
  const requestId = idField && input.properties?.[idField];
  return {
    operationId: capability.operationId,
    summary: capability.title,
    description: described(capability, catalog),
    tags: ["Capabilities"],
    "x-openai-isConsequential": requiresConsent(capability),
    "x-error-codes": capability.errors,
    parameters: [
      ...(isGet ? queryParameters(input, pathFields(capability)) : []),
      ...queryParameters({ ...input, required: [] }).filter(({ name }) => capability.queryFields?.includes(name)),
      ...(capability.catalogOnly ? [IF_NONE_MATCH] : []),
      ...(requestId ? [headerParameter("Idempotency-Key", `An alias of ${idField}.`, requestId)] : []),
    ],
    ...(!isGet && { requestBody: requestBody(input, subject) }),
    responses: responses(subject, input),
  };
}

/** The most characters that hosts of agents take. */
const MAX_DESCRIPTION = 300;

/** As many sentences as fit, the most important first; the docs have all of them. */
function described(capability: Capability, catalog: Shop): string {
  const { description, useWhen, avoidWhen } = aboutOf(capability, catalog);
  const limit = limitOf(capability, catalog);
  const sentences = [
    description,
    ...(requiresConsent(capability) ? ["Ask the end user before you call it."] : []),
    ...useWhen.map((use) => `Use when: ${use}`),
    ...avoidWhen.map((avoid) => `Avoid when: ${avoid}`),
    ...(limit ? [limit] : []),
  ];
  return sentences.reduce((text, next) => {
    const longer = text === "" ? next : `${text} ${next}`;
    return longer.length <= MAX_DESCRIPTION ? longer : text;
  }, "");
}

function requestBody(input: JsonSchema, { capability, components, sampleOf }: Subject) {
  return {
    required: true,
    description: `At most ${LIMITS.body / 1024} KiB.`,
    content: {
      "application/json": {
        schema: components.schema({ ...input, title: `${pascal(capability.operationId)}Request` }),
        example: sampleOf(capability),
      },
    },
  };
}

function responses({ capability, components, catalog, examples }: Subject, { properties = {} }: JsonSchema) {
  const isCreated = capability.status === 201;
  // A repeated request gets the first answer again.
  const isRepeatable = properties.booking_request_id !== undefined || properties.quote_request_id !== undefined;
  return {
    ...(isCreated &&
      properties.dry_run && {
        200: success({
          description: "With dry_run: the same answer, without codes and ids. Nothing was stored or sent.",
          content: json(answerSchema(capability, components, catalog), examples.dryRuns.get(capability.operationId)),
        }),
      }),
    [capability.status]: success({
      description: isCreated ? "Created." : "Success.",
      content: json(answerSchema(capability, components, catalog), examples.success.get(capability.operationId)),
      headers: [
        ...(capability.catalogOnly ? (["ETag"] as const) : []),
        ...(isCreated && isRepeatable ? (["Location"] as const) : []),
        ...(isRepeatable ? (["Idempotent-Replayed"] as const) : []),
      ],
    }),
    ...(capability.catalogOnly && { 304: notModified }),
    ...failures([...COMMON, ...(capability.method === "GET" ? [] : codesFrom("every body")), ...capability.errors]),
  };
}

/** With the fields that the shop's catalog requires, and those that only the formal description requires (contract 2). */
function formalInput(capability: Capability, catalog: Shop): JsonSchema {
  const { properties = {}, required: _, ...schema } = jsonSchema(capability.input(catalog), "input");
  const asked = [...requiredFields(capability, catalog), ...markedFields(capability.input(catalog), "formal")];
  // What another field can stand in for is required by no form that generators read; descriptions say it.
  const required = asked.filter((field) => insteadOf(field, capability, catalog) === undefined);
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([field, { nullable, ...rest }]) => [
        field,
        { ...rest, ...(nullable && !required.includes(field) && { nullable }) },
      ]),
    ),
    ...(required.length > 0 && { required }),
  };
}

function answerSchema({ operationId, output, beside }: Capability, components: Components, catalog: Shop): JsonSchema {
  return components.schema(named(`${pascal(operationId)}Answer`, successShape(output(catalog), beside?.(catalog))));
}

function matrixOperation({ capability, components, catalog, examples }: Subject, output: z.ZodType): OpenApiOperation {
  const matrix = components.schema(named("GetEstimateMatrixAnswer", successShape(output)));
  const query = components.schema(jsonSchema(capability.input(catalog), "input"));
  return reading(
    {
      operationId: "get_estimate_matrix",
      summary: "Baseline prices, or an estimate by query",
      description: `Without a query: every base price. With a query: the same answer as POST; ${requiredFields(capability, catalog).join(", ")} is required.`,
      tags: ["Capabilities"],
      "x-openai-isConsequential": false,
      "x-error-codes": capability.errors,
      parameters: queryParameters({ ...query, required: [] }),
    },
    {
      description: "The price matrix (with an ETag), or the estimate.",
      content: json(
        components.schema({ title: "EstimatesAnswer", anyOf: [matrix, answerSchema(capability, components, catalog)] }),
        examples.success.get("get_estimate_matrix"),
      ),
    },
    ["MISSING_FIELD", ...capability.errors],
  );
}

/** The operations that answer with a description of the API, by path. */
function documentOperations({ components, catalog, sampleOf }: Omit<Subject, "capability">) {
  const answer = (title: string, shape: z.ZodType, data: object) =>
    json(components.schema(named(title, shape)), { success: true, data });
  const text = (type: string) => ({ [type]: { schema: { type: "string", description: `The document as ${type}.` } } });
  const sample = CAPABILITY_BY_ID.automotive_estimate;
  return {
    "/capabilities": documentOperation(
      "get_capabilities",
      "The capability manifest",
      "Every capability with its fields, side effect, consent rule and a valid sample request. Authoritative; the root of the base URL answers the same.",
      answer("GetCapabilitiesAnswer", manifestShape(), manifest(catalog, sampleOf)),
    ),
    "/capabilities/{id}": documentOperation(
      "get_capability",
      "One capability of the manifest",
      "Its entry, and what each of its optional fields may hold.",
      answer("GetCapabilityAnswer", capabilityShape(), inDetail(sample, catalog, sampleOf)),
      queryParameters({ properties: { id: CAPABILITY_ID }, required: ["id"] }, ["id"]),
      ["NOT_FOUND"],
    ),
    "/docs": documentOperation(
      "get_docs",
      "Documentation for people",
      "One page that loads nothing from other hosts.",
      text("text/html"),
    ),
    "/docs-md": documentOperation(
      "get_docs_markdown",
      "The documentation in Markdown",
      "The same content as the page.",
      text("text/markdown"),
    ),
  };
}

const CAPABILITY_ID: JsonSchema = { type: "string", maxLength: 100, description: "Its id, as the manifest lists it." };

/** @param codes beside those of every operation */
function documentOperation(
  operationId: string,
  summary: string,
  description: string,
  content: Parameters<typeof success>[0]["content"],
  parameters: OpenApiOperation["parameters"] = [],
  codes: ErrorCode[] = [],
): OpenApiOperation {
  const about = { operationId, summary, description, tags: ["Documents"], "x-openai-isConsequential": false };
  return reading({ ...about, parameters }, { description: summary, content }, codes);
}

/** A GET whose answer has an ETag. @param codes beside those of every operation */
function reading(
  about: { tags: string[]; parameters: OpenApiOperation["parameters"]; [more: string]: unknown },
  answer: Parameters<typeof success>[0],
  codes: ErrorCode[],
): OpenApiOperation {
  return {
    ...about,
    parameters: [...about.parameters, IF_NONE_MATCH],
    responses: {
      200: success({ ...answer, headers: ["ETag"] }),
      304: notModified,
      ...failures([...COMMON, ...codes]),
    },
  };
}

/** `request_quote` becomes `RequestQuote`. */
function pascal(operationId: string): string {
  return operationId.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type Components = ReturnType<typeof createComponents>;

/** Collects the named schemas (those with a `title`), so that the document states each of them once. */
export function createComponents() {
  const titled = new Map<string, JsonSchema>();
  const replace = (schema: JsonSchema): JsonSchema => {
    const { title, ...shape } = mapSchemas(schema, replace);
    // OpenAPI 3.0 has no nullable references, so a nullable named schema is written out in place.
    if (title === undefined || shape.nullable) return withLines(shape);
    // A field keeps its own description and example; a list of words is the same everywhere.
    const { description, example, "x-soft": soft, ...words } = shape;
    const isList = shape.enum !== undefined;
    const component = isList ? withLines(words) : withLines(shape);
    const known = titled.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(component)) throw new Error(`two shapes are called ${title}`);
    titled.set(title, component);
    const reference = { $ref: `#/components/schemas/${title}` };
    const about = {
      ...(description && { description }),
      ...(example !== undefined && { example }),
      ...(soft && { "x-soft": soft }),
    };
    return isList && Object.keys(about).length > 0 ? { ...about, allOf: [reference] } : reference;
  };
  return {
    /** Converts a schema to OpenAPI 3.0.3 and replaces every named schema, at any depth, by a reference. */
    schema: replace,
    /** Everything collected so far, by name. */
    all: (): Record<string, JsonSchema> => Object.fromEntries([...titled].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The schema of an answer, under a name of its own. */
function named(title: string, shape: z.ZodType): JsonSchema {
  return { ...jsonSchema(shape, "output"), title };
}

/** Parameters of path and query, without null and objects, which neither can express. */
function queryParameters({ properties = {}, required = [] }: JsonSchema, inPath: readonly string[] = []) {
  return Object.entries(properties).map(([name, { description, nullable: _, ...schema }]) => {
    const anyOf = schema.anyOf?.filter(({ type }) => type !== "object").map(({ nullable: _, ...one }) => one);
    const alternatives = anyOf && (anyOf.length === 1 ? { anyOf: undefined, ...anyOf[0] } : { anyOf });
    return {
      name,
      in: inPath.includes(name) ? "path" : "query",
      required: required.includes(name),
      description,
      ...(schema.type === "array" && { style: "form", explode: true }),
      schema: { ...schema, ...alternatives },
    };
  });
}

function headerParameter(name: string, description: string, schema: JsonSchema) {
  const { nullable: _, description: __, ...rest } = schema;
  return { name, in: "header", required: false, description, schema: rest };
}

const IF_NONE_MATCH = headerParameter(
  "If-None-Match",
  "The ETag of the answer you have; the server answers 304 if nothing has changed.",
  {
    type: "string",
    maxLength: 1000,
  },
);

/** An operation, with the parts that are read again. */
export interface OpenApiOperation {
  tags: string[];
  parameters: { in: string; schema: JsonSchema }[];
  requestBody?: { content: { "application/json": { schema: JsonSchema } } };
  responses: object;
  [more: string]: unknown;
}
