/**
 * Lenient input: words and values that are not the proper ones but can mean only one thing; `lenient-names.ts` does the
 * same for the names of fields. Used only for a request with an unknown field or an issue. Source: contract 1, "Understood".
 */
import { isDeepStrictEqual } from "node:util";
import type { Shop } from "../../catalog/shop.ts";
import { synonymOf } from "../../catalog/terms.ts";
import { isKnownGoal } from "../../domain/flat-glass.ts";
import { modelIn, typeNear } from "../../domain/vehicle-class.ts";
import type { ErrorCode } from "../../errors.ts";
import { isObject } from "../../lib/fields.ts";
import { didYouMean } from "../../schema/explain.ts";
import { isPlainLine } from "../../schema/fields.ts";
import type { JsonSchema } from "../../schema/json-schema.ts";
import { wordForm } from "../../schema/names.ts";
import { fieldAt, givenAt, schemaAt, withValue } from "./at-path.ts";
import type { FieldIssue } from "./capability.ts";
import type { Warning } from "./envelope.ts";
import { shownName } from "./unknown-fields.ts";

/** Issues by path, like `consent.agent_name` or `addons[2]`. */
export type Issues = Map<string, FieldIssue<ErrorCode>>;

export interface LenientRequest {
  /** The same object where every name and word was proper. */
  request: object;
  warnings: Warning[];
  /** Fields that were sent under two names with different values. */
  conflicts: Issues;
}

/**
 * Gives the values that have an issue the form that the field takes, where they can only mean one.
 * @param schema of the request
 */
export function readLenientValues(
  request: object,
  issues: Issues,
  schema: JsonSchema,
  catalog: Shop,
): Omit<LenientRequest, "conflicts"> {
  let next = request;
  const warnings: Warning[] = [];
  for (const [at, { allowed = [], missing }] of issues) {
    if (missing) continue;
    for (const path of valuesAt(request, at)) {
      const value = givenAt(request, path);
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
 * The path of an issue. For an object, the paths of its values: the object fitted no alternative of its field, so any
 * of them may be the wrong one.
 */
function valuesAt(request: object, path: string): string[] {
  const value = givenAt(request, path);
  return isObject(value) ? Object.keys(value).map((name) => `${path}.${name}`) : [path];
}

/** Names what was probably meant by a word that has an issue: the type of a model or a part of one, or the nearest of the words that are allowed. */
export function addHints(request: object, issues: Issues, catalog: Shop): void {
  for (const [path, issue] of issues) {
    const value = givenAt(request, path);
    if (issue.missing || issue.did_you_mean || typeof value !== "string") continue;
    const type =
      path === "vehicle_type" ? (modelIn(value, catalog)?.vehicleType ?? typeNear(value, catalog)) : undefined;
    const words = (issue.allowed ?? []).filter((word) => typeof word === "string");
    const meant = type ?? didYouMean(wordForm(value), words);
    if (meant !== undefined) issue.did_you_mean = meant;
  }
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
  const same = allowed.filter((word) => typeof word === "string" && wordForm(word) === form);
  if (same.length === 1) return String(same[0]);
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
export function means(one: unknown, other: unknown, field: string, catalog: Shop): boolean {
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

export function understood(path: string, what: string): Warning {
  const field = shownName(path);
  const message = isPlainLine(what) ? `${field} ${what}.` : `${field} is understood.`;
  return { code: "UNDERSTOOD", field, message };
}
