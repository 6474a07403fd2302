/** Reads and changes a request at the path of an issue, like `consent.agent_name` or `addons[2]`. */
import { valueAt } from "../lib/fields.ts";
import { type JsonSchema, propertiesOf } from "./json-schema.ts";

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
export function topOf(path: string): string {
  return path.replace(/[.[].*$/s, "");
}

/** The name of the field at a path, without the index of a list. */
export function fieldAt(path: string): string {
  return String(pathSteps(path).findLast((step) => typeof step === "string") ?? "");
}

/** The value of a request at a path; undefined where there is none. */
export function givenAt(request: unknown, path: string): unknown {
  return valueAt(request, pathSteps(path));
}

/** The schema of the value at a path. */
export function schemaAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  let about: JsonSchema | undefined = schema;
  for (const step of pathSteps(path))
    about = typeof step === "number" ? about?.items : about && propertiesOf(about)?.[step];
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
