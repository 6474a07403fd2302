import type { z } from "zod";
import type { Capability } from "../../capabilities/core/capability.ts";
import { successShape } from "../../capabilities/core/envelope.ts";
import { CAPABILITIES } from "../../capabilities/index.ts";
import type { Catalog } from "../../catalog/schema.ts";
import type { ErrorCode } from "../../errors.ts";
import { LIMITS } from "../../schema/fields.ts";
import { type JsonSchema, jsonSchema } from "../../schema/json-schema.ts";
import { adviceOf, limitOf } from "../advice.ts";
import { manifestShape, requiredFields } from "../manifest.ts";
import type { SampleOf } from "../samples.ts";
import type { Components } from "./components.ts";
import { failures, notModified, success } from "./responses.ts";

/** Codes that every endpoint can answer. BAD_REQUEST is one, because two headers can carry two different keys. */
const COMMON: ErrorCode[] = [
  "BAD_REQUEST",
  "INVALID_API_KEY",
  "FORBIDDEN",
  "METHOD_NOT_ALLOWED",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
];
const BODY: ErrorCode[] = ["INVALID_JSON", "MISSING_FIELD", "PAYLOAD_TOO_LARGE"];

type Operation = Record<string, unknown>;

export function paths(components: Components, catalog: Catalog, sampleOf: SampleOf) {
  const all: Record<string, Record<string, Operation>> = {};
  const add = (path: string, method: string, operation: Operation) => {
    all[path] = { ...all[path], [method]: operation };
  };
  for (const capability of CAPABILITIES) {
    const subject = { capability, components, catalog, sampleOf };
    add(capability.path, capability.method.toLowerCase(), capabilityOperation(subject));
    if (capability.alsoGet) add(capability.path, "get", matrixOperation(subject, capability.alsoGet.output));
  }
  for (const { path, ...rest } of DOCUMENTS) add(path, "get", documentOperation(rest, components));
  return all;
}

/** The capability an operation is made of, and what it is made with. */
interface Subject {
  capability: Capability;
  components: Components;
  catalog: Catalog;
  sampleOf: SampleOf;
}

function capabilityOperation({ capability, components, catalog, sampleOf }: Subject): Operation {
  const input = components.schema(formalInput(capability, catalog));
  const isGet = capability.method === "GET";
  const requestId = input.properties?.booking_request_id;
  const limit = limitOf(capability, catalog);
  return {
    operationId: capability.operationId,
    summary: capability.title,
    description: [capability.description, ...(limit ? [limit] : []), ...adviceOf(capability)].join("\n\n"),
    tags: ["Capabilities"],
    parameters: [
      ...(isGet ? queryParameters(input) : []),
      ...(capability.catalogOnly ? [IF_NONE_MATCH] : []),
      ...(requestId ? [headerParameter("Idempotency-Key", "An alias of booking_request_id.", requestId)] : []),
    ],
    ...(!isGet && {
      requestBody: {
        required: true,
        description: `At most ${LIMITS.body / 1024} KiB.`,
        content: {
          "application/json": {
            schema: components.schema({ ...input, title: `${pascal(capability.operationId)}Request` }),
            example: sampleOf(capability),
          },
        },
      },
    }),
    responses: {
      [capability.status]: success({
        description: capability.status === 201 ? "Created." : "Success.",
        content: json(answerSchema(capability, components)),
        headers: [
          ...(capability.catalogOnly ? (["ETag"] as const) : []),
          ...(requestId ? (["Location", "Idempotent-Replayed"] as const) : []),
        ],
      }),
      ...(capability.catalogOnly && { 304: notModified }),
      ...failures([...COMMON, ...(isGet ? [] : BODY), ...capability.errors]),
    },
  };
}

/**
 * The input schema. Beside its own required fields it lists those that the shop's catalog requires, and those that only
 * the formal description requires (spec section 4.5).
 */
function formalInput(capability: Capability, catalog: Catalog): JsonSchema {
  const { properties = {}, required: _, ...schema } = jsonSchema(capability.input, "input");
  const required = [...requiredFields(capability, catalog), ...(capability.formallyRequired ?? [])];
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

function answerSchema({ operationId, output }: Capability, components: Components): JsonSchema {
  return components.schema(named(`${pascal(operationId)}Answer`, successShape(output)));
}

function named(title: string, shape: z.ZodType): JsonSchema {
  return { ...jsonSchema(shape, "output"), title };
}

function matrixOperation({ capability, components, catalog }: Subject, output: z.ZodType): Operation {
  const matrix = components.schema(named("GetEstimateMatrixAnswer", successShape(output)));
  return {
    operationId: "get_estimate_matrix",
    summary: "Baseline prices, or an estimate by query",
    description: `Without a query: every base price. With a query: the same answer as POST; ${requiredFields(capability, catalog).join(", ")} is required.`,
    tags: ["Capabilities"],
    parameters: [
      ...queryParameters({ ...components.schema(jsonSchema(capability.input, "input")), required: [] }),
      IF_NONE_MATCH,
    ],
    responses: {
      200: success({
        description: "The price matrix (with an ETag), or the estimate.",
        content: json({ anyOf: [matrix, answerSchema(capability, components)] }),
        headers: ["ETag"],
      }),
      304: notModified,
      ...failures([...COMMON, "MISSING_FIELD", ...capability.errors]),
    },
  };
}

/** The fields as query parameters, without null and objects, which a query cannot express. */
function queryParameters({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, { description, nullable: _, ...schema }]) => {
    const anyOf = schema.anyOf?.filter(({ type }) => type !== "object").map(({ nullable: _, ...one }) => one);
    const values = schema.enum?.filter((value) => value !== null);
    return {
      name,
      in: "query",
      required: required.includes(name),
      description,
      ...(schema.type === "array" && { style: "form", explode: true }),
      schema: { ...schema, ...(anyOf && { anyOf }), ...(values && { enum: values }) },
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

const DOCUMENTS = [
  {
    path: "/capabilities",
    operationId: "get_capabilities",
    summary: "The capability manifest",
    description:
      "Every capability with its fields, side effect, consent rule and a valid sample request. Authoritative; the root of the base URL answers the same.",
    type: "application/json",
  },
  {
    path: "/docs",
    operationId: "get_docs",
    summary: "Documentation for people",
    description: "One page that loads nothing from other hosts.",
    type: "text/html",
  },
  {
    path: "/docs-md",
    operationId: "get_docs_markdown",
    summary: "The documentation in Markdown",
    description: "The same content as the page.",
    type: "text/markdown",
  },
];

function documentOperation(
  { operationId, summary, description, type }: Omit<(typeof DOCUMENTS)[number], "path">,
  components: Components,
): Operation {
  const schema: JsonSchema =
    type === "application/json"
      ? components.schema(named("GetCapabilitiesAnswer", manifestShape))
      : { type: "string", description: `The document as ${type}.` };
  return {
    operationId,
    summary,
    description,
    tags: ["Documents"],
    parameters: [IF_NONE_MATCH],
    responses: {
      200: success({ description: summary, content: { [type]: { schema } }, headers: ["ETag"] }),
      304: notModified,
      ...failures(COMMON),
    },
  };
}

function json(schema: JsonSchema) {
  return { "application/json": { schema } };
}

/** `request_quote` is `RequestQuote`. */
function pascal(operationId: string): string {
  return operationId.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
