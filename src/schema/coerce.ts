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
  const [value = ""] = values;
  if (schema?.type === "array") {
    const list = values.length === 1 ? jsonBetween(value, "[") : undefined;
    return list ?? values.flatMap((one) => one.split(",").map((item) => item.trim())).filter((item) => item !== "");
  }
  // A scalar given twice stays a list, which no scalar field accepts.
  if (values.length > 1) return values;
  const kinds = schema?.anyOf ?? [schema];
  const object = kinds.some((kind) => kind?.type === "object") ? jsonBetween(value, "{") : undefined;
  return (
    object ??
    coerceScalar(value.trim(), schema?.type ?? (kinds.some((kind) => kind?.type === "integer") ? "integer" : undefined))
  );
}

/** The list or group of a JSON text that begins with a bracket; undefined for any other text. */
export function jsonBetween(text: string, bracket: "[" | "{"): object | undefined {
  if (!text.trimStart().startsWith(bracket)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function coerceScalar(text: string, type: JsonSchema["type"]): unknown {
  const isNumber =
    type === "integer" ? /^-?\d{1,15}$/.test(text) : type === "number" && /^-?\d{1,15}(\.\d{1,10})?$/.test(text);
  if (isNumber) return Number(text);
  return type === "boolean" && (text === "true" || text === "false") ? text === "true" : text;
}
