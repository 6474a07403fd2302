/** Warnings about the fields of a request that its capability does not know. */
import { didYouMean } from "../../schema/explain.ts";
import { type JsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { wordForm } from "../../schema/names.ts";
import type { Warning } from "./envelope.ts";

export const MAX_WARNINGS = 20;
/** The most fields of one object that are compared with the schema. A hostile body can have any number. */
const MAX_FIELDS = 1000;

/** One warning for every field that the schema does not describe, at any depth. @param path of the value; empty for the request */
export function unknownFields(value: unknown, schema: JsonSchema, path = ""): Warning[] {
  if (typeof value !== "object" || value === null) return [];
  const { items } = schema;
  if (Array.isArray(value)) {
    const inside = items ? value.slice(0, MAX_FIELDS) : [];
    return inside.flatMap((item, i) => unknownFields(item, items ?? {}, `${path}[${i}]`)).slice(0, MAX_WARNINGS);
  }
  const properties = propertiesOf(schema);
  if (!properties) return [];
  const warnings: Warning[] = [];
  for (const name of Object.keys(value).slice(0, MAX_FIELDS)) {
    const at = path === "" ? name : `${path}.${name}`;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) {
      const item = (value as Record<string, unknown>)[name];
      if (typeof item === "object") warnings.push(...unknownFields(item, property, at));
    } else {
      const meant = didYouMean(name, Object.keys(properties)) ?? holding(name, Object.keys(properties));
      warnings.push(ignoredField(at, "is not a field of this request and was ignored.", meant));
    }
  }
  return warnings.slice(0, MAX_WARNINGS);
}

/** The one field of which the name is a part, like `width` of `width_in`. */
function holding(name: string, fields: readonly string[]): string | undefined {
  const part = wordForm(name);
  const [one, other] = fields.filter((field) => field.split("_").includes(part));
  return other === undefined ? one : undefined;
}

/** The caller's own name of a field, without characters that forge lines of a log. */
export function shownName(path: string): string {
  return path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\u{FFFD}").slice(0, 200);
}

/** @param path of the field, as the caller wrote it */
export function ignoredField(path: string, why: string, meant?: string): Warning {
  const field = shownName(path);
  return { code: "UNKNOWN_FIELD", field, message: `${field} ${why}`, ...(meant && { did_you_mean: meant }) };
}
