import type { JsonSchema } from "../../schema/json-schema.ts";

/**
 * The fields as parameters of path and query, without null and objects, which neither can express.
 * @param inPath the names of the fields in the path
 */
export function queryParameters({ properties = {}, required = [] }: JsonSchema, inPath: readonly string[] = []) {
  return Object.entries(properties).map(([name, { description, nullable: _, ...schema }]) => {
    const anyOf = schema.anyOf?.filter(({ type }) => type !== "object").map(({ nullable: _, ...one }) => one);
    const values = schema.enum?.filter((value) => value !== null);
    return {
      name,
      in: inPath.includes(name) ? "path" : "query",
      required: required.includes(name),
      description,
      ...(schema.type === "array" && { style: "form", explode: true }),
      schema: { ...schema, ...(anyOf && { anyOf }), ...(values && { enum: values }) },
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
