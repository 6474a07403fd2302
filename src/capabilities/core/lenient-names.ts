/** Lenient input, the names: fields that were sent under another name, or inside a wrapper. Source: contract 1, "Understood". */
import type { Shop } from "../../catalog/shop.ts";
import { isObject } from "../../lib/fields.ts";
import { type JsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { properName, wordForm } from "../../schema/names.ts";
import type { Warning } from "./envelope.ts";
import { type Issues, type LenientRequest, means, understood } from "./lenient-input.ts";
import { MAX_WARNINGS, shownName } from "./unknown-fields.ts";

/** A field that the caller sent under another name, or inside a wrapper. */
interface Alias {
  /** The caller's name, as a path. */
  sent: string;
  field: string;
  item: unknown;
}

/** Gives the fields of a request the names of its schema, at any depth. */
export function readLenientNames(raw: object, schema: JsonSchema, catalog: Shop): LenientRequest {
  const warnings: Warning[] = [];
  const conflicts: Issues = new Map();

  function rename(value: unknown, about: JsonSchema | undefined, prefix: string): unknown {
    const { items } = about ?? {};
    if (items && Array.isArray(value)) return value.map((item, i) => rename(item, items, `${prefix}[${i}]`));
    const properties = about && propertiesOf(about);
    if (!isObject(value) || !properties) return value;
    const at = (name: string) => (prefix === "" ? name : `${prefix}.${name}`);
    const fields = new Map<string, unknown>();
    const aliases: Alias[] = [];
    for (const [name, item] of Object.entries(value)) {
      const inner = Object.hasOwn(properties, name) ? undefined : unwrapped(name, item, properties);
      const field = properName(name, properties);
      if (inner) {
        warnings.push(understood(at(name), "is understood as the fields inside it: send them without it"));
        aliases.push(
          ...inner.map(([key, one]) => ({ sent: `${name}.${key}`, ...properField(name, key, properties), item: one })),
        );
      } else if (field === undefined) {
        fields.set(name, rename(item, properties[name], at(name)));
      } else {
        warnings.push(understood(at(name), `is understood as ${at(field)}: send it under that name`));
        aliases.push({ sent: name, field, item });
      }
    }
    for (const { sent, field, item } of aliases) {
      const known = fields.get(field);
      const inner = rename(item, properties[field], at(field));
      if (known == null) fields.set(field, inner);
      else if (item != null && !means(inner, known, field, catalog)) {
        for (const [one, other] of [
          [field, sent],
          [sent, field],
        ] as const) {
          conflicts.set(shownName(at(one)), {
            message: `must hold the same value as ${shownName(at(other))}, or be left out`,
          });
        }
      }
    }
    return Object.fromEntries(fields);
  }

  const request = Object(rename(raw, schema, ""));
  return warnings.length === 0
    ? { request: raw, warnings, conflicts }
    : { request, warnings: warnings.slice(0, MAX_WARNINGS), conflicts };
}

/** The fields inside a wrapper, like `input` or `vehicle: {type, year}`; undefined for anything else. */
function unwrapped(
  name: string,
  item: unknown,
  properties: Record<string, JsonSchema>,
): [string, unknown][] | undefined {
  if (!isObject(item)) return undefined;
  const inner = Object.entries(item);
  const isOfGroup = ([key]: [string, unknown]) => {
    const { field } = properField(name, key, properties);
    return Object.hasOwn(properties, field) && field.startsWith(`${wordForm(name)}_`);
  };
  return inner.length > 0 && (WRAPPERS.has(wordForm(name)) || inner.every(isOfGroup)) ? inner : undefined;
}

/** The field that a key of a group means: `type` of `vehicle` is `vehicle_type`. */
function properField(group: string, key: string, properties: Record<string, JsonSchema>): { field: string } {
  const joined = `${group}_${key}`;
  if (Object.hasOwn(properties, joined)) return { field: joined };
  return { field: properName(joined, properties) ?? properName(key, properties) ?? key };
}

/** Names under which programs send a whole request inside another. */
const WRAPPERS = new Set([
  "input",
  "inputs",
  "arguments",
  "args",
  "params",
  "parameters",
  "request",
  "body",
  "data",
  "payload",
  "json",
  "query",
]);
