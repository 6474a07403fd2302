/** Templates of messages: the owner's text with fields in braces, like `{name}`. */
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

/** @returns a message when the template has an unknown field, or a brace that belongs to no field */
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

/** Fills in all fields at once, so that braces in a customer's name are never read as a field. */
export function fillTemplate(template: string, fields: TemplateFields): string {
  return template.replace(FIELD, (whole, field: string) => (isField(field) ? fields[field] : whole));
}
