import { isObject } from "../lib/fields.ts";
import type { JsonSchema } from "./json-schema.ts";
import { properName } from "./names.ts";

/**
 * Turns text from a query string or from command-line flags into values of the schema's types: decimal digits into
 * numbers, true and false into booleans, repeated or comma-separated text into lists, JSON into objects. Other text stays
 * text, and validation checks it.
 * @param given every value of each field, in order
 */
export function coerceFields(given: Iterable<readonly [string, readonly string[]]>, schema: JsonSchema): object {
  const { properties = {} } = schema;
  const about = (name: string) => properties[properName(name, properties) ?? name];
  return Object.fromEntries([...given].map(([name, values]) => [name, coerce(values, about(name))]));
}

function coerce(values: readonly string[], schema: JsonSchema | undefined): unknown {
  if (schema?.type === "array") {
    const items = values.flatMap((value) => value.split(",")).map((item) => item.trim());
    return items.filter((item) => item !== "");
  }
  // A scalar given twice stays a list, which no scalar field accepts.
  const [value = ""] = values;
  if (values.length > 1) return values;
  return (takesObject(schema) && objectIn(value)) || coerceScalar(value.trim(), typeOf(schema));
}

function takesObject(schema: JsonSchema | undefined): boolean {
  return [schema, ...(schema?.anyOf ?? [])].some((one) => one?.type === "object");
}

function objectIn(text: string): object | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The type that text is turned into: of several alternatives a whole number, because text that is none stays text. */
function typeOf(schema: JsonSchema | undefined): JsonSchema["type"] {
  return schema?.type ?? schema?.anyOf?.find(({ type }) => type === "integer")?.type;
}

function coerceScalar(text: string, type: JsonSchema["type"]): unknown {
  switch (type) {
    case "integer":
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case "number":
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    default:
      return text;
  }
}
