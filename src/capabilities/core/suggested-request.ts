/**
 * `usage.sample_request` of an error: the caller's own request, with every issue repaired where the program knows how. It
 * never acts, and never repeats what was refused. Source: contract 1, "Samples never act".
 */

import { ApiError, type ErrorCode } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { normalise } from "../../schema/fields.ts";
import { type JsonSchema, jsonSchema } from "../../schema/json-schema.ts";
import { givenAt, withValue } from "./at-path.ts";
import type { Capability, Context, FieldIssue } from "./capability.ts";
import { dateMeant, isDate, topOf, withoutIssue } from "./repaired-issue.ts";
import { type Validated, validate } from "./validate.ts";

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

/** Runs a request that was validated. @throws ApiError */
type Attempt = (validated: Validated) => Promise<unknown>;

/** The refused request, and the reason. */
interface Refused {
  validated: Validated;
  error: ApiError;
  /** For a dry run of the repaired request. */
  attempt: Attempt;
}

interface Suggested {
  sample: object;
  /** Fields that the sample leaves to the caller. */
  fillIn: string[];
}

/** @returns undefined where no own sample can be shown */
export async function suggestRequest(
  capability: Capability,
  refused: Refused,
  ctx: Context,
): Promise<Suggested | undefined> {
  const request = properlyNamed(refused.validated, requestFields(capability, ctx));
  const suggested = await repaired(capability, request, refused, ctx);
  return suggested && withoutChoices(suggested, request, ctx);
}

/** The request with the fields that were probably meant in the place of unknown ones. */
function properlyNamed(
  { request, issues, warnings }: Validated,
  known: Readonly<Record<string, JsonSchema>>,
): Record<string, unknown> {
  const given: Record<string, unknown> = { ...Object(normalise(request)) };
  const meant = new Map([
    ...warnings.map(({ field, did_you_mean }) => [field, did_you_mean] as const),
    ...[...issues].map(([field, { did_you_mean }]) => [field, did_you_mean] as const),
  ]);
  const names = Object.entries(given).map(([name, value]) => {
    // The name is that of a field; what was unknown is a word in it.
    const proper = Object.hasOwn(known, name) ? undefined : meant.get(name);
    return [proper === undefined || Object.hasOwn(given, proper) ? name : proper, value];
  });
  return Object.fromEntries(names);
}

/** The date is the caller's choice: the sample shows no other one than the one that was asked for. */
function withoutChoices(sample: object, request: object, ctx: Context): Suggested {
  const [date, wished] = [givenAt(sample, "date"), givenAt(request, "date")];
  const isOther = date !== undefined && date !== wished && date !== dateMeant(wished, ctx);
  const time = givenAt(sample, "time");
  const isOtherTime = isOther && time !== undefined && time !== givenAt(request, "time");
  return { sample, fillIn: [...(isOther ? ["date"] : []), ...(isOtherTime ? ["time"] : [])] };
}

async function repaired(
  capability: Capability,
  request: Record<string, unknown>,
  refused: Refused,
  ctx: Context,
): Promise<object | undefined> {
  const { error, validated, attempt } = refused;
  const { estimate } = error.details;
  const properties = requestFields(capability, ctx);
  const isDryRun = Object.hasOwn(properties, "dry_run");
  if (!CORRECTABLE.has(error.code) || (capability.sideEffect !== "none" && !isDryRun)) return undefined;
  const sample: object = capability.sample(ctx.catalog, ctx.now);
  const known = Object.entries(request).filter(([name]) => Object.hasOwn(properties, name));
  const left = ["consent", ...(REFUSED[error.code] ?? [])];
  let next: object = Object.fromEntries(known.filter(([name]) => !left.includes(name)));
  const isConflict = error.code === "IDEMPOTENCY_CONFLICT";
  // The fields that differ from those of an earlier request are no faults of this one.
  const refusals = isConflict ? [] : (error.details.invalid_fields ?? []);
  const issues = new Map<string, Pick<FieldIssue, "allowed" | "missing" | "did_you_mean">>([
    ...refusals.map((issue) => [issue.field, issue] as const),
    ...validated.issues,
  ]);
  const suggestion = { capability, sample, isFew: hasFewValues(request, MOST_LOOKS / issues.size), ctx };
  for (const [path, issue] of inOrder(issues)) {
    // When two fields contradict each other, changing one is enough. The estimate is kept, because it fills in missing
    // fields.
    const isChecked = validated.issues.has(path) && Object.hasOwn(capability.checks ?? {}, path);
    const hasIssue = isChecked
      ? validate(capability, next, ctx.catalog).issues.has(path)
      : path !== "estimate_id" || issues.size === 1;
    if (hasIssue) next = withoutIssue(next, path, issue, suggestion);
  }
  if (isDryRun) next = { ...next, dry_run: true };
  if (isConflict) next = { ...next, ...freshId(properties) };
  next = { ...next, ...firstAlternative(error), ...(estimate && { estimate_id: estimate.estimate_id }) };
  if (Object.keys(next).length === 0) return undefined;
  const sound = withoutIssues(next, sample, capability, ctx);
  if (!sound || !isDryRun || !DRY_RUN_FIRST.has(capability.sideEffect) || LATER.has(error.code)) return sound;
  return tryDryRun(sound, capability, attempt, ctx);
}

