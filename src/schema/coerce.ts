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
  const fields = new Map<string, unknown>();
  const lists = new Map<string, string[]>();
  for (const [name, values] of given) {
    const [, list, key = ""] = BRACKETS.exec(name) ?? [];
    if (list === undefined) fields.set(name, coerce(values, about(name)));
    else if (key === "" || /^\d/.test(key)) lists.set(list, [...(lists.get(list) ?? []), ...values]);
    else fields.set(`${list}[]`, { ...Object(fields.get(`${list}[]`)), [key]: values[0] });
  }
  for (const [list, values] of lists) fields.set(`${list}[]`, coerce(values, about(list)));
  return Object.fromEntries(fields);
}

/** `addons[]`, `addons[0]` and `shade[front_side]`, as some programs write lists and groups. */
const BRACKETS = /^([A-Za-z_-]{1,40})\[(\d{0,3}|[a-z_]{1,40})\]$/;

function coerce(values: readonly string[], schema: JsonSchema | undefined): unknown {
  if (schema?.type === "array") {
    const [json] = values;
    const list = values.length === 1 && json?.trimStart().startsWith("[") ? listIn(json) : undefined;
    if (list) return list;
    const items = values.flatMap((value) => value.split(",")).map((item) => item.trim());
    return items.filter((item) => item !== "");
  }
  // A scalar given twice stays a list, which no scalar field accepts.
  const [value = ""] = values;
  if (values.length > 1) return values;
  return (takesObject(schema) && objectIn(value)) || coerceScalar(value.trim(), typeOf(schema));
}

function listIn(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
