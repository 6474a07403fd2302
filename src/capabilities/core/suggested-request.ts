/** `usage` of an error: the caller's own request as understood, without what was refused, and what is left to fill in. Source: contract 1. */

import { modelOf, typeOfModel } from "../../catalog/models.ts";
import { dayOf, shopDate } from "../../domain/schedule.ts";
import {
  type ApiError,
  ERRORS,
  type ErrorCode,
  type FillInHint,
  type InvalidField,
  type SuggestedRequest,
} from "../../errors.ts";
import { isOtherVehicle } from "../../job/job.ts";
import { newId } from "../../lib/ids.ts";
import { givenAt, schemaAt, topField, withValue } from "../../schema/coerce.ts";
import { nearest } from "../../schema/explain.ts";
import { type JsonSchema, jsonSchema } from "../../schema/json-schema.ts";
import { dayWithPart, readDate } from "../../schema/moments.ts";
import type { Capability, Context, FieldIssue } from "./capability.ts";
import { shownName } from "./envelope.ts";
import { inFewWords } from "./meaning.ts";
import { fieldsNamed } from "./placing.ts";
import { accepts, type Validated } from "./validate.ts";
import { callsOff } from "./ways-on.ts";

type Fields = Record<string, unknown>;
type Issue = Pick<FieldIssue, "allowed" | "did_you_mean">;

/** The request of an error: what was understood, and what is asked. */
export function suggestRequest(
  capability: Capability,
  validated: Validated,
  { code, details }: ApiError,
  { catalog }: Pick<Context, "catalog">,
): SuggestedRequest {
  const { request } = validated;
  const schema = jsonSchema(capability.input(catalog), "input");
  const { properties = {} } = schema;
  const has = (name: string) => Object.hasOwn(properties, name);
  const isChange = capability.id === "reschedule_booking";
  const issues = issuesByPath(validated, code, details);
  const asked = new Asked();
  let sample: Fields = {};
  // Consent is given to one request, by a person: no sample holds it.
  for (const [name, value] of Object.entries(request)) if (has(name) && name !== "consent") sample[name] = value;

  // A field that was sent under a name like its own.
  for (const { name, meant } of meantNames(validated)) {
    if (!has(meant) || Object.hasOwn(sample, meant)) continue;
    issues.delete(meant);
    const renamed = { ...sample, [meant]: request[name] };
    if (accepts(capability, renamed, meant, catalog)) sample = renamed;
    else asked.add(meant, request[name]);
  }

  const { alternatives, estimate, known } = details;
  if (alternatives) {
    issues.delete("time");
    takeOther(sample, alternatives, asked);
  }
  const { refuses, about } = ERRORS[code];
  for (const field of refuses) {
    if (Object.hasOwn(sample, field)) asked.add(field, sample[field]);
    delete sample[field];
  }

  for (const [field, found] of Map.groupBy(issues, ([path]) => topField(path))) {
    if (!has(field)) {
      asked.hint(field, request[field]);
      // The value of an unknown name is asked for in the fields that the name may mean.
      if (!found.some(([path]) => validated.conflicts?.has(path)))
        for (const meant of fieldsNamed(field, properties, catalog))
          if (sample[meant] === undefined) asked.fields.add(meant);
      continue;
    }
    if (field === "consent" || field === "dry_run") continue;
    const isType = field === "vehicle_type" && validated.issues.has(field);
    if (known && Object.hasOwn(known, field)) {
      askLeftOut(field, sample[field], known[field], asked);
      continue;
    }
    const car = isType ? knownCar(sample, catalog, has) : undefined;
    const other = isType && !isChange && !schema.required?.includes(field) ? otherCar(sample, catalog) : {};
    sample = car ? { ...sample, ...car } : { ...withoutIssues(sample, field, found, schema, asked), ...other };
  }
  for (const [field, value] of Object.entries(known ?? {})) {
    if (value === undefined) delete sample[field];
    else if (has(field)) sample[field] = value;
  }

  // A field that could not be read may have held the vehicle, without which a booking has no price.
  const isUnread = capability.refusesUnknown && [...issues.keys()].some((path) => !has(topField(path)));
  const isPriced = (sample.vehicle_type ?? sample.estimate_id) !== undefined;
  if (isUnread && has("vehicle_type") && !has("confirmation_code") && !isPriced) asked.add("vehicle_type", undefined);

  // The sample leaves ignored fields out, so each is told beside it.
  for (const { code: warning, field = "", did_you_mean: meant } of validated.warnings)
    if (warning === "UNKNOWN_FIELD" && !meant && givenAt(request, field) !== undefined) {
      asked.hint(field, givenAt(request, field));
      sample = withValue(sample, field, undefined);
    }

  const isAbout = (field: string) => [...issues.keys()].some((path) => topField(path) === field);
  const isConsentAsked = Object.hasOwn(request, "consent") || isAbout("consent");
  if (has("consent") && isConsentAsked) asked.add("consent", isAbout("consent") ? request.consent : undefined);
  if (has("dry_run")) sample.dry_run = true;
  if (estimate) sample.estimate_id = estimate.estimate_id;
  if (about === "request id") {
    const id = Object.keys(properties).find((name) => name.endsWith("_request_id"));
    if (id !== undefined) sample[id] = newId("try");
  }
  if (isChange) sample = ofChange(sample, request, asked);
  return { sample, fillIn: [...asked.fields], hints: asked.hints };
}

