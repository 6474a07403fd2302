/** JSON Schemas of zod schemas, made once each. They drive query coercion, unknown-field warnings and OpenAPI. */
import { z } from "zod";

/** The part of an OpenAPI 3.0 schema object that the program reads. */
export interface JsonSchema {
  type?: "object" | "array" | "string" | "number" | "integer" | "boolean";
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  description?: string;
  "x-soft"?: boolean;
}

const made = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/** The OpenAPI 3.0 form of what a schema takes (`input`) or gives (`output`). */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const known = made[io].get(schema);
  if (known) return known;
  const fresh = z.toJSONSchema(schema, {
    target: "openapi-3.0",
    io,
    override: ({ jsonSchema: node }) => {
      // Zod states the bounds of a safe integer where none were set; they tell a reader nothing.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
    },
  }) as JsonSchema;
  made[io].set(schema, fresh);
  return fresh;
}
