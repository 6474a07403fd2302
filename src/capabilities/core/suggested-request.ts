/**
 * `usage.sample_request` of an error: the caller's own request, with every issue repaired where the program knows how:
 * the meant word, the value in its type, or that of the sample. It never acts, and never repeats what was refused.
 * Source: contract 1, "Samples never act".
 */
import { WEEKDAYS } from "../../constants.ts";
import { addDays, shopDate, weekdayOf } from "../../domain/schedule.ts";
import { ApiError, type ErrorCode } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { fieldAt, givenAt, topOf, withValue } from "../../schema/at-path.ts";
import { coerceFields } from "../../schema/coerce.ts";
import { type JsonSchema, jsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { wordForm } from "../../schema/names.ts";
import type { Capability, Context, FieldIssue } from "./capability.ts";
import { ifStoreAnswers } from "./if-store-answers.ts";
import { nearest } from "./lenient.ts";
import { hasIssueAt, type Validated, validate } from "./validate.ts";

/** The codes after which the request can succeed in another form, or later. After others the plain sample is shown. */
const CORRECTABLE: ReadonlySet<ErrorCode> = new Set([
  "NOT_FOUND",
  "BAD_REQUEST",
  "MISSING_FIELD",
  "INVALID_JSON",
  "SERVICE_NOT_FOUND",
  "INVALID_VEHICLE_TYPE",
  "METHOD_NOT_ALLOWED",
  "DATE_BLOCKED",
  "SLOT_TAKEN",
  "IDEMPOTENCY_CONFLICT",
  "PRICE_CHANGED",
  "BOOKING_NOT_FOUND",
  "OUT_OF_SERVICE_AREA",
  "RATE_LIMITED",
  "BOOKING_FAILED",
]);

/** The fields that were refused, where the error does not name them as faults: the request is shown without them. */
const REFUSED: { readonly [Code in ErrorCode]?: readonly string[] } = {
  BOOKING_NOT_FOUND: ["confirmation_code", "phone", "email"],
  OUT_OF_SERVICE_AREA: ["postal_code"],
};

/** Codes of requests that were right, and can succeed later as they stand. */
const LATER: ReadonlySet<ErrorCode> = new Set(["RATE_LIMITED", "BOOKING_FAILED"]);

/** The refused request, and the reason. */
interface Refused {
  validated: Validated;
  error: ApiError;
  /** Runs a request that was validated, for a dry run of the repaired one. @throws ApiError */
  attempt: (validated: Validated) => Promise<unknown>;
}

interface Suggested {
  sample: object;
  /** Fields that the sample leaves to the caller. */
  fillIn: string[];
}

type Fields = Record<string, unknown>;
type Issue = Pick<FieldIssue, "allowed" | "missing" | "did_you_mean">;

const DRY_RUN_FIRST: ReadonlySet<Capability["sideEffect"]> = new Set(["books_appointment", "creates_lead"]);

/** @returns undefined where no own sample can be shown */
export async function suggestRequest(
  capability: Capability,
  refused: Refused,
  ctx: Context,
): Promise<Suggested | undefined> {
  const { error, validated, attempt } = refused;
  const { sideEffect } = capability;
  const schema = jsonSchema(capability.input(ctx.catalog), "input");
  const isDryRun = Object.hasOwn(schema.properties ?? {}, "dry_run");
  if (!CORRECTABLE.has(error.code) || (sideEffect !== "none" && !isDryRun)) return undefined;
  const request = properlyNamed(validated, schema);
  const sample: object = capability.sample(ctx.catalog, ctx.now);
  const next = repaired(request, refused, { capability, sample, schema, ctx });
  if (Object.keys(next).length === 0) return undefined;
  const sound = soundRequest(next, sample, capability, ctx);
  const isTried = isDryRun && DRY_RUN_FIRST.has(sideEffect) && !LATER.has(error.code);
  if (!sound || !isTried) return sound && withoutChoices(sound.request, request, ctx);
  // Without a readable store the plain sample is shown, and soon: a refusal of the body needs no database.
  const tried = await ifStoreAnswers(dryRun(sound, attempt, capability, ctx));
  return tried?.answer && withoutChoices(tried.answer, request, ctx);
}

/** The known fields of the request, with those that were probably meant in the place of unknown ones. */
function properlyNamed({ request, issues, warnings }: Validated, { properties = {} }: JsonSchema): Fields {
  const named: [string, unknown][] = [];
  for (const [name, value] of Object.entries(request)) {
    if (Object.hasOwn(properties, name)) {
      // What was unknown is no name, but a word in it.
      named.push([name, value]);
      continue;
    }
    const about = issues.get(name) ?? warnings.findLast(({ field }) => field === name);
    const proper = about?.did_you_mean;
    if (proper === undefined || Object.hasOwn(request, proper) || !Object.hasOwn(properties, proper)) continue;
    named.push([proper, value]);
  }
  return Object.fromEntries(named);
}

/** What a repair may look at. */
interface Repair {
  capability: Capability;
  sample: object;
  schema: JsonSchema;
  ctx: Context;
}

/** The request without what was refused, and with each known issue repaired. */
function repaired(request: Fields, { error, validated }: Refused, repair: Repair): Fields {
  const { code, details } = error;
  const { capability, schema, ctx } = repair;
  const { consent: _, ...known } = request;
  for (const field of REFUSED[code] ?? []) delete known[field];
  const isConflict = code === "IDEMPOTENCY_CONFLICT";
  const issues = new Map<string, Issue>();
  // The fields that differ from those of an earlier request are no faults of this one.
  if (!isConflict) for (const issue of details.invalid_fields ?? []) issues.set(issue.field, issue);
  for (const [path, issue] of validated.issues) issues.set(path, issue);
  const isFew = hasFewValues(request, MOST_LOOKS / issues.size);
  let next: Fields = known;
  for (const entries of Map.groupBy(issues, ([path]) => topOf(path)).values()) {
    // From the last to the first, because a list gets shorter without an entry.
    for (const [path, issue] of entries.reverse()) {
      // When two fields contradict each other, changing one is enough. The estimate is kept, because it fills in
      // missing fields.
      const isChecked = validated.issues.has(path) && Object.hasOwn(capability.checks ?? {}, path);
      const hasIssue = isChecked
        ? hasIssueAt(capability, next, path, ctx.catalog)
        : path !== "estimate_id" || issues.size === 1;
      if (hasIssue) next = withoutIssue(next, path, issue, isFew, repair);
    }
  }
  if (Object.hasOwn(schema.properties ?? {}, "dry_run")) next = { ...next, dry_run: true };
  if (isConflict) {
    const id = Object.keys(schema.properties ?? {}).find((name) => name.endsWith("_request_id"));
    if (id !== undefined) next = { ...next, [id]: newId("try") };
  }
  const { estimate } = details;
  return { ...next, ...firstAlternative(error), ...(estimate && { estimate_id: estimate.estimate_id }) };
}

/** @param isFew whether the issues are few enough to repair each where it stands */
function withoutIssue(
  next: Fields,
  path: string,
  { allowed = [], missing, did_you_mean }: Issue,
  isFew: boolean,
  repair: Repair,
): Fields {
  const { sample, schema, ctx } = repair;
  const field = topOf(path);
  const about = schema.properties?.[field];
  if (!about || field === "consent") return next;
  const value = givenAt(next, path);
  const meant = did_you_mean ?? (typeof value === "string" ? nearest(value, allowed) : undefined);
  if (meant !== undefined) return withValue(next, path, meant);
  if (/\[\d+\]$/.test(path)) return withValue(next, path, undefined);
  const isRequired = schema.required?.includes(field) || missing !== undefined;
  const [only, other] = allowed;
  const isOnly = only !== undefined && other === undefined;
  const fallback = isRequired ? (isOnly ? only : givenAt(sample, field)) : undefined;
  if (path !== field) {
    const inside = isFew ? withoutIssueInside(next, path, about, repair) : undefined;
    return inside ?? withValue(next, field, fallback ?? about.example);
  }
  if (isDate(about)) return withValue(next, field, dateMeant(value, ctx) ?? givenAt(sample, field) ?? today(ctx));
  return withValue(next, field, coercedTo(about, field, value) ?? fallback);
}

/**
 * The request with one part of a field repaired: in its type, left out, or as in the example. The other parts stay as
 * the caller wished. Undefined where none of these is accepted.
 */
function withoutIssueInside(
  next: Fields,
  path: string,
  about: JsonSchema,
  { capability, ctx }: Repair,
): Fields | undefined {
  const field = topOf(path);
  const name = fieldAt(path);
  // The schema of the part, of a list's entries too.
  const part = propertiesOf(about.items ?? about)?.[name];
  const [example] = [about.example].flat();
  const typed = part && coercedTo(part, name, givenAt(next, path));
  for (const value of [typed, undefined, givenAt(example, name)]) {
    const changed = withValue(next, path, value);
    const isEmpty = Object.keys(Object(changed[field])).length === 0;
    if (!isEmpty && !hasIssueAt(capability, changed, path, ctx.catalog)) return changed;
  }
  return undefined;
}

/** Text or a number in the type of the field; undefined where that changes nothing. */
function coercedTo(about: JsonSchema, field: string, value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const coerced = givenAt(coerceFields([[field, [String(value)]]], { properties: { [field]: about } }), field);
  return coerced === value || typeof coerced === "string" ? undefined : coerced;
}

/** Every issue that is repaired where it stands takes further looks at its field: the most issues times values. */
const MOST_LOOKS = 6_000;
/** A long text counts as several values. */
const VALUE_LENGTH = 100;

/** Counted one by one, because to write deeply nested lists as JSON takes a second. */
function hasFewValues(request: object, most: number): boolean {
  let room = most;
  const left: unknown[] = [request];
  while (left.length > 0 && room >= 0) {
    const value = left.pop();
    room -= typeof value === "string" ? 1 + value.length / VALUE_LENGTH : 1;
    if (typeof value === "object" && value !== null) left.push(...Object.values(value));
  }
  return room >= 0;
}

interface SoundRequest {
  request: object;
  validated: Validated;
}

/**
 * The request with the sample's values, or none, in the fields that still have an issue; undefined when that does not
 * help.
 */
function soundRequest(
  request: object,
  sample: object,
  capability: Capability,
  { catalog }: Context,
): SoundRequest | undefined {
  const validated = validate(capability, request, catalog);
  if (validated.issues.size === 0) return { request, validated };
  let next = request;
  for (const path of validated.issues.keys()) next = withValue(next, topOf(path), givenAt(sample, topOf(path)));
  const again = validate(capability, next, catalog);
  return again.issues.size === 0 ? { request: next, validated: again } : undefined;
}

/** A time can be taken while the first alternative is tried. */
const TRIES = 3;

/** The request with a time that is open; undefined when a dry run of it is refused for another reason. */
async function dryRun(
  { request, validated }: SoundRequest,
  attempt: Refused["attempt"],
  capability: Capability,
  ctx: Context,
): Promise<object | undefined> {
  let next = request;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      await attempt(tries === 0 ? validated : validate(capability, next, ctx.catalog));
      return next;
    } catch (error) {
      const alternative = error instanceof ApiError ? firstAlternative(error) : {};
      if (!("date" in alternative)) return undefined;
      next = { ...next, ...alternative };
    }
  }
  return undefined;
}