/** The sample of a change. A request without faults takes the other half of a new start from the booking; here it is asked. */
function ofChange(sample: Fields, request: Fields, asked: Asked): Fields {
  const [missing, another] = ["date", "time"].filter((field) => sample[field] === undefined);
  if (missing !== undefined && another === undefined) asked.fields.add(missing);
  // A wish to cancel is a next step, so a change that holds nothing else is not sent again.
  const isOver = callsOff(request) && Object.keys(sample).every((name) => OF_PROOF.has(name));
  return isOver ? {} : sample;
}

const OF_PROOF = new Set(["confirmation_code", "phone", "email", "dry_run"]);

/** Asks for what the known request leaves out: the field, or the entries of a list, numbered behind those that stay. */
function askLeftOut(field: string, given: unknown, known: unknown, asked: Asked): void {
  if (given !== undefined && known === undefined) asked.add(field, given);
  const out = Array.isArray(given) && Array.isArray(known) ? given.filter((one) => !known.includes(one)) : [];
  for (const [i, one] of out.entries()) asked.add(`${field}[${Object(known).length + i}]`, one);
}

const MOST_HINTS = 20;
const MOST_WORDS = 60;

/** The fields that are left to the caller, with the words that were sent. */
class Asked {
  readonly fields = new Set<string>();
  readonly hints: FillInHint[] = [];

  add(field: string, given: unknown, allowed?: Issue["allowed"]): void {
    this.fields.add(field);
    this.hint(field, given, allowed);
  }

  hint(field: string, given: unknown, allowed?: Issue["allowed"]): void {
    if (given === undefined || this.hints.length === MOST_HINTS) return;
    this.hints.push({
      field,
      given: shownName(quotedValue(given)),
      ...(allowed && { allowed: allowed.slice(0, MOST_WORDS) }),
    });
  }
}

const MOST_PARTS = 20;

/** A value as text. Only its first levels, because to write deeply nested lists as JSON takes a second. */
function quotedValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const flat = (inner: unknown) => (typeof inner === "object" && inner !== null ? (inFewWords(inner) ?? "…") : inner);
  if (Array.isArray(value)) return JSON.stringify(value.slice(0, MOST_PARTS).map(flat));
  const parts = Object.entries(value).slice(0, MOST_PARTS);
  return JSON.stringify(Object.fromEntries(parts.map(([name, inner]) => [name, flat(inner)])));
}

