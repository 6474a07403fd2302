/** Texts as the types of their fields; the value and the schema at the path of an issue, like `consent.agent_name` or `addons[2]`. */
import { valueAt } from "../lib/fields.ts";
import { type JsonSchema, propertiesOf } from "./json-schema.ts";
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
    const json = values.length === 1 ? (jsonBetween(value, "[") ?? jsonBetween(value, "{")) : undefined;
    return json ?? values.flatMap((one) => one.split(",").map((item) => item.trim())).filter((item) => item !== "");
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

type Step = string | number;

function pathSteps(path: string): Step[] {
  const steps: Step[] = [];
  for (const [step, index] of path.matchAll(/\[(\d+)\]|[^.[\]]+/g))
    steps.push(index === undefined ? step : Number(index));
  return steps;
}

/** The path of nested fields and indices of lists. */
export function joinPath(steps: readonly PropertyKey[]): string {
  let path = "";
  for (const step of steps) path += typeof step === "number" ? `[${step}]` : `${path && "."}${String(step)}`;
  return path;
}

/** The field of the request in which a path lies. */
export function topField(path: string): string {
  return path.replace(/[.[].*$/s, "");
}

/** The name of the field at a path, without the index of a list. */
export function fieldAt(path: string): string {
  return /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? "";
}

/** The value of a request at a path; undefined where there is none. */
export function givenAt(request: unknown, path: string): unknown {
  return valueAt(request, pathSteps(path));
}

/** The schema of the value at a path. */
export function schemaAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  let about: JsonSchema | undefined = schema;
  for (const step of pathSteps(path)) {
    const properties: Readonly<Record<string, JsonSchema>> = (about && propertiesOf(about)) ?? {};
    about = typeof step === "number" ? about?.items : Object.hasOwn(properties, step) ? properties[step] : undefined;
  }
  return about;
}

/** A copy of a request with another value at a path. Undefined takes the field, or the entry of a list, out. */
export function withValue(request: object, path: string, value: unknown): Record<string, unknown> {
  return Object(changed(request, pathSteps(path), value));
}

function changed(inside: unknown, [step, ...rest]: Step[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(inside)) {
    const items = inside.map((item, i) => (i === step ? changed(item, rest, value) : item));
    return items.filter((item) => item !== undefined);
  }
  const fields = new Map(Object.entries(Object(inside)));
  const inner = changed(fields.get(String(step)), rest, value);
  if (inner === undefined) fields.delete(String(step));
  else fields.set(String(step), inner);
  return Object.fromEntries(fields);
}
