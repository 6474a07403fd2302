/**
 * Lenient reading: names, words and values that are not the proper ones but can mean only one thing. Used only for a
 * request with an unknown field or an issue. Source: contract 1, "Understood".
 */
import { isDeepStrictEqual } from "node:util";
import { modelIn, typeNear } from "../../catalog/models.ts";
import type { Shop } from "../../catalog/shop.ts";
import { synonymOf } from "../../catalog/terms.ts";
import { isKnownGoal } from "../../domain/flat-glass.ts";
import { isObject } from "../../lib/fields.ts";
import { fieldAt, givenAt, schemaAt, withValue } from "../../schema/at-path.ts";
import { didYouMean } from "../../schema/explain.ts";
import { isPlainLine } from "../../schema/fields.ts";
import { type JsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { properName, wordForm } from "../../schema/names.ts";
import type { Issues } from "./capability.ts";
import { MAX_WARNINGS, shownName, type Warning } from "./envelope.ts";

interface LenientRequest {
  /** The same object where every name and word was proper. */
  request: object;
  warnings: Warning[];
}

/** A field that the caller sent under another name, or inside a wrapper. */
interface Alias {
  /** The caller's name, as a path. */
  sent: string;
  field: string;
  item: unknown;
}

/** Gives the fields of a request the names of its schema, at any depth. */
export function readLenientNames(
  raw: object,
  schema: JsonSchema,
  catalog: Shop,
): LenientRequest & {
  /** Fields that were sent under two names with different values. */
  conflicts: Issues;
} {
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

/**
 * Gives the values that have an issue the form that the field takes, where they can only mean one.
 * @param schema of the request
 */
export function readLenientValues(request: object, issues: Issues, schema: JsonSchema, catalog: Shop): LenientRequest {
  let next = request;
  const warnings: Warning[] = [];
  for (const [at, { allowed = [], missing }] of issues) {
    if (missing) continue;
    const given = givenAt(request, at);
    // An object fitted no alternative of its field, so any of its values may be the wrong one.
    const paths = isObject(given) ? Object.keys(given).map((name) => `${at}.${name}`) : [at];
    for (const path of paths) {
      const value = path === at ? given : givenAt(request, path);
      if (typeof value !== "string" && typeof value !== "number") continue;
      const about = { field: fieldAt(path), schema: schemaAt(schema, path), allowed };
      const meant = meaningOf(value, about, catalog);
      if (meant === undefined || meant === value) continue;
      next = withValue(next, path, meant);
      const proper = typeof meant === "number" ? `the number ${meant}` : meant;
      warnings.push(understood(path, `"${value}" is understood as ${proper}: send ${proper}`));
    }
  }
  return { request: next, warnings };
}

/**
 * Names what was probably meant by a word that has an issue: the type of a model or a part of one, or the nearest of the
 * words that are allowed.
 */
export function addHints(request: object, issues: Issues, catalog: Shop): void {
  for (const [path, issue] of issues) {
    const value = givenAt(request, path);
    if (issue.missing || issue.did_you_mean || typeof value !== "string") continue;
    const type =
      path === "vehicle_type" ? (modelIn(value, catalog)?.vehicleType ?? typeNear(value, catalog)) : undefined;
    const meant = type ?? nearest(value, issue.allowed);
    if (meant !== undefined) issue.did_you_mean = meant;
  }
}

/** The nearest of the words that are allowed. */
export function nearest(value: string, allowed: readonly unknown[] = []): string | undefined {
  return didYouMean(
    wordForm(value),
    allowed.filter((word) => typeof word === "string"),
  );
}

interface AboutValue {
  field: string;
  schema: JsonSchema | undefined;
  allowed: readonly unknown[];
}

function meaningOf(
  value: string | number,
  { field, schema, allowed }: AboutValue,
  catalog: Shop,
): string | number | undefined {
  const text = String(value);
  if (text.length > LONGEST_WORD) return undefined;
  if (typeof value === "string" && /^\d{1,15}$/.test(text) && takesInteger(schema)) return Number(text);
  const form = wordForm(text);
  const same: string[] = [];
  for (const word of allowed) if (typeof word === "string" && wordForm(word) === form) same.push(word);
  if (same.length === 1) return same[0];
  const meant = synonymOf(form, field, catalog);
  if (meant !== undefined && allowed.includes(meant)) return meant;
  const read = READERS.get(field)?.(text, catalog);
  return allowed.length === 0 || allowed.includes(read) ? read : undefined;
}

function takesInteger(schema: JsonSchema | undefined): boolean {
  return [schema, ...(schema?.anyOf ?? [])].some((one) => one?.type === "integer");
}
const LONGEST_WORD = 100;

/** Whether two values of a field mean the same. */
function means(one: unknown, other: unknown, field: string, catalog: Shop): boolean {
  const form = (value: unknown) => {
    if (typeof value !== "string" && typeof value !== "number") return value;
    const text = String(value);
    return synonymOf(wordForm(text), field, catalog) ?? READERS.get(field)?.(text, catalog) ?? wordForm(text);
  };
  return isDeepStrictEqual(form(one), form(other));
}

/** Readers of fields that take more than a list of words, by the name of the field. */
const READERS = new Map<string, (text: string, catalog: Shop) => string | undefined>(
  Object.entries({
    time: readTime,
    after: readTime,
    before: readTime,
    jurisdiction: readJurisdiction,
    film_goals: readGoal,
    service: readService,
    service_type: readService,
    film_type: (text, { automotive }) => named(text, automotive.films),
    addons: (text, { automotive }) => named(text, automotive.addons),
    coverage: (text, { automotive }) => named(text, automotive.coverages),
  }),
);

/** The key of the entry that customers know under a name. */
function named(text: string, group: Readonly<Record<string, { name: string }>>): string | undefined {
  const form = wordForm(text);
  const [one, other] = Object.keys(group).filter((key) => wordForm(group[key]?.name ?? "") === form);
  return other === undefined ? one : undefined;
}

/** The key of a service with an id or a name. */
function readService(text: string, { services }: Shop): string | undefined {
  const form = wordForm(text);
  return services.find(({ id, name }) => String(id) === form || wordForm(name) === form)?.key;
}

function readGoal(text: string): string | undefined {
  const form = wordForm(text);
  return isKnownGoal(form) ? form : undefined;
}

/** `9:00`, `09:00:00`, `9am` and `9:30 PM` as HH:MM. */
function readTime(text: string): string | undefined {
  const [, hours = "", minutes = "00", seconds, half] =
    /^(\d{1,2})(?::(\d{2}))?(:00)?\s*(am|pm|a\.m\.|p\.m\.)?$/i.exec(text.trim()) ?? [];
  const hour = Number(hours);
  if (hours === "" || Number(minutes) > 59 || (half === undefined && !text.includes(":"))) return undefined;
  if (half === undefined) return hour > 23 ? undefined : `${hours.padStart(2, "0")}:${minutes}`;
  if (hour < 1 || hour > 12 || seconds) return undefined;
  const isAfternoon = half.toLowerCase().startsWith("p");
  return `${String((hour % 12) + (isAfternoon ? 12 : 0)).padStart(2, "0")}:${minutes}`;
}

/** `us-fl`, `FL` and `Florida` as US-FL. */
function readJurisdiction(text: string, { tint_law: { jurisdictions } }: Shop): string | undefined {
  const form = wordForm(text);
  const meant = Object.entries(jurisdictions).filter(([key, { name }]) => {
    const plain = wordForm(key);
    return plain === form || plain.replace(/^[a-z]+_/, "") === form || wordForm(name) === form;
  });
  return meant.length === 1 ? meant[0]?.[0] : undefined;
}

function understood(path: string, what: string): Warning {
  const field = shownName(path);
  const message = isPlainLine(what) ? `${field} ${what}.` : `${field} is understood.`;
  return { code: "UNDERSTOOD", field, message };
}
