/** Reads the fields of a form. The capabilities judge what stands in them. */

/** The fields with something in them, by name. */
export function given(form: URLSearchParams, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, form.get(name) ?? ""]).filter(([, value]) => value !== ""));
}

/** Digits as a number; other text stays as it is, and is refused. */
export function numberOrText(text: string): number | string {
  const trimmed = text.trim();
  return /^\d{1,9}(\.\d{1,4})?$/.test(trimmed) ? Number(trimmed) : text;
}

/** The customer's consent in the fields of the API, which refuses a request without it. */
export function consentOf(form: URLSearchParams, statement: string): object {
  return { confirmed_by_user: form.get("consent") === "yes", statement };
}