/** Every issue of the request, by the path of what is wrong or missing. */
function issuesByPath({ issues }: Validated, code: ErrorCode, details: ApiError["details"]): Map<string, Issue> {
  const found = new Map<string, Issue>();
  for (const [path, issue] of issues) found.set(issue.missing ?? path, issue);
  // The fields that differ from those of an earlier request are no faults of this one.
  if (ERRORS[code].about === "request id") return found;
  const { missing_fields: missing = [], invalid_fields: invalid = [] } = details;
  for (const field of missing) if (!found.has(field)) found.set(field, {});
  for (const issue of invalid) found.set(issue.field, issue);
  for (const [path, { against }] of issues) if (against && found.has(against)) found.delete(path);
  // What contradicts an estimate is asked; the estimate is kept, because it fills in missing fields.
  if (invalid.length > 1 && !issues.has("estimate_id")) found.delete("estimate_id");
  return found;
}

function meantNames({ request, issues, warnings }: Validated): { name: string; meant: string }[] {
  const said = [...[...issues].map(([field, { did_you_mean }]) => ({ field, did_you_mean })), ...warnings];
  return said.flatMap(({ field: name = "", did_you_mean: meant }) =>
    meant && Object.hasOwn(request, name) ? { name, meant } : [],
  );
}

/** The first open time of the day that was asked for. Another day is the caller's choice. */
function takeOther(sample: Fields, alternatives: readonly object[], asked: Asked): void {
  const [first] = alternatives;
  const { date, time }: Fields = { ...first };
  if (date !== undefined && date === sample.date) {
    sample.time = time;
    return;
  }
  for (const field of time === sample.time ? ["date"] : ["date", "time"]) {
    const open = new Set(alternatives.map((one) => String(givenAt(one, field))));
    asked.add(field, sample[field], first && [...open]);
    delete sample[field];
  }
}

/** The type of a make and model that the catalog knows; where they were sent as the type, they become the model. */
function knownCar(
  { vehicle_make: make, vehicle_model: model, vehicle_type: type }: Fields,
  catalog: Context["catalog"],
  has: (name: string) => boolean,
): Fields | undefined {
  const car = [make, model].filter((part) => typeof part === "string").join(" ");
  const known = modelOf({ vehicle_model: car }, catalog)?.vehicleType;
  if (known !== undefined) return { vehicle_type: known };
  const meant = typeof type === "string" ? typeOfModel(type, catalog) : undefined;
  if (meant === undefined) return undefined;
  if (make !== undefined || model !== undefined || !has("vehicle_model")) return { vehicle_type: meant };
  const [year] = /\b(?:19|20)\d\d\b/.exec(String(type)) ?? [];
  return {
    vehicle_type: meant,
    vehicle_model: String(type)
      .replace(year ?? "", "")
      .replace(/\s+/g, " ")
      .trim(),
    ...(year !== undefined && { vehicle_year: Number(year) }),
  };
}

/** A type without a price becomes the model, so that nobody books without a price what should be asked for. */
function otherCar({ vehicle_type: type, vehicle_model: model }: Fields, catalog: Context["catalog"]): Fields {
  return typeof type === "string" && isOtherVehicle(type, catalog)
    ? { vehicle_model: [model, type].filter((part) => part !== undefined).join(" ") }
    : {};
}

