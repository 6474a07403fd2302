/** A request against the schema, then field by field against the catalog, then through the reader; what remains is one error. */
import { z } from "zod";
import { typeNear } from "../../catalog/models.ts";
import type { Shop } from "../../catalog/shop.ts";
import { ApiError, type ErrorCode, type InvalidField } from "../../errors.ts";
import { wordForm } from "../../lib/text.ts";
import { givenAt, joinPath, topField } from "../../schema/coerce.ts";
import { explainIssue, joinWithAnd, nearest, oneOf } from "../../schema/explain.ts";
import { normalize } from "../../schema/fields.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { readWish } from "../../schema/quantities.ts";
import type { Capability, FieldIssue, Issues } from "./capability.ts";
import { MAX_WARNINGS, type Warning } from "./envelope.ts";
import { fieldsNamed } from "./placing.ts";
import { Reader } from "./reader.ts";
import { wayFor } from "./ways-on.ts";

export interface Validated {
  /** Undefined when the schema refuses the request. */
  input: z.output<z.ZodObject> | undefined;
  issues: Issues;
  /** The issues of values that contradict each other. */
  conflicts?: Issues;
  /** About names and words that were understood, and fields that are ignored. */
  warnings: Warning[];
  /** The request as it was understood. */
  request: Readonly<Record<string, unknown>>;
}

/** @throws ApiError SERVICE_NOT_FOUND where the shop does not offer the service */
export function validate(capability: Capability, raw: object, catalog: Shop): Validated {
  if (capability.isOffered?.(catalog) === false) throw notOffered(capability, catalog);
  const sent: Record<string, unknown> = Object(normalize(raw));
  const plain = assess(capability, sent, catalog);
  const schema = capability.input(catalog);
  if (plain.issues.size === 0 && knowsEveryField(sent, schema)) return { ...plain, warnings: [], request: sent };
  // The JSON Schema is made at the first request that needs it, because that takes longer than a quote.
  const reader = new Reader(plain.issues, jsonSchema(schema, "input"), catalog, capability);
  const request = reader.read(sent);
  const { values, conflicts, waiting } = reader;
  const isSound = request === sent && plain.issues.size === 0;
  const { input, issues } = isSound ? plain : assess(capability, request, catalog, plain);
  if (waiting.length > 0) withoutWaiting(issues, waiting, request, schema);
  // A value that still has an issue was not understood, and neither was a list with an entry that has one.
  const faulty = new Set([...issues.keys()].flatMap((path) => [path, topField(path)]));
  const warnings = reader.names.slice(0, MAX_WARNINGS);
  for (const warning of values) if (!faulty.has(warning.field ?? "")) warnings.push(warning);
  for (const warning of reader.ignored.slice(0, MAX_WARNINGS)) {
    const { field = "", did_you_mean } = warning;
    // The shade of glass that has no name is a wish, and so is what fits two of the fields that its name means, or none.
    const meant = fieldsNamed(field, schema.shape, catalog);
    const given = request[field];
    const isDeclined = Array.isArray(given) ? given.length === 0 : readWish(given) === false;
    const isMeant = meant[0] !== undefined && request[meant[0]] === undefined && !isDeclined;
    const isWish = !did_you_mean && (isMeant || /^(?:shade|factory_glass)\./.test(field));
    if (!capability.refusesUnknown && !isWish) warnings.push(warning);
    else {
      const others = isMeant && !did_you_mean ? `: send ${oneOf(meant)}` : "";
      issues.set(field, { message: `is not a field of this request${others}`, ...(did_you_mean && { did_you_mean }) });
    }
  }
  for (const [path, issue] of issues) addHint(issue, path, givenAt(request, path), capability, catalog);
  // Either of the values that contradict each other is a word of the field; the shade of one glass is told alone.
  for (const [field, issue] of conflicts) {
    if (field.startsWith("shade.")) issues.delete("shade");
    issues.set(field, issue);
  }
  return { input: conflicts.size > 0 ? undefined : input, issues, conflicts, warnings, request };
}

