/** The OpenAPI 3.0.3 document, made from the definitions of the capabilities, and its plain form for function calling. */
import { errorShape, nextAction, warningShape } from "../../capabilities/core/envelope.ts";
import { say } from "../../capabilities/core/operations.ts";
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import { ERROR_CODES, ERRORS, type ErrorCode, isRecoverable } from "../../errors.ts";
import { VERSION } from "../../lib/version.ts";
import { LIMITS } from "../../schema/fields.ts";
import { createComponents, type JsonSchema, jsonSchema, mapSchemas } from "../../schema/json-schema.ts";
import { docsUrl, KEY_SCHEMES, KEYS, samplesAt, summaryOf, VERSION_RULE } from "../common.ts";
import { type Examples, NO_EXAMPLES } from "./examples.ts";
import { errorResponses, HEADERS, json, type OpenApiOperation, paths } from "./operations.ts";

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
    security: [{}, ...KEYS],
    tags: [
      { name: "Capabilities", description: "What a caller can do." },
      { name: "Documents", description: "Descriptions of the API." },
    ],
    paths: paths({ components, catalog, sampleOf: samplesAt(catalog, now), examples }),
    components: {
      securitySchemes: KEY_SCHEMES,
      schemas: components.all(),
      responses: errorResponses(),
      headers: HEADERS,
      examples: errorExamples(catalog),
    },
  };
}

/** Rules for every operation that no schema can express. */
const RULES = [
  `Bodies are JSON objects in UTF-8, at most ${LIMITS.body / 1024} KiB. What can mean only one thing is understood, and a warning says how; anything else is refused. Strings are trimmed and NFC-normalized, and control and invisible characters are taken out; no text is refused for a character. A null and an empty string count as absent. An unknown field is refused where a booking is made, found or changed or where it may mean a known one, passed on to the shop in the message of a quote request, else ignored with a warning.`,
  "Money is a number of currency units with at most 2 decimals. Dates and times are the shop's own; instants are RFC 3339 with the shop's UTC offset.",
  "`/api/v1/openapi.json?profile=tools` is this document for function calling: requests alone, in plain schemas.",
  VERSION_RULE,
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

const DETAILS: Partial<Record<ErrorCode, object>> = {
  MISSING_FIELD: { missing_fields: ["customer_phone"] },
  BAD_REQUEST: { invalid_fields: [{ field: "vehicle_year", message: "must be a whole number" }] },
  METHOD_NOT_ALLOWED: { method: "POST", path: `${API_PREFIX}/estimates` },
  RATE_LIMITED: {
    retry_after_seconds: HEADERS["Retry-After"].schema.example,
    rate_limit: {
      scope: HEADERS["X-RateLimit-Scope"].schema.example,
      limit: HEADERS["X-RateLimit-Limit"].schema.example,
      remaining: 0,
      reset_seconds: HEADERS["Retry-After"].schema.example,
    },
  },
  BOOKING_FAILED: { retry_after_seconds: HEADERS["Retry-After"].schema.example },
};

export function errorExamples(catalog: Shop) {
  return Object.fromEntries(
    ERROR_CODES.map((code) => {
      const { when, instruction } = ERRORS[code];
      const value = {
        success: false,
        error_code: code,
        message: when,
        recoverable: isRecoverable(code),
        ...DETAILS[code],
        usage: { content_type: "application/json", sample_request: {} },
        agent_instruction: say(instruction, { catalog }),
        docs: `${API_PREFIX}/docs`,
        openapi: `${API_PREFIX}/openapi.json`,
        request_id: HEADERS["X-Request-Id"].schema.example,
      };
      return [code, { summary: when, value }];
    }),
  );
}
