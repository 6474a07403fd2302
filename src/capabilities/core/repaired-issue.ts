/** Repairs one issue of a request where the program knows how: the meant word, the value in its type, or that of the sample. */

import { WEEKDAYS } from "../../constants.ts";
import { addDays, shopDate, weekdayOf } from "../../domain/schedule.ts";
import { coerceFields } from "../../schema/coerce.ts";
import { didYouMean } from "../../schema/explain.ts";
import { type JsonSchema, jsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { wordForm } from "../../schema/names.ts";
import { fieldAt, givenAt, withValue } from "./at-path.ts";
import type { Capability, Context, FieldIssue } from "./capability.ts";
import { validate } from "./validate.ts";

interface SuggestionContext {
  capability: Capability;
  sample: object;
  /** Whether the issues are few enough to repair each where it stands. */
  isFew: boolean;
  ctx: Context;
}

export function withoutIssue(
  request: object,
  path: string,
  { allowed = [], missing, did_you_mean }: Pick<FieldIssue, "allowed" | "missing" | "did_you_mean">,
  suggestion: SuggestionContext,
): object {
  const { capability, sample, isFew, ctx } = suggestion;
  const field = topOf(path);
  const schema = jsonSchema(capability.input(ctx.catalog), "input");
  const about = schema.properties?.[field];
  if (!about || field === "consent") return request;
  const value = givenAt(request, path);
  const words = allowed.filter((word) => typeof word === "string");
  const meant = did_you_mean ?? (typeof value === "string" ? didYouMean(wordForm(value), words) : undefined);
  if (meant !== undefined) return withValue(request, path, meant);
  const isRequired = schema.required?.includes(field) || missing !== undefined;
  const [only, other] = allowed;
  const isOnly = only !== undefined && other === undefined;
  const fallback = isRequired ? (isOnly ? only : givenAt(sample, field)) : undefined;
  if (/\[\d+\]$/.test(path)) return withValue(request, path, undefined);
  if (path !== field) {
    const suggested = isFew ? suggestInside(request, path, about, suggestion) : undefined;
    return suggested ?? withValue(request, field, fallback ?? about.example);
  }
  if (isDate(about)) return withValue(request, field, dateMeant(value, ctx) ?? givenAt(sample, field) ?? today(ctx));
  const coerced = coercedTo(about, field, value);
  return withValue(request, field, coerced ?? fallback);
}

/**
 * The request with one part of a field repaired: in its type, left out, or as in the example. The other parts stay as
 * the caller wished. Undefined where none of these is accepted.
 */
function suggestInside(
  request: object,
  path: string,
  about: JsonSchema,
  { capability, ctx }: SuggestionContext,
): object | undefined {
  const field = topOf(path);
  const name = fieldAt(path);
  const part = partOf(about, name);
  const [example] = [about.example].flat();
  const instead = [part && coercedTo(part, name, givenAt(request, path)), undefined, givenAt(example, name)];
  return instead
    .map((value) => withValue(request, path, value))
    .find((next) => !isEmpty(givenAt(next, field)) && !validate(capability, next, ctx.catalog).issues.has(path));
}

/** The schema of a named part, of a list's entries too. */
function partOf(about: JsonSchema, name: string): JsonSchema | undefined {
  return propertiesOf(about.items ?? about)?.[name];
}

function isEmpty(value: unknown): boolean {
  return Object.keys(Object(value)).length === 0;
}

/** Text or a number in the type of the field; undefined where that changes nothing. */
function coercedTo(about: JsonSchema, field: string, value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const coerced = givenAt(coerceFields([[field, [String(value)]]], { properties: { [field]: about } }), field);
  return coerced === value || typeof coerced === "string" ? undefined : coerced;
}

/** `today`, `tomorrow` and days of the week, on the shop's calendar; the date of an RFC 3339 time. */
export function dateMeant(value: unknown, ctx: Context): string | undefined {
  if (typeof value !== "string") return undefined;
  const stated = /^\d{4}-\d{2}-\d{2}(?=T)/.exec(value.trim())?.[0];
  if (stated !== undefined) return stated;
  const first = today(ctx);
  const word = wordForm(value);
  const names: readonly string[] = WEEKDAYS;
  const weekday = names.indexOf(word);
  const days = weekday >= 0 ? (weekday - names.indexOf(weekdayOf(first)) + 7) % 7 : ["today", "tomorrow"].indexOf(word);
  return days < 0 ? undefined : addDays(first, days);
}

function today({ catalog, now }: Context): string {
  return shopDate(catalog, now);
}

export function isDate({ format }: JsonSchema): boolean {
  return format === "date";
}

/** The field of the request in which a path lies. */
export function topOf(path: string): string {
  return path.replace(/[.[].*$/s, "");
}
