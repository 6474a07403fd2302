import { type JsonSchema, mapSchemas } from "../../schema/json-schema.ts";

/** Collects the shapes that have a name (their `title`), so that each stands in the document once. */
export interface Components {
  /** The schema as OpenAPI 3.0.3, named shapes inside it and itself as references. */
  schema: (schema: JsonSchema) => JsonSchema;
  /** Everything collected so far, by name. */
  all: () => Record<string, JsonSchema>;
}

export function createComponents(): Components {
  const named = new Map<string, JsonSchema>();
  const replace = (schema: JsonSchema): JsonSchema => {
    const { title, ...shape } = withNull(mapSchemas(schema, replace));
    // A reference cannot be made nullable in 3.0, so a named shape that may be null is written out.
    if (title === undefined || shape.nullable) return shape;
    const known = named.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(shape)) throw new Error(`two shapes are called ${title}`);
    named.set(title, shape);
    return { $ref: `#/components/schemas/${title}` };
  };
  return {
    schema: replace,
    all: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** An enum bars null, `nullable` or not, unless it lists it. */
function withNull(schema: JsonSchema): JsonSchema {
  return schema.nullable && schema.enum && !schema.enum.includes(null)
    ? { ...schema, enum: [...schema.enum, null] }
    : schema;
}
