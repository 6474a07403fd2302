/** The fields of a request, and a request with a value in one of them. */
import type { Capability } from "../../src/capabilities/core/capability.ts";
import { type JsonSchema, jsonSchema, propertiesOf } from "../../src/schema/json-schema.ts";
import { CATALOG } from "../helpers.ts";

interface Field {
  /** 0 stands for the entries of a list. */
  path: readonly string[];
  schema: JsonSchema;
}

/** Every field of a request, at any depth. */
export const fieldsOf = ({ input }: Pick<Capability, "input">) => fieldsIn(jsonSchema(input(CATALOG), "input"), []);

function fieldsIn(schema: JsonSchema, path: readonly string[]): Field[] {
  const inner = Object.entries(propertiesOf(schema) ?? {}).flatMap(([name, field]) => fieldsIn(field, [...path, name]));
  return [
    ...(path.length > 0 ? [{ path, schema }] : []),
    ...(schema.items ? fieldsIn(schema.items, [...path, "0"]) : []),
    ...inner,
  ];
}

export function takesText({ schema }: Field): boolean {
  return [schema, ...(schema.anyOf ?? [])].some(({ type }) => type === "string");
}

export function withField(body: object, [name = "", ...rest]: readonly string[], value: unknown): object {
  const inside = Object(Object(body)[name]);
  const [next] = rest;
  if (next === undefined) return { ...body, [name]: value };
  if (next !== "0") return { ...body, [name]: withField(inside, rest, value) };
  return { ...body, [name]: [rest.length === 1 ? value : withField(Object(inside[0]), rest.slice(1), value)] };
}