/** A shade that the law names is understood as soon as the fields are right on which it depends: they alone are told. */
function withoutWaiting(issues: Issues, waiting: readonly string[], request: object, { shape }: z.ZodObject): void {
  const { vehicle_type: type, estimate_id: estimate }: Validated["request"] = { ...request };
  const isOpen = ["vehicle_type", "film_type", "coverage", "jurisdiction"].some((field) => issues.has(field));
  const isDue = type === undefined && estimate === undefined && !Object.hasOwn(shape, "confirmation_code");
  if (!isOpen && !isDue) return;
  for (const path of waiting.flatMap((one) => [one, topField(one)])) issues.delete(path);
  if (!isOpen) issues.set("vehicle_type", { missing: "vehicle_type", message: "is missing" });
}

interface Assessed extends Pick<Validated, "input" | "issues"> {
  cleaned: Validated["request"];
  /** The parse of each field, which the second pass takes over where the value was not changed. */
  fields: ReadonlyMap<string, z.core.ParsePayload>;
}

const PARSING: z.core.ParseContextInternal = { async: false, error: explainIssue, reportInput: true };
/** Most faults are understood, and to explain one takes as long as to find it. */
const UNREAD: FieldIssue = { message: "" };

/** A request validated as it is. @param before of the request as it was sent, whose equal values are not parsed again */
function assess(capability: Capability, request: Validated["request"], catalog: Shop, before?: Assessed): Assessed {
  const { shape } = capability.input(catalog);
  const cleaned = capability.prepare?.(request) ?? request;
  const fields = new Map<string, z.core.ParsePayload>();
  const input: Record<string, unknown> = {};
  const issues: Issues = new Map();
  for (const field in shape) {
    const value = cleaned[field];
    if (value === undefined && shape[field]?._zod.optin === "optional") continue;
    const known = before?.cleaned[field] === value ? before?.fields.get(field) : undefined;
    const parsed = known ?? (shape[field]?._zod.run({ value, issues: [] }, PARSING) as z.core.ParsePayload);
    fields.set(field, parsed);
    if (parsed.issues.length === 0) {
      if (parsed.value !== undefined) input[field] = parsed.value;
    } else if (before) addIssues(issues, field, parsed.issues, capability);
    else for (const { path } of parsed.issues) issues.set(path ? joinPath([field, ...path]) : field, UNREAD);
  }
  const isParsed = issues.size === 0;
  const { checks = {}, demands } = capability;
  for (const field in checks) {
    const isFaulty = fields.get(field)?.issues.length;
    if (isFaulty || (input[field] === undefined && !demands?.includes(field))) continue;
    const issue = checks[field]?.(input[field], catalog, cleaned);
    if (issue) issues.set(field, issue);
  }
  return { input: isParsed ? input : undefined, issues, cleaned, fields };
}

/** Whether one field of a request is accepted, of which it is not known yet. */
export function accepts(
  capability: Capability,
  request: Readonly<Record<string, unknown>>,
  field: string,
  catalog: Shop,
): boolean {
  const cleaned = capability.prepare?.(request) ?? request;
  const schema: z.ZodType | undefined = capability.input(catalog).shape[field];
  const parsed = schema?.safeParse(cleaned[field]);
  return parsed?.success === true && !capability.checks?.[field]?.(parsed.data, catalog, cleaned);
}

/** Names what was probably meant: the type of a model or a part of one, or the nearest allowed word; else another way to the same. */
function addHint(
  issue: FieldIssue<ErrorCode>,
  path: string,
  value: unknown,
  capability: Capability,
  catalog: Shop,
): void {
  if (issue.missing || issue.did_you_mean || typeof value !== "string" || issue.allowed?.includes(value)) return;
  const type = path === "vehicle_type" ? typeNear(value, catalog) : undefined;
  // `car` is near to a van in letters alone.
  const meant = type ?? (catalog.words.fillers.has(wordForm(value)) ? undefined : nearest(value, issue.allowed));
  const way = meant === undefined ? wayFor(path, value, capability, catalog) : undefined;
  if (meant !== undefined) issue.did_you_mean = meant;
  if (way !== undefined) issue.message += `; ${way}`;
}