function freshId(properties: Readonly<Record<string, JsonSchema>>): object {
  const field = Object.keys(properties).find((name) => name.endsWith("_request_id"));
  return field === undefined ? {} : { [field]: newId("try") };
}

/** The entries of each field from the last to the first, because a list gets shorter without an entry. */
function inOrder<Issue>(issues: ReadonlyMap<string, Issue>): [string, Issue][] {
  return [...Map.groupBy(issues, ([path]) => topOf(path)).values()].flatMap((entries) => entries.reverse());
}

const DRY_RUN_FIRST: ReadonlySet<Capability["sideEffect"]> = new Set(["books_appointment", "creates_lead"]);
/** A time can be taken while the first alternative is tried. */
const TRIES = 3;

/** The request with a time that is open; undefined when a dry run of it is refused for another reason. */
async function tryDryRun(
  request: object,
  capability: Capability,
  attempt: Attempt,
  ctx: Context,
): Promise<object | undefined> {
  let next = request;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      await attempt(validate(capability, next, ctx.catalog));
      return next;
    } catch (error) {
      const alternative = error instanceof ApiError ? firstAlternative(error) : {};
      if (!("date" in alternative)) return undefined;
      next = { ...next, ...alternative };
    }
  }
  return undefined;
}

function firstAlternative({ details }: ApiError): object {
  const [first] = details.alternatives ?? [];
  const { date, time } = Object(first);
  return date === undefined ? {} : { date, time };
}

/**
 * The request with the sample's values, or none, in the fields that still have an issue; undefined when that does not
 * help.
 */
function withoutIssues(
  request: object,
  sample: object,
  capability: Capability,
  { catalog }: Context,
): object | undefined {
  let next = request;
  for (const path of validate(capability, request, catalog).issues.keys()) {
    const field = topOf(path);
    next = withValue(next, field, givenAt(sample, field));
  }
  return next === request || validate(capability, next, catalog).issues.size === 0 ? next : undefined;
}

/** Every issue that is repaired where it stands takes further looks at the whole request: the most issues times values. */
const MOST_LOOKS = 6_000;
/** A long text counts as several values. */
const VALUE_LENGTH = 100;

/** Counted one by one, because to write deeply nested lists as JSON takes a second. */
function hasFewValues(request: object, most: number): boolean {
  let room = most;
  const fits = (value: unknown): boolean => {
    room -= typeof value === "string" ? 1 + value.length / VALUE_LENGTH : 1;
    return room >= 0 && (typeof value !== "object" || value === null || Object.values(value).every(fits));
  };
  return fits(request);
}

function requestFields(capability: Capability, { catalog }: Context): Record<string, JsonSchema> {
  return jsonSchema(capability.input(catalog), "input").properties ?? {};
}

/** Whether one of the issues is of a date: then the caller is told what today is. */
export function isAboutDate({ details }: ApiError, capability: Capability, ctx: Context): boolean {
  const properties = requestFields(capability, ctx);
  const fields = [...(details.missing_fields ?? []), ...(details.invalid_fields ?? []).map(({ field }) => field)];
  return fields.some((path) => isDate(properties[topOf(path)] ?? {}));
}