function firstAlternative({ details: { alternatives } }: ApiError): object {
  const { date, time } = Object(alternatives?.[0]);
  return date === undefined ? {} : { date, time };
}

/** The date is the caller's choice: the sample shows no other one than the one that was asked for. */
function withoutChoices(sample: object, wished: Fields, ctx: Context): Suggested {
  const { date, time }: Fields = { ...sample };
  const isOther = date !== undefined && date !== wished.date && date !== dateMeant(wished.date, ctx);
  const isOtherTime = isOther && time !== undefined && time !== wished.time;
  return { sample, fillIn: [...(isOther ? ["date"] : []), ...(isOtherTime ? ["time"] : [])] };
}

/** `today`, `tomorrow` and days of the week, on the shop's calendar; the date of an RFC 3339 time. */
function dateMeant(value: unknown, ctx: Context): string | undefined {
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

function isDate({ format }: JsonSchema): boolean {
  return format === "date";
}

/** Whether one of the issues is of a date: then the caller is told what today is. */
export function isAboutDate({ details }: ApiError, capability: Capability, { catalog }: Context): boolean {
  const { properties = {} } = jsonSchema(capability.input(catalog), "input");
  const paths = [...(details.missing_fields ?? [])];
  for (const { field } of details.invalid_fields ?? []) paths.push(field);
  return paths.some((path) => isDate(properties[topOf(path)] ?? {}));
}
