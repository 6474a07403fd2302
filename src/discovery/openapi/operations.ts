/** The operations of the OpenAPI document: of every capability and of the documents, with the answers and headers that they share. */
import type { z } from "zod";
import { type Capability, insteadOf } from "../../capabilities/core/capability.ts";
import { successShape } from "../../capabilities/core/envelope.ts";
import { needsKey, pathFields, requiresConsent } from "../../capabilities/core/operations.ts";
import { aboutOf, CAPABILITY_BY_ID, offered } from "../../capabilities/index.ts";
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import { codesFrom, ERROR_CODES, ERRORS, type ErrorCode, type Status, statusesOf } from "../../errors.ts";
import { LIMITS, markedFields } from "../../schema/fields.ts";
import { type Components, type JsonSchema, jsonSchema } from "../../schema/json-schema.ts";
import { KEYS, type SampleOf } from "../common.ts";
import { capabilityShape, inDetail, limitOf, manifest, manifestShape, requiredFields } from "../manifest.ts";
import type { Examples } from "./examples.ts";

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
    ...(needsKey(capability, catalog) && { security: KEYS }),
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
  // Generators cannot express "this field or that one", so neither is required; descriptions say it.
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

const responseHeader = (description: string, type: "integer" | "string", example: string | number) => ({
  description,
  schema: { type, example },
});

export const HEADERS = {
  "X-RateLimit-Limit": responseHeader("The tightest limit that counted this request.", "integer", 60),
  "X-RateLimit-Remaining": responseHeader("Requests left under that limit.", "integer", 59),
  "X-RateLimit-Scope": responseHeader("Which limit that is.", "string", "requests-per-minute"),
  "X-RateLimit-Reset": responseHeader("Seconds until that limit has room again; 0 while it has.", "integer", 0),
  "X-Request-Id": responseHeader("Quote it to the shop when something goes wrong.", "string", "req_4fzW8kqT1n"),
  "Retry-After": responseHeader("Seconds to wait.", "integer", 12),
  Allow: responseHeader("The methods of this path.", "string", "POST, OPTIONS"),
  ETag: responseHeader("Version of this answer, for If-None-Match.", "string", '"mZ8vXk2"'),
  Location: responseHeader("Path of the created resource.", "string", `${API_PREFIX}/bookings/7K2MQ9XA`),
  "Idempotent-Replayed": responseHeader(
    '"true" when this repeats the first answer to the same request id.',
    "string",
    "true",
  ),
  "WWW-Authenticate": responseHeader("How to send a key.", "string", 'Bearer realm="Tintdesk"'),
};
type HeaderName = keyof typeof HEADERS;

const EVERYWHERE: HeaderName[] = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Scope",
  "X-RateLimit-Reset",
  "X-Request-Id",
];
const WITH_STATUS: Record<number, HeaderName[]> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

interface Success {
  description: string;
  /** Schemas by media type. */
  content: Record<string, { schema: object }>;
  headers?: HeaderName[];
}

function success({ description, content, headers = [] }: Success) {
  return { description, headers: headerRefs([...EVERYWHERE, ...headers]), content };
}

const notModified = {
  description: "The answer has not changed since the version in If-None-Match.",
  headers: headerRefs([...EVERYWHERE, "ETag"]),
};

const RESPONSES: Record<Status, string> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  413: "PayloadTooLarge",
  422: "OutOfServiceArea",
  429: "RateLimited",
  500: "InternalError",
  503: "Unavailable",
};

function failures(codes: ErrorCode[]) {
  const statuses = [...new Set(codes.flatMap(statusesOf))];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${RESPONSES[status]}` }]),
  );
}

/** One response for each status, with its error codes and an example of each code, as components. */
export function errorResponses() {
  const byStatus = Map.groupBy(
    ERROR_CODES.flatMap((code) => statusesOf(code).map((status) => ({ code, status }))),
    ({ status }) => status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => {
      const ofStatus = all.map(({ code }) => code);
      return [
        RESPONSES[status],
        {
          description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join(" "),
          headers: headerRefs([...EVERYWHERE, ...(WITH_STATUS[status] ?? [])]),
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/ErrorAnswer" },
              examples: Object.fromEntries(ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ];
    }),
  );
}

function headerRefs(names: HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function json<Schema extends object>(schema: Schema, example?: object) {
  return { "application/json": { schema, ...(example && { example }) } };
}
