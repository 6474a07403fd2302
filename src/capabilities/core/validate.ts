/** Validates a request: against the schema of its capability, then field by field against the catalog. */
import type { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { ApiError, type ErrorCode, type InvalidField } from "../../errors.ts";
import { explainIssue, joinWithAnd } from "../../schema/explain.ts";
import { normalise } from "../../schema/fields.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import type { Capability, FieldIssue } from "./capability.ts";
import type { Warning } from "./envelope.ts";
import { addHints, type Issues, readLenientValues } from "./lenient-input.ts";
import { readLenientNames } from "./lenient-names.ts";
import { unknownFields } from "./unknown-fields.ts";

export interface Validated {
  /** Undefined when the schema refuses the request. */
  input: z.output<z.ZodObject> | undefined;
  issues: Issues;
  /** About names and words that were read leniently, and fields that are ignored. */
  warnings: Warning[];
  /** The request after lenient reading. */
  request: object;
}

/** @throws ApiError SERVICE_NOT_FOUND where the shop does not offer the service */
export function validate(capability: Capability, raw: object, catalog: Shop): Validated {
  if (capability.isOffered?.(catalog) === false) throw notOffered(capability, catalog);
  const schema = capability.input(catalog);
  const request = Object(normalise(raw));
  const plain = assess(capability, schema, request, catalog);
  const isPlain = plain.issues.size === 0 && plain.unknown.length === 0;
  return isPlain
    ? { input: plain.input, issues: plain.issues, warnings: [], request }
    : validateLeniently(capability, schema, request, catalog, plain);
}

/** A request validated as it stands, before lenient reading. */
interface Assessed extends Pick<Validated, "input" | "issues"> {
  /** Warnings about the fields that the capability does not know. */
  unknown: Warning[];
}

function assess(
  capability: Capability,
  schema: z.ZodObject,
  request: Record<string, unknown>,
  catalog: Shop,
): Assessed {
  const cleaned = capability.prepare?.(request) ?? request;
  const parsed = schema.safeParse(cleaned, { error: explainIssue, reportInput: true });
  const issues = schemaIssues(capability, parsed.error?.issues ?? []);
  const { checks = {} } = capability;
  for (const field in checks) {
    if (hasIssue(field, issues)) continue;
    const value = parsed.success ? parsed.data[field] : parseField(schema, field, cleaned);
    const issue = checks[field]?.(value, catalog, cleaned);
    if (issue) issues.set(field, issue);
  }
  // The JSON Schema is made at the first request that needs it, because that takes longer than a quote.
  const unknown = knowsEveryField(request, schema) ? [] : unknownFields(request, jsonSchema(schema, "input"));
  return { input: parsed.data, issues, unknown };
}

/** False also for a value that holds an object, which may have a field that is not known. */
function knowsEveryField(request: object, { shape }: z.ZodObject): boolean {
  const isPlain = (value: unknown) => typeof value !== "object" || value === null;
  return Object.entries(request).every(
    ([name, value]) => Object.hasOwn(shape, name) && (Array.isArray(value) ? value.every(isPlain) : isPlain(value)),
  );
}

/** Validates a request with issues or unknown fields again, where a name or value can have only one meaning. */
function validateLeniently(
  capability: Capability,
  schema: z.ZodObject,
  request: Record<string, unknown>,
  catalog: Shop,
  plain: Assessed,
): Validated {
  const about = jsonSchema(schema, "input");
  const again = (next: object) => assess(capability, schema, Object(next), catalog);
  const names = readLenientNames(request, about, catalog);
  const renamed = names.request === request ? plain : again(names.request);
  const values = readLenientValues(names.request, renamed.issues, about, catalog);
  const { input, issues, unknown } = values.request === names.request ? renamed : again(values.request);
  const refused = capability.refusesUnknown ? unknown : [];
  for (const { field = "", did_you_mean } of refused) {
    issues.set(field, { message: "is not a field of this request", ...(did_you_mean && { did_you_mean }) });
  }
  for (const [field, issue] of names.conflicts) issues.set(field, issue);
  addHints(values.request, issues, catalog);
  return {
    input: names.conflicts.size > 0 ? undefined : input,
    issues,
    warnings: [...names.warnings, ...values.warnings, ...(capability.refusesUnknown ? [] : unknown)],
    request: values.request,
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
  if (zodIssues.length === 0) return issues;
  // Zod's bound of exact integers comes last: the bound of the field itself says more.
  const sorted = zodIssues.toSorted((a, b) => Number(isIntegerBound(a)) - Number(isIntegerBound(b)));
  for (const zodIssue of sorted) {
    const path = pathOf(zodIssue);
    if (!issues.has(path)) issues.set(path, issueOf(zodIssue, path, capability));
  }
  return issues;
}

function isIntegerBound(zodIssue: z.core.$ZodIssue): boolean {
  return (zodIssue.code === "too_big" || zodIssue.code === "too_small") && zodIssue.origin === "int";
}

function pathOf({ path }: z.core.$ZodIssue): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  return parts.join("").replace(/^\./, "");
}

function issueOf(zodIssue: z.core.$ZodIssue, path: string, capability: Capability): FieldIssue<ErrorCode> {
  if (isMissing(zodIssue)) return { missing: path, message: "is missing" };
  if (zodIssue.code !== "invalid_value") return { message: zodIssue.message };
  const code = typeof zodIssue.input === "string" ? capability.unknownValue?.[path] : undefined;
  const allowed = zodIssue.values.filter((value) => typeof value === "string");
  return { message: zodIssue.message, ...(code && { code }), ...(allowed.length > 0 && { allowed }) };
}

/** Zod reports a missing string as invalid_type, and a missing choice as invalid_value. */
function isMissing({ input, code }: z.core.$ZodIssue): boolean {
  return input === undefined && (code === "invalid_type" || code === "invalid_value");
}

/** Whether the field has an issue already, itself or inside. */
function hasIssue(field: string, issues: Issues): boolean {
  if (issues.size === 0) return false;
  return [...issues.keys()].some((path) => path.startsWith(field) && /^[.[]?$/.test(path.charAt(field.length)));
}

function parseField(input: z.ZodObject, field: string, body: Record<string, unknown>): unknown {
  const schema: z.ZodType | undefined = input.shape[field];
  return schema?.safeParse(body[field]).data;
}

/** A hostile body can have thousands of issues; these are enough to correct it. */
const MAX_REPORTED = 50;

/** One error for all issues: MISSING_FIELD before BAD_REQUEST before the codes of unknown values. */
export function inputError(issues: Issues): ApiError {
  const reported = [...issues].slice(0, MAX_REPORTED);
  const missing = reported.flatMap(([, issue]) => issue.missing ?? []);
  const named = reported.flatMap(([, { missing: field, or }]) => (field && or ? `${field} (or ${or})` : (field ?? [])));
  const invalid = reported.filter(([, issue]) => !issue.missing);
  const invalidFields = invalid.map(
    ([field, { message, allowed, did_you_mean }]): InvalidField => ({
      field,
      message,
      ...(allowed && { allowed }),
      ...(did_you_mean && { did_you_mean }),
    }),
  );
  const sentences = [
    ...(missing.length > 0 ? [`${joinWithAnd(named)} ${missing.length > 1 ? "are" : "is"} missing`] : []),
    ...invalidFields.map(
      ({ field, message, did_you_mean: meant }) =>
        `${field} ${message}${meant && !message.endsWith("?)") ? ` (did you mean ${meant}?)` : ""}`,
    ),
  ];
  const code = missing.length > 0 ? "MISSING_FIELD" : gravest(invalid.map(([, { code }]) => code ?? "BAD_REQUEST"));
  return new ApiError(code, `${sentences.join("; ")}.`, {
    ...(missing.length > 0 && { missing_fields: missing }),
    ...(invalidFields.length > 0 && { invalid_fields: invalidFields }),
  });
}

function gravest([first = "BAD_REQUEST", ...others]: ErrorCode[]): ErrorCode {
  return others.includes("BAD_REQUEST") ? "BAD_REQUEST" : first;
}
