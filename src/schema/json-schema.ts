/** JSON Schemas of zod schemas, each made once, for query coercion, unknown-field warnings, docs and OpenAPI. */
import { z } from "zod";

/** The part of an OpenAPI 3.0 schema object that the program reads or writes. */
export interface JsonSchema {
  $ref?: string;
  /** The name of a shape that several schemas share. In the OpenAPI document it becomes a component. */
  title?: string;
  type?: "object" | "array" | "string" | "number" | "integer" | "boolean";
  nullable?: boolean;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  /** In documents: a reference with words of its own, which OpenAPI 3.0 allows in no other form. */
  allOf?: JsonSchema[];
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  format?: string;
  pattern?: string;
  example?: unknown;
  default?: unknown;
  description?: string;
  "x-soft"?: boolean;
  /** What the list of tools says of the field; false where it leaves the field out. Documents say more. */
  "x-tool"?: string | false;
  /** What each word of the field means. In documents it is in the description. */
  "x-values"?: Readonly<Record<string, string>>;
}

const made = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/** The OpenAPI 3.0 schema of the values that a zod schema accepts (`input`) or returns (`output`). */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const known = made[io].get(schema);
  if (known) return known;
  const fresh = tidy(
    z.toJSONSchema(schema, {
      target: "openapi-3.0",
      io,
      override: ({ jsonSchema: node, zodSchema }) => {
        // The default is last; Zod drops that of a field that it transforms.
        const usual = z.globalRegistry.get(zodSchema)?.default;
        if (usual !== undefined) {
          delete node.default;
          node.default = usual as typeof node.default;
        }
        // Zod adds the bounds of safe integers where a schema sets none; they tell a reader nothing.
        if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
        if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
        // The format says it, and a generator for Python stops at a date with a pattern.
        if (node.format?.startsWith("date")) delete node.pattern;
        // An answer may gain fields, so its schema stays open.
        if (io === "output" && node.additionalProperties === false) delete node.additionalProperties;
        // `readonly` is of the TypeScript type, not of the wire; generators would make a second type for writing of it.
        delete node.readOnly;
      },
    }) as JsonSchema,
  );
  made[io].set(schema, fresh);
  return fresh;
}

function withLines({ "x-values": lines, "x-tool": _, ...schema }: JsonSchema): JsonSchema {
  if (!lines) return schema;
  const bullets = Object.entries(lines).map(([word, line]) => `- \`${word}\`: ${line}`);
  return { ...schema, description: [...(schema.description ? [schema.description, ""] : []), ...bullets].join("\n") };
}

/** The same without the lines, at any depth: for documents that have to be short. */
export function withoutLines({ "x-values": _, "x-tool": __, ...schema }: JsonSchema): JsonSchema {
  return mapSchemas(schema, withoutLines);
}

/** The properties of an object, or of the one object among alternatives. */
export function propertiesOf({ properties, anyOf }: JsonSchema): JsonSchema["properties"] {
  return properties ?? anyOf?.find((one) => one.properties)?.properties;
}

export function mapSchemas(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties: rest } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, change(inner)])),
    }),
    ...(items && { items: change(items) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
    ...(typeof rest === "object" && { additionalProperties: change(rest) }),
  };
}

/** OpenAPI 3.0.3 requires a type beside `nullable`, so in a choice the first alternative is the nullable one. */
function tidy(schema: JsonSchema): JsonSchema {
  const { anyOf, nullable, ...rest } = mapSchemas(schema, tidy);
  if (!anyOf) return { ...rest, ...(nullable && { nullable }) };
  const [first, ...others] = anyOf.flatMap((one) => (one.anyOf && Object.keys(one).length === 1 ? one.anyOf : [one]));
  return { ...rest, anyOf: first ? [{ ...first, ...(nullable && { nullable }) }, ...others] : [] };
}

export type Components = ReturnType<typeof createComponents>;

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
    if (known && JSON.stringify(known) !== JSON.stringify(component))
      throw new Error(`two schemas have the title ${title}`);
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
