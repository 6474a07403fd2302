/**
 * The one way to use a capability, whoever asks: parse the input, run it, check the answer, wrap it in the envelope.
 */
import type { z } from "zod";
import type { Catalog } from "../../catalog/schema.ts";
import { ApiError, type ErrorCode, type InvalidField } from "../../errors.ts";
import { didYouMean, explain, oneOf } from "../../schema/explain.ts";
import { normalise } from "../../schema/fields.ts";
import { type JsonSchema, jsonSchema } from "../../schema/json-schema.ts";
import { API_PREFIX } from "../../vocabulary.ts";
import type { Answer, Capability, Context, FieldFault, LimitState, Suggestion } from "./capability.ts";
import type { NextAction, successShape, Warning } from "./envelope.ts";
import { OPERATIONS, requiresConsent } from "./operations.ts";

export type Envelope<Data = unknown> = Omit<z.output<ReturnType<typeof successShape>>, "data"> & { data: Data };

/** What came of a call: the HTTP status and the body of its answer, and what goes into the headers. */
export interface Outcome<Data = unknown> {
  status: number;
  body: Envelope<Data>;
  limits: LimitState[];
  location?: string;
  replayed: boolean;
}

/**
 * @param raw a JSON object, as the caller sent it
 * @throws ApiError for every expected failure
 */
export async function invoke<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  raw: object,
  ctx: Context,
): Promise<Outcome<z.output<Output>>> {
  const { input, faults } = judge(capability, raw, ctx.catalog);
  const answer: Answer<unknown> | undefined =
    faults.size === 0 && input ? await capability.run(input, ctx) : input && (await capability.replay?.(input, ctx));
  if (!answer) throw inputError(faults);
  const warnings = [...unknownFields(raw, jsonSchema(capability.input, "input")), ...(answer.warnings ?? [])];
  return {
    status: capability.status,
    body: {
      success: true,
      data: capability.output.parse(answer.data),
      ...(answer.suggestions && { next_actions: answer.suggestions.map(nextAction) }),
      ...(warnings.length > 0 && { warnings }),
    },
    limits: answer.limits ?? [],
    ...(answer.location && { location: answer.location }),
    replayed: answer.replayed ?? false,
  };
}

/** The answer to GET without a query, of a capability that has one. */
export function overview({ alsoGet, sample, description, id }: Capability, { catalog, now }: Context): Envelope {
  return {
    success: true,
    data: alsoGet?.overview(catalog),
    next_actions: [nextAction({ action: id, description, input: sample(catalog, now) })],
  };
}

function nextAction({ action, description, input }: Suggestion): NextAction {
  const operation = OPERATIONS[action];
  return {
    action,
    description,
    method: operation.method,
    path: API_PREFIX + operation.path,
    requires_consent: requiresConsent(operation),
    side_effect: operation.sideEffect,
    sample_request: { ...input },
  };
}

/** A hostile body can have thousands of faults; these are enough to mend it. */
const MAX_REPORTED = 50;

interface Judged {
  /** Undefined when the form of the request is wrong. */
  input: z.output<Capability["input"]> | undefined;
  /** By field: those of the form, and those against the catalog. */
  faults: Map<string, FieldFault<ErrorCode>>;
}

function judge(capability: Capability, raw: object, catalog: Catalog): Judged {
  const cleaned = normalise(raw) as Record<string, unknown>;
  const parsed = capability.input.safeParse(cleaned, { error: explain, reportInput: true });
  const required = jsonSchema(capability.input, "input").required ?? [];
  const faults = new Map<string, FieldFault<ErrorCode>>();
  // The bound of every whole number comes last: a field's own bound says more.
  const issues = (parsed.error?.issues ?? []).toSorted((a, b) => Number(isAnyInteger(a)) - Number(isAnyInteger(b)));
  for (const issue of issues) {
    const field = fieldName(issue.path);
    if (!faults.has(field)) faults.set(field, faultOf(issue, field, { ...capability, required }));
  }
  for (const [field, check] of Object.entries(capability.checks ?? {})) {
    if (
      [...faults.keys()].some(
        (faulty) => faulty === field || faulty.startsWith(`${field}.`) || faulty.startsWith(`${field}[`),
      )
    )
      continue;
    const value = parsed.success
      ? parsed.data[field]
      : (capability.input.shape[field] as z.ZodType | undefined)?.safeParse(cleaned[field]).data;
    const fault = check?.(value, catalog);
    if (fault) faults.set(field, fault);
  }
  return { input: parsed.data, faults };
}

