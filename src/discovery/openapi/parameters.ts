import type { JsonSchema } from "../../schema/json-schema.ts";

/** The fields as query parameters, without null and objects, which a query cannot express. */
export function queryParameters({ properties = {}, required = [] }: JsonSchema) {
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
