/** Reads the fields of a form. The capabilities judge what stands in them. */

/** The fields with something in them, by name. */
export function given(form: URLSearchParams, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, visibleText(form, name)]).filter(([, value]) => value !== ""));
}

/**
 * The text of a field without characters that nobody sees. A number copied from a phone's contacts brings such marks along,
 * and so do emoji and names in Persian or Hindi. The API refuses them, and a person could not find what to mend.
 */
export function visibleText(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? "").replace(/\p{Cf}/gu, "");
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