/** The request with what was understood of a field; the rest is asked. */
function withoutIssues(
  sample: Fields,
  field: string,
  found: readonly [path: string, Issue][],
  schema: JsonSchema,
  asked: Asked,
): Fields {
  const value = sample[field];
  const isInside = ([path]: readonly [string, Issue]) => path !== field && schemaAt(schema, path) !== undefined;
  if (found.length > MOST_HINTS || !found.every(isInside)) {
    const { [field]: _, ...rest } = sample;
    const issue = found.find(([path]) => path === field)?.[1] ?? {};
    const meant = onlyNearWord(value, issue);
    if (meant !== undefined) return { ...rest, [field]: meant };
    const about = schemaAt(schema, field);
    asked.add(field, value, issue.allowed ?? (about?.items ?? about)?.enum?.map(String));
    return rest;
  }
  let next = sample;
  const left: { path: string; given: unknown; issue: Issue }[] = [];
  // From the last to the first, because a list gets shorter without an entry.
  for (const [path, issue] of found.toReversed()) {
    const given = givenAt(sample, path);
    const meant = onlyNearWord(given, issue);
    next = withValue(next, path, meant);
    if (meant === undefined) left.unshift({ path, given, issue });
  }
  const kept = next[field];
  if (Object.keys(Object(kept)).length === 0) {
    // An empty list or group would mean none.
    const { [field]: _, ...rest } = next;
    for (const { given, issue } of left) asked.add(field, given, issue.allowed);
    return rest;
  }
  const place = Array.isArray(kept) ? places(kept.length, left) : undefined;
  for (const { path, given, issue } of left) {
    const moved = place ? path.replace(/\[(\d+)\]/, (_, index) => `[${place(Number(index))}]`) : path;
    asked.add(moved, given, issue.allowed);
  }
  return next;
}

/** Where the entries of a list stand once some were taken out: these follow the ones that stay. */
function places(kept: number, left: readonly { path: string }[]): (index: number) => number {
  const out: number[] = [];
  for (const { path } of left) {
    const [, index] = /\[(\d+)\]$/.exec(path) ?? [];
    if (index !== undefined) out.push(Number(index));
  }
  return (index) => {
    const at = out.indexOf(index);
    return at >= 0 ? kept + at : index - out.filter((one) => one < index).length;
  };
}

/** The word that alone is near to what was sent. */
function onlyNearWord(value: unknown, { did_you_mean: meant, allowed }: Issue): string | undefined {
  // A day with a part of it contradicts the time beside it.
  if (meant === undefined || typeof value !== "string" || dayWithPart(value)) return undefined;
  const others = allowed?.filter((word) => word !== meant);
  const isNear = allowed === undefined || nearest(value, allowed) === meant;
  return isNear && nearest(value, others) === undefined ? meant : undefined;
}

/** The faults of a request; that of a date that is told by `tomorrow` or by a day of the week says which it is. */
export function withDates(
  faults: readonly InvalidField[],
  { request, conflicts }: Validated,
  capability: Capability,
  ctx: Context,
): InvalidField[] {
  const { properties = {} } = jsonSchema(capability.input(ctx.catalog), "input");
  return faults.map((fault) => {
    const isMeant = isDate(properties[fault.field]) && !conflicts?.has(fault.field);
    const meant = isMeant ? dateMeant(request[fault.field], ctx) : undefined;
    // A day in its form is at fault for something else.
    if (meant === undefined || meant === request[fault.field]) return fault;
    const { status, reason } = dayOf(ctx.catalog, meant, ctx.now);
    // Of a day without work one can ask, but nobody can book it.
    return capability.sideEffect === "none" || status === "open"
      ? { ...fault, did_you_mean: meant }
      : { ...fault, message: `${fault.message}; ${meant} cannot be booked: ${reason}` };
  });
}

/** `today`, `Friday`, `Dec 4`: the next such day on the shop's calendar. */
function dateMeant(value: unknown, { catalog, now }: Context): string | undefined {
  return typeof value === "string" ? readDate(dayWithPart(value)?.day ?? value, shopDate(catalog, now)) : undefined;
}

function isDate(schema: JsonSchema | undefined): boolean {
  return schema?.format === "date";
}

/** Whether one of the issues is of a date: then the caller is told what today is. */
export function isAboutDate({ details }: ApiError, capability: Capability, { catalog }: Context): boolean {
  const { properties = {} } = jsonSchema(capability.input(catalog), "input");
  const paths = [...(details.missing_fields ?? [])];
  for (const { field } of details.invalid_fields ?? []) paths.push(field);
  return paths.some((path) => isDate(properties[topField(path)]));
}
