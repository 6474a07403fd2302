/**
 * The document in the form that function calling takes: requests alone, without references, lookahead patterns, null or
 * alternatives. The server still accepts the other forms of a field.
 */
import { type JsonSchema, mapSchemas } from "../../schema/json-schema.ts";
import type { OpenApiOperation } from "./components.ts";
import type { openApi } from "./document.ts";
import { json } from "./responses.ts";

type OpenApi = ReturnType<typeof openApi>;

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
  const { $ref, allOf = [], anyOf = [], nullable: _, "x-soft": __, pattern, enum: words, ...rest } = schema;
  // The first alternative is the usual one. Alternatives that only say what is required have no type.
  const [usual] = anyOf.filter((one) => one.type !== undefined || one.$ref !== undefined);
  const referred = $ref ? named[$ref.split("/").at(-1) ?? ""] : undefined;
  const base = [referred, ...allOf, usual].filter((one) => one !== undefined).map(inner);
  return {
    ...Object.assign({}, ...base),
    ...mapSchemas(rest, inner),
    ...(pattern && !pattern.includes("(?") && { pattern }),
    ...(words && { enum: words.filter((word) => word !== null) }),
  };
}
