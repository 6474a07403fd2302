/** Message templates: the owner's text with fields in braces, like `{name}`. */

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

/** The fields a template names that do not exist. */
export function unknownFields(template: string): string[] {
  const named = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, field]) => field ?? "");
  return named.filter((field) => !(TEMPLATE_FIELDS as readonly string[]).includes(field));
}

/** The template with its fields filled in, at one go: what a field holds is never read as a template itself. */
export function fillTemplate(template: string, fields: TemplateFields): string {
  return template.replace(/\{([^{}]*)\}/g, (whole, field: string) =>
    Object.hasOwn(fields, field) ? fields[field as keyof TemplateFields] : whole,
  );
}
