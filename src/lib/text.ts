/** Words of the catalog and the API in sentences. */

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A code without its underscores: `film_removal` becomes `film removal`. */
export function spaced(code: string): string {
  return code.replaceAll("_", " ");
}
