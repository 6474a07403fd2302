/** Message templates: the owner's text with fields in braces, like `{name}`. */
import { didYouMean, oneOf } from "../../schema/explain.ts";

/** The fields a template may use. */
export const TEMPLATE_FIELDS = [
  "name",
  "date",
  "time",
  "service",
  "code",
  "price",
  "shop",
  "shop_phone",
  "address",
] as const;
export type TemplateFields = Record<(typeof TEMPLATE_FIELDS)[number], string>;

/** What is wrong with a template: fields that do not exist, and braces that belong to none. */
export function templateFault(template: string): string | undefined {
  const known = `the fields are ${TEMPLATE_FIELDS.map(braced).join(" ")}`;
  const unknown = [...template.matchAll(FIELD)].map(([, field = ""]) => field).filter((field) => !isField(field));
  if (unknown.length > 0) {
    const [first = ""] = unknown;
    const hint = unknown.length === 1 ? didYouMean(first.trim(), TEMPLATE_FIELDS) : undefined;
    return `names ${oneOf(unknown.map(braced))}, which is not known${hint ? ` (did you mean ${braced(hint)}?)` : ""}; ${known}`;
  }
  return /[{}]/.test(template.replace(FIELD, "")) ? `has a brace that belongs to no field; ${known}` : undefined;
}

const FIELD = /\{([^{}]*)\}/g;

function isField(field: string): field is keyof TemplateFields {
  return (TEMPLATE_FIELDS as readonly string[]).includes(field);
}

function braced(field: string): string {
  return `{${field}}`;
}

/** The template with its fields filled in, at one go: what a field holds is never read as a template itself. */
export function fillTemplate(template: string, fields: TemplateFields): string {
  return template.replace(FIELD, (whole, field: string) => (isField(field) ? fields[field] : whole));
}
