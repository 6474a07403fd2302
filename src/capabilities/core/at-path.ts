/** Reads and changes a request at the path of an issue, like `consent.agent_name` or `addons[2]`. */
import { valueAt } from "../../lib/fields.ts";
import { type JsonSchema, propertiesOf } from "../../schema/json-schema.ts";

type Step = string | number;

function stepsOf(path: string): Step[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) => (index === undefined ? step : Number(index)));
}

/** The name of the field at a path, without the index of a list. */
export function fieldAt(path: string): string {
  return String(stepsOf(path).findLast((step) => typeof step === "string") ?? "");
}

/** The value of a request at a path; undefined where there is none. */
export function givenAt(request: unknown, path: string): unknown {
  return valueAt(request, stepsOf(path));
}

/** The schema of the value at a path. */
export function schemaAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  return stepsOf(path).reduce<JsonSchema | undefined>(
    (about, step) => (typeof step === "number" ? about?.items : about && propertiesOf(about)?.[step]),
    schema,
  );
}

/** A copy of a request with another value at a path. Undefined takes the field, or the entry of a list, out. */
export function withValue(request: object, path: string, value: unknown): object {
  return Object(changed(request, stepsOf(path), value));
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