/** Zod's own bound of whole numbers, beyond which they are no longer exact. */
function isAnyInteger(issue: z.core.$ZodIssue): boolean {
  return (issue.code === "too_big" || issue.code === "too_small") && issue.origin === "int";
}

/** `consent.agent_name`, `addons[2]`. */
function fieldName(path: PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : i === 0 ? String(part) : `.${String(part)}`))
    .join("");
}

function faultOf(
  issue: z.core.$ZodIssue,
  field: string,
  { required, unknownValue }: Pick<Capability, "unknownValue"> & { required: string[] },
): FieldFault<ErrorCode> {
  const blank = issue.input === "" && required.includes(field);
  // Zod reports a missing string as invalid_type, and a missing choice as invalid_value.
  const absent = issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value");
  if (blank || absent) return { missing: field, message: "is missing" };
  const isUnknownValue = issue.code === "invalid_value" && typeof issue.input === "string";
  const code = isUnknownValue ? unknownValue?.[field] : undefined;
  const allowed = issue.code === "invalid_value" ? issue.values.filter((value) => typeof value === "string") : [];
  return { message: issue.message, ...(code && { code }), ...(allowed.length > 0 && { allowed }) };
}

/** One error for all faults: MISSING_FIELD before BAD_REQUEST before the codes of unknown values. */
function inputError(faults: Map<string, FieldFault<ErrorCode>>): ApiError {
  const all = [...faults].slice(0, MAX_REPORTED);
  const missing = all.flatMap(([, fault]) => fault.missing ?? []);
  const invalid = all.filter(([, fault]) => !fault.missing);
  const invalidFields = invalid.map(
    ([field, { message, allowed }]): InvalidField => ({ field, message, ...(allowed && { allowed }) }),
  );
  const codes = invalid.map(([, { code }]) => code ?? "BAD_REQUEST");
  const code =
    missing.length > 0 ? "MISSING_FIELD" : (codes.find((one) => one === "BAD_REQUEST") ?? codes[0] ?? "BAD_REQUEST");
  const sentences = [
    ...(missing.length > 0
      ? [`${oneOf(missing).replace(/ or (?=[^ ]+$)/, " and ")} ${missing.length > 1 ? "are" : "is"} missing`]
      : []),
    ...invalidFields.map(({ field, message }) => `${field} ${message}`),
  ];
  return new ApiError(code, `${sentences.join("; ")}.`, {
    ...(missing.length > 0 && { missing_fields: missing }),
    ...(invalidFields.length > 0 && { invalid_fields: invalidFields }),
  });
}

export const MAX_WARNINGS = 20;

/** Warns of every field the schema does not know, at any depth it describes. */
function unknownFields(value: unknown, schema: JsonSchema, prefix = ""): Warning[] {
  const objects = [schema, ...(schema.anyOf ?? [])].filter(({ properties }) => properties);
  const properties = objects[0]?.properties;
  if (!properties || typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const known = Object.keys(properties);
  return Object.entries(value)
    .slice(0, 1000)
    .flatMap(([name, item]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property) return unknownFields(item, property, `${prefix}${name}.`);
      return [ignoredField(prefix + name, "is not a field of this request and was ignored.", didYouMean(name, known))];
    })
    .slice(0, MAX_WARNINGS);
}

/** @param path of the field, as the caller wrote it */
export function ignoredField(path: string, why: string, meant?: string): Warning {
  const field = path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�").slice(0, 200);
  return { code: "UNKNOWN_FIELD", field, message: `${field} ${why}`, ...(meant && { did_you_mean: meant }) };
}
