/**
 * Validates a request: against the schema of its capability, then field by field against the catalog. One that does not
 * pass is read leniently, and what remains becomes one error for all its issues.
 */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { ApiError, type ErrorCode, type InvalidField } from "../../errors.ts";
import { joinPath, topOf } from "../../schema/at-path.ts";
import { didYouMean, explainIssue, joinWithAnd } from "../../schema/explain.ts";
import { normalise } from "../../schema/fields.ts";
import { type JsonSchema, jsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { wordForm } from "../../schema/names.ts";
import type { Capability, FieldIssue, Issues } from "./capability.ts";
import { ignoredField, MAX_WARNINGS, type Warning } from "./envelope.ts";
import { addHints, readLenientNames, readLenientValues } from "./lenient.ts";

export interface Validated {
  /** Undefined when the schema refuses the request. */
  input: z.output<z.ZodObject> | undefined;
  issues: Issues;
  /** About names and words that were read leniently, and fields that are ignored. */
  warnings: Warning[];
  /** The request after lenient reading. */
  request: Readonly<Record<string, unknown>>;
}

/** @throws ApiError SERVICE_NOT_FOUND where the shop does not offer the service */
export function validate(capability: Capability, raw: object, catalog: Shop): Validated {
  if (capability.isOffered?.(catalog) === false) throw notOffered(capability, catalog);
  const plain = assess(capability, Object(normalise(raw)), catalog);
  return plain.issues.size === 0 && plain.warnings.length === 0 ? plain : validateLeniently(capability, plain, catalog);
}

/** A request validated as it stands: its warnings are about the fields that the capability does not know. */
function assess(capability: Capability, request: Validated["request"], catalog: Shop): Validated {
  const schema = capability.input(catalog);
  const cleaned = capability.prepare?.(request) ?? request;
  const parsed = schema.safeParse(cleaned, { error: explainIssue, reportInput: true });
  const issues: Issues = parsed.success ? new Map() : schemaIssues(capability, parsed.error.issues);
  const faulty = new Set(parsed.success ? [] : [...issues.keys()].map(topOf));
  const { checks = {}, demands } = capability;
  for (const field in checks) {
    if (faulty.has(field)) continue;
    const value = parsed.success ? parsed.data[field] : parseField(schema.shape[field], cleaned[field]);
    if (value === undefined && !demands?.includes(field)) continue;
    const issue = checks[field]?.(value, catalog, cleaned);
    if (issue) issues.set(field, issue);
  }
  // The JSON Schema is made at the first request that needs it, because that takes longer than a quote.
  const warnings = knowsEveryField(request, schema) ? [] : unknownFields(request, jsonSchema(schema, "input"));
  return { input: parsed.data, issues, warnings, request };
}

function parseField(schema: z.ZodType | undefined, value: unknown): unknown {
  return schema?.safeParse(value).data;
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

/** Validates a request with issues or unknown fields again, where a name or value can have only one meaning. */
function validateLeniently(capability: Capability, plain: Validated, catalog: Shop): Validated {
  const about = jsonSchema(capability.input(catalog), "input");
  const names = plain.warnings.length > 0 ? readLenientNames(plain.request, about, catalog) : undefined;
  const isRenamed = names && names.request !== plain.request;
  const renamed = isRenamed ? assess(capability, Object(names.request), catalog) : plain;
  const values = readLenientValues(renamed.request, renamed.issues, about, catalog);
  const isReread = values.request !== renamed.request;
  const { input, issues, request, warnings } = isReread ? assess(capability, Object(values.request), catalog) : renamed;
  // A value that still has an issue was not understood.
  const understood = values.warnings.filter(({ field = "" }) => !issues.has(field));
  const conflicts = names?.conflicts ?? new Map();
  if (capability.refusesUnknown) {
    for (const { field = "", did_you_mean } of warnings) {
      issues.set(field, { message: "is not a field of this request", ...(did_you_mean && { did_you_mean }) });
    }
  }
  for (const [field, issue] of conflicts) issues.set(field, issue);
  addHints(request, issues, catalog);
  return {
    input: conflicts.size > 0 ? undefined : input,
    issues,
    warnings: [...(names?.warnings ?? []), ...understood, ...(capability.refusesUnknown ? [] : warnings)],
    request,
  };
}

function notOffered({ title }: Capability, { services }: Shop): ApiError {
  const message = "must be a service of this shop";
  return new ApiError("SERVICE_NOT_FOUND", `This shop does not offer this: ${title}.`, {
    invalid_fields: [{ field: "service", message, allowed: services.map(({ key }) => key) }],
  });
}

/** The first issue of each path. */
function schemaIssues(capability: Capability, zodIssues: readonly z.core.$ZodIssue[]): Issues {
  const issues: Issues = new Map();
  const bounds: z.core.$ZodIssue[] = [];
  const add = (zodIssue: z.core.$ZodIssue) => {
    const path = joinPath(zodIssue.path);
    if (!issues.has(path)) issues.set(path, issueOf(zodIssue, path, capability));
  };
  for (const zodIssue of zodIssues) {
    const isBound = zodIssue.code === "too_big" || zodIssue.code === "too_small";
    if (isBound && zodIssue.origin === "int") bounds.push(zodIssue);
    else add(zodIssue);
  }
  // Zod's bound of exact integers comes last: the bound of the field itself says more.
  for (const zodIssue of bounds) add(zodIssue);
  return issues;
}

function issueOf(zodIssue: z.core.$ZodIssue, path: string, capability: Capability): FieldIssue<ErrorCode> {
  const { input, code, message } = zodIssue;
  // Zod reports a missing string as invalid_type, and a missing choice as invalid_value.
  if (input === undefined && (code === "invalid_type" || code === "invalid_value")) {
    return { missing: path, message: "is missing" };
  }
  if (code !== "invalid_value") return { message };
  const own = typeof input === "string" ? capability.unknownValue?.[path] : undefined;
  const allowed = zodIssue.values.filter((value) => typeof value === "string");
  return { message, ...(own && { code: own }), ...(allowed.length > 0 && { allowed }) };
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
  for (const [field, { message, allowed, did_you_mean, missing: lacks, or, code = "BAD_REQUEST" }] of issues) {
    if (missing.length + invalid.length === MAX_REPORTED) break;
    if (lacks) {
      missing.push(lacks);
      named.push(or ? `${lacks} (or ${or})` : lacks);
      continue;
    }
    invalid.push({ field, message, ...(allowed && { allowed }), ...(did_you_mean && { did_you_mean }) });
    const hint = did_you_mean && !message.endsWith("?)") ? ` (did you mean ${did_you_mean}?)` : "";
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

/** The most fields of one object that are compared with the schema. A hostile body can have any number. */
const MAX_FIELDS = 1000;

/**
 * One warning for every field that the schema does not describe, at any depth.
 * @param path of the value; empty for the request
 */
function unknownFields(value: unknown, schema: JsonSchema, path = ""): Warning[] {
  if (typeof value !== "object" || value === null) return [];
  const warnings: Warning[] = [];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return [];
    for (const [i, item] of value.slice(0, MAX_FIELDS).entries()) {
      if (warnings.length >= MAX_WARNINGS) break;
      warnings.push(...unknownFields(item, items, `${path}[${i}]`));
    }
    return warnings.slice(0, MAX_WARNINGS);
  }
  const properties = propertiesOf(schema);
  if (!properties) return [];
  for (const [name, item] of Object.entries(value).slice(0, MAX_FIELDS)) {
    if (warnings.length >= MAX_WARNINGS) break;
    const at = path === "" ? name : `${path}.${name}`;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) {
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