function notOffered({ title }: Capability, { services }: Shop): ApiError {
  const message = "must be a service of this shop";
  return new ApiError("SERVICE_NOT_FOUND", `This shop does not offer this: ${title}.`, {
    invalid_fields: [{ field: "service", message, allowed: services.map(({ key }) => key) }],
  });
}

function addIssues(issues: Issues, field: string, found: readonly z.core.$ZodRawIssue[], capability: Capability): void {
  // Zod's bound of exact integers comes last: the bound of the field itself says more.
  for (const isLast of [false, true])
    for (const issue of found) {
      const isBound = issue.code === "too_big" || issue.code === "too_small";
      if ((isBound && issue.origin === "int") !== isLast) continue;
      const path = joinPath([field, ...(issue.path ?? [])]);
      if (!issues.has(path)) issues.set(path, toIssue(issue, path, capability));
    }
}

function toIssue(issue: z.core.$ZodRawIssue, path: string, capability: Capability): FieldIssue<ErrorCode> {
  const { input, code } = issue;
  // Zod reports a missing string as invalid_type, and a missing choice as invalid_value.
  if (input === undefined && (code === "invalid_type" || code === "invalid_value")) {
    return { missing: path, message: "is missing" };
  }
  const { message } = z.core.util.finalizeIssue(issue, PARSING, z.config());
  if (code !== "invalid_value") return { message };
  const own = typeof input === "string" ? capability.unknownValue?.[path] : undefined;
  const allowed: string[] = [];
  for (const value of issue.values) if (typeof value === "string") allowed.push(value);
  const isHinted = typeof input === "string" && nearest(input, issue.values.map(String)) !== undefined;
  return { message, isHinted, ...(own && { code: own }), ...(allowed.length > 0 && { allowed }) };
}

/** A hostile body can have thousands of issues; these are enough to correct it. */
const MAX_REPORTED = 50;

/** One error for all issues: MISSING_FIELD before BAD_REQUEST before the codes of unknown values. */
export function inputError(issues: Issues): ApiError {
  const missing: string[] = [];
  const named: string[] = [];
  const invalid: InvalidField[] = [];
  const sentences: string[] = [];
  let gravest: ErrorCode | undefined;
  for (const [field, issue] of issues) {
    const { message, allowed, did_you_mean, isHinted, missing: lacks, or, code = "BAD_REQUEST" } = issue;
    if (missing.length + invalid.length === MAX_REPORTED) break;
    if (lacks) {
      missing.push(lacks);
      named.push(or ? `${lacks} (or ${or})` : lacks);
      continue;
    }
    invalid.push({ field, message, ...(allowed && { allowed }), ...(did_you_mean && { did_you_mean }) });
    const hint = did_you_mean && !isHinted ? ` (did you mean ${did_you_mean}?)` : "";
    sentences.push(`${field} ${message}${hint}`);
    if (code === "BAD_REQUEST") gravest = code;
    gravest ??= code;
  }
  if (missing.length > 0) sentences.unshift(`${joinWithAnd(named)} ${missing.length > 1 ? "are" : "is"} missing`);
  return new ApiError(missing.length > 0 ? "MISSING_FIELD" : (gravest ?? "BAD_REQUEST"), `${sentences.join("; ")}.`, {
    ...(missing.length > 0 && { missing_fields: missing }),
    ...(invalid.length > 0 && { invalid_fields: invalid }),
  });
}

/** False also for a value that holds an object in another form than one of fixed fields, where it takes longer to tell. */
function knowsEveryField(request: object, { shape }: z.ZodObject): boolean {
  for (const [name, value] of Object.entries(request)) {
    if (!Object.hasOwn(shape, name)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === "object" && item !== null) return false;
      continue;
    }
    let field: z.core.$ZodType | undefined = shape[name];
    while (field instanceof z.ZodOptional || field instanceof z.ZodNullable) field = field.unwrap();
    if (!(field instanceof z.ZodObject && knowsEveryField(value, field))) return false;
  }
  return true;
}
