/** The OpenAPI 3.0.3 document, from the definitions of the capabilities. */
import { z } from "zod";
import { estimateMatrix } from "../capabilities/automotive-estimate.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import type { Capability } from "../capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ERRORS, type ErrorCode } from "../errors.ts";
import { type JsonSchema, jsonSchema } from "../json-schema.ts";

/** Codes that every endpoint can answer; the others are named by the capability. */
const COMMON: ErrorCode[] = ["INVALID_API_KEY", "FORBIDDEN", "METHOD_NOT_ALLOWED", "RATE_LIMITED", "INTERNAL_ERROR"];
const INPUT: ErrorCode[] = ["BAD_REQUEST", "MISSING_FIELD"];
const BODY: ErrorCode[] = ["INVALID_JSON", "PAYLOAD_TOO_LARGE"];

export function openApi(catalog: Catalog, now: Temporal.Instant) {
  const { business, site } = catalog;
  return {
    openapi: "3.0.3",
    info: {
      title: `${business.name} API`,
      version: "1.0.0",
      description: `Prices, tint-law checks, open appointment times, quote requests and bookings of ${business.name}, ${business.service_area.label}.`,
      contact: { name: business.name, email: business.email, url: business.url },
    },
    servers: [{ url: site.base_url }],
    security: [{}, { bearerKey: [] }, { headerKey: [] }],
    tags: [
      { name: "Capabilities", description: "What a caller can do." },
      { name: "Documents", description: "Descriptions of the API." },
    ],
    paths: paths(catalog, now),
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
      schemas: { Error: errorSchema, NextAction: nextActionSchema, Warning: warningSchema },
      headers,
    },
  };
}

type Operation = Record<string, unknown>;

function paths(catalog: Catalog, now: Temporal.Instant): Record<string, Record<string, Operation>> {
  const all: Record<string, Record<string, Operation>> = {};
  const add = (path: string, method: string, operation: Operation) => {
    all[path] = { ...all[path], [method]: operation };
  };
  for (const capability of CAPABILITIES) {
    add(capability.path, capability.method.toLowerCase(), capabilityOperation(capability, catalog, now));
    if (capability.alsoGet) add(capability.path, "get", matrixOperation(capability));
  }
  for (const { path, ...rest } of DOCUMENTS) add(path, "get", documentOperation(rest));
  return all;
}

function capabilityOperation(capability: Capability, catalog: Catalog, now: Temporal.Instant): Operation {
  const schema = formalInput(capability);
  const isGet = capability.method === "GET";
  const hasInput = Object.keys(schema.properties ?? {}).length > 0;
  return {
    operationId: capability.operationId,
    summary: capability.title,
    description: capability.description,
    tags: ["Capabilities"],
    ...(isGet && hasInput && { parameters: parameters(schema) }),
    ...(!isGet && {
      requestBody: {
        required: true,
        content: { "application/json": { schema, example: capability.sample(catalog, now) } },
      },
    }),
    responses: {
      [capability.status]: success("Success.", envelope(jsonSchema(capability.output, "output"))),
      ...failures([...COMMON, ...(hasInput ? INPUT : []), ...(isGet ? [] : BODY), ...capability.errors]),
    },
  };
}

/** The input schema with the fields that only the formal description requires (spec 4.5). */
function formalInput({ input, formallyRequired = [] }: Capability): JsonSchema {
  const schema = jsonSchema(input, "input");
  const required = [...(schema.required ?? []), ...formallyRequired];
  return { ...schema, ...(required.length > 0 && { required }) };
}

