/** What operations are put together from: named schemas, each stated once, and parameters. */
import type { z } from "zod";
import { type JsonSchema, jsonSchema, mapSchemas, withLines } from "../../schema/json-schema.ts";

/** Collects the named schemas (those with a `title`), so that the document states each of them once. */
export interface Components {
  /** Converts a schema to OpenAPI 3.0.3 and replaces every named schema, at any depth, by a reference. */
  schema: (schema: JsonSchema) => JsonSchema;
  /** Everything collected so far, by name. */
  all: () => Record<string, JsonSchema>;
}

export function createComponents(): Components {
  const named = new Map<string, JsonSchema>();
  const replace = (schema: JsonSchema): JsonSchema => {
    const { title, ...shape } = withNull(mapSchemas(schema, replace));
    // OpenAPI 3.0 has no nullable references, so a nullable named schema is written out in place.
    if (title === undefined || shape.nullable) return withLines(shape);
    // A field keeps its own description and example; a list of words is the same everywhere.
    const { description, example, "x-soft": soft, ...words } = shape;
    const isList = shape.enum !== undefined;
    const component = isList ? withLines(words) : withLines(shape);
    const known = named.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(component)) throw new Error(`two shapes are called ${title}`);
    named.set(title, component);
    const reference = { $ref: `#/components/schemas/${title}` };
    const about = {
      ...(description && { description }),
      ...(example !== undefined && { example }),
      ...(soft && { "x-soft": soft }),
    };
    return isList && Object.keys(about).length > 0 ? { ...about, allOf: [reference] } : reference;
  };
  return {
    schema: replace,
    all: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Adds null to the enum of a nullable schema: in OpenAPI 3.0 an enum without null bars it, nullable or not. */
function withNull(schema: JsonSchema): JsonSchema {
  return schema.nullable && schema.enum && !schema.enum.includes(null)
    ? { ...schema, enum: [...schema.enum, null] }
    : schema;
}

/** The schema of an answer, under a name of its own. */
export function named(title: string, shape: z.ZodType): JsonSchema {
  return { ...jsonSchema(shape, "output"), title };
}

/**
 * The fields as parameters of path and query, without null and objects, which neither can express.
 * @param inPath the names of the fields in the path
 */
export function queryParameters({ properties = {}, required = [] }: JsonSchema, inPath: readonly string[] = []) {
  return Object.entries(properties).map(([name, { description, nullable: _, ...schema }]) => {
    const anyOf = schema.anyOf?.filter(({ type }) => type !== "object").map(({ nullable: _, ...one }) => one);
    const alternatives = anyOf && (anyOf.length === 1 ? { anyOf: undefined, ...anyOf[0] } : { anyOf });
    const values = schema.enum?.filter((value) => value !== null);
    return {
      name,
      in: inPath.includes(name) ? "path" : "query",
      required: required.includes(name),
      description,
      ...(schema.type === "array" && { style: "form", explode: true }),
      schema: { ...schema, ...alternatives, ...(values && { enum: values }) },
    };
  });
}

export function headerParameter(name: string, description: string, schema: JsonSchema) {
  const { nullable: _, description: __, ...rest } = schema;
  return { name, in: "header", required: false, description, schema: rest };
}

export const IF_NONE_MATCH = headerParameter(
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
