/** Settings of the catalog by dotted path: which exist, the kind of value they hold, and the nearest match for a typo. */
import { z } from "zod";
import { valueAt } from "../lib/fields.ts";
import { didYouMean } from "../schema/explain.ts";
import type { Path, ScalarValue } from "./path.ts";
import { catalogSchema } from "./schema.ts";
import { EditError } from "./source.ts";

/** There is no such setting. The message says which one was probably meant. */
export class UnknownPath extends EditError {}

interface Setting {
  type: z.core.$ZodTypes["_zod"]["def"]["type"];
  nullable: boolean;
  /** Whether it is an amount: dollars in the file, cents in the program. */
  money: boolean;
  /** The keys that a group may have, optional ones included; none for anything else. */
  keys: string[];
}

/** What the schema says of a setting; undefined when the schema has no such setting. */
export function settingAt(path: Path): Setting | undefined {
  const schema = schemaOfPath(path);
  return schema && settingOf(schema);
}

function schemaOfPath(path: Path): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = catalogSchema;
  for (const part of path) schema = schema && childOf(schema, part);
  return schema;
}

/** The fields that the words of a message may name; none for anything else. */
export function templateFieldsAt(path: Path): readonly string[] {
  let schema = schemaOfPath(path);
  while (schema) {
    const { fields } = z.globalRegistry.get(schema) ?? {};
    if (Array.isArray(fields)) return fields.map(String);
    const def = defOf(schema);
    schema = "innerType" in def ? def.innerType : undefined;
  }
  return [];
}

function settingOf(schema: z.core.$ZodType): Setting {
  const def = defOf(schema);
  switch (def.type) {
    case "optional":
    case "default":
    case "prefault":
      return settingOf(def.innerType);
    case "nullable":
      return { ...settingOf(def.innerType), nullable: true };
    case "pipe": {
      const setting = settingOf(def.in);
      // Money is the only number that the schema transforms.
      return { ...setting, money: setting.type === "number" };
    }
    case "object":
      return { type: def.type, nullable: false, money: false, keys: Object.keys(def.shape) };
    case "union":
      return { type: def.type, nullable: false, money: def.options.some((one) => settingOf(one).money), keys: [] };
    default:
      return { type: def.type, nullable: false, money: false, keys: [] };
  }
}

function childOf(schema: z.core.$ZodType, part: string | number): z.core.$ZodType | undefined {
  const def = defOf(schema);
  switch (def.type) {
    case "optional":
    case "default":
    case "prefault":
    case "nullable":
      return childOf(def.innerType, part);
    case "pipe":
      return childOf(def.in, part);
    case "object":
      return Object.hasOwn(def.shape, part) ? def.shape[part] : undefined;
    case "record":
      return def.valueType;
    case "array":
      return def.element;
    case "union":
      return def.options.map((option) => childOf(option, part)).find((child) => child !== undefined);
    default:
      return undefined;
  }
}

/** Zod's own description of a schema. The cast is safe: the catalog's schema is made of zod's own classes only. */
function defOf(schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] {
  return (schema as z.core.$ZodTypes)._zod.def;
}

interface FoundSetting {
  path: Path;
  /** The value as it is in the file; undefined when an optional key is not set. */
  value: unknown;
}

/** At a dotted path, such as `faq.0.question`. Throws UnknownPath. */
export function findSetting(source: unknown, dotted: string): FoundSetting {
  const path: Path = [];
  let value = source;
  const parts = dotted.split(".");
  for (const [i, part] of parts.entries()) {
    const known = settingKeys(value, path);
    const isOptional = i === parts.length - 1 && known.includes(part);
    if (!isOptional && !has(value, part)) throw unknownPath(source, path, parts.slice(i), known);
    path.push(Array.isArray(value) ? Number(part) : part);
    value = has(value, part) ? Object(value)[part] : undefined;
  }
  return { path, value };
}

/** Whether a group or list has the entry. JavaScript would also find the characters of a text and the length of a list. */
function has(value: unknown, part: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, part) && (!Array.isArray(value) || /^\d+$/.test(part));
}

function settingKeys(value: unknown, path: Path): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value) ? [] : [...new Set([...Object.keys(value), ...(settingAt(path)?.keys ?? [])])];
}

function unknownPath(source: unknown, path: Path, rest: string[], known: string[]): UnknownPath {
  const dotted = [...path, ...rest].join(".");
  const at = path.join(".");
  const value = valueAt(source, path);
  const guess = didYouMean(rest[0] ?? "", known);
  const hint = () => {
    if (guess) return `Did you mean ${[...path, guess, ...rest.slice(1)].join(".")}?`;
    const elsewhere = pathsEndingIn(source, rest.join("."));
    if (elsewhere.length > 0) return `Did you mean ${elsewhere.slice(0, 5).join(" or ")}?`;
    if (Array.isArray(value)) return `${at} is a list: its entries are ${at}.0 to ${at}.${value.length - 1}.`;
    if (known.length === 0) return `${at} is a single value.`;
    return `${at === "" ? "The catalog" : at} has: ${known.join(", ")}.`;
  };
  return new UnknownPath(`There is no ${dotted || "empty path"} in the catalog. ${hint()}`);
}

/** Settings whose path ends in the text that was typed: scheduling.bays for `bays`. */
function pathsEndingIn(value: unknown, wanted: string, path = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const here = path ? `${path}.${key}` : key;
    return [...(here.endsWith(`.${wanted}`) ? [here] : []), ...pathsEndingIn(item, wanted, here)];
  });
}

/** Reads a typed value as the kind that the setting holds; one of another kind stays text, and the catalog's rules refuse it. */
export function readTyped(path: Path, typed: string): ScalarValue | object {
  const setting = settingAt(path);
  if (setting?.nullable && typed === "null") return null;
  switch (setting?.type) {
    case "number":
    case "literal":
      return isNumber(typed) ? Number(typed) : typed;
    case "union":
      return isNumber(typed) ? Number(typed) : readCollection(typed);
    case "boolean":
      return typed === "true" || (typed === "false" ? false : typed);
    case "array":
    case "object":
    case "record":
      return readCollection(typed);
    default:
      return typed;
  }
}

function isNumber(typed: string): boolean {
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(typed);
}

function readCollection(typed: string): string | object {
  try {
    // Loaded on first use, because a server looks settings up but reads no YAML.
    const { parse }: typeof import("yaml") = require("yaml");
    const value: unknown = parse(typed, { strict: true, stringKeys: true, logLevel: "error" });
    return typeof value === "object" && value !== null ? value : typed;
  } catch {
    return typed;
  }
}