function matrixOperation(capability: Capability): Operation {
  const { properties, ...schema } = jsonSchema(capability.input, "input");
  return {
    operationId: "get_estimate_matrix",
    summary: "Baseline prices, or an estimate by query",
    description: "Without a query every base price; with one the same answer as POST.",
    tags: ["Capabilities"],
    parameters: parameters({ ...schema, ...(properties && { properties }), required: [] }),
    responses: {
      200: success("The price matrix, or the estimate.", {
        anyOf: [envelope(jsonSchema(estimateMatrix, "output")), envelope(jsonSchema(capability.output, "output"))],
      }),
      ...failures([...COMMON, ...INPUT, ...capability.errors]),
    },
  };
}

function parameters({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description && { description }),
    schema,
  }));
}

function envelope(data: JsonSchema): JsonSchema {
  return {
    type: "object",
    required: ["success", "data"],
    properties: {
      success: { type: "boolean", enum: [true] },
      data,
      next_actions: { type: "array", items: ref("schemas/NextAction") },
      warnings: { type: "array", items: ref("schemas/Warning") },
    },
  };
}

function ref(name: string): object {
  return { $ref: `#/components/${name}` };
}

const HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Request-Id"];
const headers = {
  "X-RateLimit-Limit": { description: "The tightest limit that counted this request.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left under that limit.", schema: { type: "integer" } },
  "X-Request-Id": { description: "Name it to the shop when something goes wrong.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } },
};

function success(description: string, schema: object) {
  return { description, headers: headerRefs(HEADERS), content: { "application/json": { schema } } };
}

function headerRefs(names: string[]) {
  return Object.fromEntries(names.map((name) => [name, ref(`headers/${name}`)]));
}

/** One response per status, naming the codes it can carry. */
function failures(codes: ErrorCode[]) {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${ERRORS[code].when}`).join(" "),
        headers: headerRefs(status === 429 || status === 503 ? [...HEADERS, "Retry-After"] : HEADERS),
        content: { "application/json": { schema: ref("schemas/Error") } },
      },
    ]),
  );
}

const DOCUMENTS = [
  {
    path: "/capabilities",
    operationId: "get_capabilities",
    summary: "The capability manifest",
    type: "application/json",
  },
  { path: "/docs", operationId: "get_docs", summary: "Documentation for people", type: "text/html" },
  {
    path: "/docs-md",
    operationId: "get_docs_markdown",
    summary: "The documentation in Markdown",
    type: "text/markdown",
  },
];

function documentOperation({ operationId, summary, type }: Omit<(typeof DOCUMENTS)[number], "path">): Operation {
  const schema = type === "application/json" ? { type: "object" } : { type: "string" };
  return {
    operationId,
    summary,
    description: `${summary}.`,
    tags: ["Documents"],
    responses: {
      200: { description: summary, headers: headerRefs(HEADERS), content: { [type]: { schema } } },
      ...failures(COMMON),
    },
  };
}

const text = z.string();
const nextActionSchema = jsonSchema(
  z.object({
    action: text,
    description: text,
    method: z.enum(["GET", "POST"]),
    path: text,
    requires_consent: z.boolean(),
    side_effect: z.enum(["none", "creates_lead", "books_appointment"]),
    sample_request: z.record(z.string(), z.unknown()),
  }),
  "output",
);
const warningSchema = jsonSchema(
  z.object({ code: text, field: text.optional(), message: text, did_you_mean: text.optional() }),
  "output",
);
const errorSchema = jsonSchema(
  z.object({
    success: z.literal(false),
    error_code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: text,
    recoverable: z.boolean(),
    method: text.optional(),
    missing_fields: z.array(text).optional(),
    invalid_fields: z
      .array(
        z.object({ field: text, message: text, allowed: z.array(z.union([text, z.number(), z.boolean()])).optional() }),
      )
      .optional(),
    alternatives: z.array(z.record(z.string(), z.unknown())).optional(),
    retry_after_seconds: z.int().optional(),
    usage: z.object({ content_type: z.literal("application/json"), sample_request: z.record(z.string(), z.unknown()) }),
    agent_instruction: text,
    docs: text,
    openapi: text,
    request_id: text.optional(),
  }),
  "output",
);
